"""The prose of Markdown."""

import time
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.parser_inline import ParserInline
from markdown_it.token import Token
from markdown_it.utils import EnvType

from discobert.data.document import Span
from discobert.data.markup import SegmentKind
from discobert.store.inputs.markdown import read_markdown


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("# Title #\nOne\ntwo.\n\nThree.", "Title\n\nOne two.\n\nThree."),
        ("Title\n=====\nText.", "Title\n\nText."),
        ("---\nlayout: x\n---\nText.", "Text."),
        ("a\n\n---\n\nb", "a\n\nb"),
        ("- one\n- [x] two\n  more\n1. three", "one\n\ntwo more\n\nthree"),
        ("> Quoted\n> text.", "Quoted text."),
        (
            "See [the **page**](http://x.y/a_(b)) and [this][1].\n\n[1]: http://z",
            "See the page and this.",
        ),
        (
            "![alt](a.png) Text<br>with <b>tags</b> &amp; <http://x.y>.",
            "Text\nwith tags & http://x.y.",
        ),
        ("*a* **b** ***c*** _d_ __e__ ~~f~~ `g*h*`", "a b c d e f g*h*"),
        ("snake_case_name 2*3*4 5 * 6", "snake_case_name 234 5 * 6"),
        (r"\*not\* \# \_this\_", "*not* # _this_"),
        ("Before\n```py\ncode()\n~~~\n```\nafter", "Before\n\nafter"),
        ("````\n```\n````\nText.\n~~~\nopen", "Text."),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n\nText.[^1]\n\n[^1]: Note.", "Text.\n\nNote."),
        ("<!-- hidden\n\nstill --> Shown.", "Shown."),
        ("Line one\r\nline two", "Line one line two"),
        (
            "Ask <help@port.example> or see <https://port.example/a?b=c>.",
            "Ask help@port.example or see https://port.example/a?b=c.",
        ),
        (
            "It fell [@doe99, p. 3; @roe]. It rose [^2], too.\n\n[^2]: Twice, in fact.",
            "It fell. It rose, too.\n\nTwice, in fact.",
        ),
        (
            "See [the plan][plan], [no target][gone] and x[i][j].\n\n[plan]: /p 'T'",
            "See the plan, no target and x[i][j].",
        ),
        ("Thanks to [@bob] and [@eve](http://e).\n\n[@bob]: http://b", "Thanks to @bob and @eve."),
        ("**Setup**\nRun it.\n\n**Note:** stay.", "Setup\n\nRun it.\n\nNote: stay."),
        ("## Heading\nruns into lower case", "Heading\n\nruns into lower case"),
        ("One  \ntwo\\\nthree", "One\ntwo\nthree"),
        (
            "<h1 align=center>Tool</h1>\n<p><img src=x> Fast &amp; small.</p>",
            "Tool\n\nFast & small.",
        ),
        (
            "&#99999999; &#x110000; &#0; &bogus; &amp;amp;",
            "&#99999999; \ufffd \ufffd &bogus; &amp;",
        ),
        ("---\nA rule above, not fields.\n\n---\nText.", "A rule above, not fields.\n\nText."),
    ],
)
def test_marks_are_taken_away(markdown: str, text: str) -> None:
    assert read_markdown(markdown).text == f"{text}\n"


MARKS = ["a", "b ", "\n", "\n\n", "\r\n", "# ", "*", "**", "_", "`", "[", "]", "(", ")", "<", ">",
         "|", "- ", "> ", "~~", "\\", "!", ":", "1. ", "&lt;", "&", ";", "    ", "\t", "[^1]",
         "[@a]", "<b>",
         "</p>", "<br>", "<!--", "-->", "http://x", "  \n", "=\n", "|-|\n", "[a]: b\n",
         "\u2028", "\xa0", "é"]  # fmt: skip


@settings(max_examples=150)
@given(st.lists(st.sampled_from(MARKS), max_size=25).map("".join))
def test_every_character_has_its_place_in_the_file(markdown: str) -> None:
    """The text is what stands at its places, but for white space and resolved characters."""
    found = read_markdown(markdown)
    placed = bytearray(len(found.text))
    for run in found.markup.runs:
        placed[run.start : run.start + run.length] = b"\1" * run.length
        here = found.text[run.start : run.start + run.length]
        there = markdown[run.source : run.source + run.source_length]
        if run.length == run.source_length:
            assert [c.isspace() or c for c in here] == [c.isspace() or c for c in there]
    assert all(at or c.isspace() for at, c in zip(placed, found.text, strict=True))


