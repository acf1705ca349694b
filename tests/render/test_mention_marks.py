"""Coreference chains in the text."""

import re
from html import unescape

from hypothesis import given
from tests.builders import cluster, doc
from tests.strategies import analyses

from discobert.data.coref import Cluster, Mention
from discobert.data.document import Span
from discobert.data.summary import Analysis
from discobert.render.mention_marks import Chain, Mark, chains, mark_up, marks_by_edu

NEWS = doc("[Ann Lee met Bo Fox.] | [She likes] [that Fox plays.]")


def opening(chain: Chain) -> str:
    return f"<span {chain.number}>"


def marked(text: str, *spans: tuple[int, int]) -> str:
    marks = [
        Mark(start, end, Chain(number, "", (), ())) for number, (start, end) in enumerate(spans)
    ]
    return mark_up(text, Span(0, len(text)), marks, opening=opening)


def test_chains_are_numbered_by_their_first_mention() -> None:
    found = chains(NEWS, [cluster(NEWS, "Bo Fox", "Fox plays"), cluster(NEWS, "Ann Lee", "She")])
    assert [(chain.number, chain.name, chain.edus) for chain in found] == [
        (1, "Ann Lee", (0, 1)),
        (2, "Fox plays", (0, 2)),
    ]


def test_single_mentions_are_no_chain() -> None:
    assert chains(NEWS, [cluster(NEWS, "Ann Lee")]) == ()


def test_long_names_are_cut() -> None:
    document = doc(f"[{'long ' * 20}name] [{'other ' * 20}name]")
    spans = tuple(Mention(edu.span) for edu in document.edus)
    (chain,) = chains(document, [Cluster(spans)])
    assert chain.name == "long long long long long long long …"


def test_mention_across_edus_is_marked_in_each() -> None:
    span = Span(NEWS.edus[1].span.start, NEWS.edus[2].span.end)
    first = Span(0, 3)
    found = chains(NEWS, [Cluster((Mention(first), Mention(span)))])
    marks = marks_by_edu(NEWS, found)
    assert [[(mark.start, mark.end) for mark in edu] for edu in marks] == [
        [(0, 3)],
        [(NEWS.edus[1].span.start, NEWS.edus[1].span.end)],
        [(NEWS.edus[2].span.start, NEWS.edus[2].span.end)],
    ]


def test_text_is_escaped() -> None:
    assert marked('<b> & "x"', (0, 3)) == "<span 0>&lt;b&gt;</span> &amp; &quot;x&quot;"


def test_mentions_nest() -> None:
    assert marked("her mother", (0, 3), (0, 10)) == "<span 1><span 0>her</span> mother</span>"


def test_crossing_mentions_are_cut() -> None:
    assert marked("abcdef", (0, 4), (2, 6)) == (
        "<span 0>ab<span 1>cd</span></span><span 1>ef</span>"
    )


@given(analyses())
def test_marking_keeps_the_text_and_closes_all_it_opens(found: Analysis) -> None:
    document = found.document
    marks = marks_by_edu(document, chains(document, found.coref))
    for edu, here in zip(document.edus, marks, strict=True):
        html = mark_up(document.text, edu.span, here, opening=opening)
        assert unescape(re.sub(r"</?span[^>]*>", "", html)) == unescape(
            edu.span.of(document.text).replace("&", "&amp;")
        )
        depth = 0
        for tag in re.findall(r"</?span[^>]*>", html):
            depth += -1 if tag.startswith("</") else 1
            assert depth >= 0
        assert depth == 0