def test_a_sentence_has_its_place_in_the_file() -> None:
    markdown = (
        "# A *tool*\r\n\r\n> - It `runs`\r\n>   on &lt;all&gt; [systems](x), <a@b.c> says.\r\n"
    )
    found = read_markdown(markdown)
    assert found.text == "A tool\n\nIt runs on <all> systems, a@b.c says.\n"
    place = found.markup.source_of(Span(found.text.index("It"), len(found.text) - 1))
    assert place is not None
    assert place.of(markdown) == "It `runs`\r\n>   on &lt;all&gt; [systems](x), <a@b.c> says."
    word = found.markup.source_of(Span(found.text.index("systems"), found.text.index(",")))
    assert word is not None
    assert word.of(markdown) == "systems"


def test_roles_are_kept() -> None:
    markdown = "Title\n---\n\n- [ ] an item\n\n> said\n\nText.\n\n<h2>More</h2>"
    found = read_markdown(markdown)
    roles = [(each.kind, each.span.of(found.text)) for each in found.markup.segments]
    assert roles == [
        (SegmentKind.HEADING, "Title"),
        (SegmentKind.LIST_ITEM, "an item"),
        (SegmentKind.QUOTE, "said"),
        (SegmentKind.HEADING, "More"),
    ]


@pytest.mark.parametrize(
    ("markdown", "codes"),
    [
        ("Text.\n\n|a|b|\n|-|-|\n|1|2|\n\n<table><tr><td>x</td></tr></table>", ["tables-skipped"]),
        ("---\nlayout: post\ntags:\n  - a\n---\nText.", ["front-matter"]),
        ("---\ntitle: A thing\nlayout: post\n---\nText.", []),
        ("Text.\n\n    indented", ["code-skipped"]),
        ("Text.\n\n" + "> " * 60 + "deep", ["nested-too-deep"]),
        ("Text.\n\n```\ncode\n```", []),
    ],
)
def test_what_is_left_out_is_told(markdown: str, codes: list[str]) -> None:
    found = read_markdown(markdown)
    assert [note.code for note in found.markup.notes] == codes
    assert "Text." in found.text


def test_title_of_front_matter_is_a_heading() -> None:
    markdown = '+++\ndraft = false\ntitle = "The bridge"\n+++\nIt fell.'
    found = read_markdown(markdown)
    assert found.text == "The bridge\n\nIt fell.\n"
    (heading,) = found.markup.segments
    assert heading.kind is SegmentKind.HEADING
    place = found.markup.source_of(heading.span)
    assert place is not None
    assert place.of(markdown) == "The bridge"


HARD = [
    *"* *a _a_ ` [ ![ [a]( <a <!-- &lt; &#1111111111 \\[ > - [@a <x@ ~~ <![CDATA[".split(),
    *("a\n", "[\n", "[a]: <b\n", "a" + " " * 99, "|-\n"),
]


def test_paragraphs_are_read_in_sections(monkeypatch: pytest.MonkeyPatch) -> None:
    """So time and memory are linear in the length, whatever the rules of markdown-it cost."""
    seen: list[int] = []
    parse = ParserInline.parse

    def noting(
        self: ParserInline, src: str, md: MarkdownIt, env: EnvType, tokens: list[Token]
    ) -> list[Token]:
        seen.append(len(src))
        return parse(self, src, md, env, tokens)

    monkeypatch.setattr(ParserInline, "parse", noting)
    for markdown in ("word " * 3_000, "[" * 9_000, "line\n" * 3_000):
        assert read_markdown(markdown).text.split() == markdown.split() or markdown[0] == "["
    assert sum(seen) >= 15_000
    assert max(seen) <= 4_000


@pytest.mark.slow
def test_time_is_linear_in_the_length() -> None:
    """Paragraphs are read in sections: twice the text costs twice the time, whatever it is."""
    for mark in HARD:
        short, long = (_seconds(mark * (size // len(mark))) for size in (6_000, 18_000))
        assert long < 7 * short + 0.2, mark


def _seconds(markdown: str) -> float:
    start = time.process_time()
    read_markdown(markdown)
    return time.process_time() - start


@pytest.mark.slow
def test_entities_cost_little_memory() -> None:
    tracemalloc.start()
    read_markdown("&lt;" * 60_000)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 50_000_000
