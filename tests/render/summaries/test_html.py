"""The standalone page with the summary and its source."""

import re
import struct
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from tests.builders import MODEL, FixedScorer, analysis, chain, tree
from tests.pages import BROWSER, Tags, answer, browse, with_probe
from tests.strategies import analyses
from tests.webdriver import DRIVER, browser

from discobert.api import rule_analyser
from discobert.data.cuts import Cut
from discobert.data.graph import Edge
from discobert.data.markup import Markup, Segment, SegmentKind
from discobert.data.summary import (
    Analysis,
    ModelId,
    Replacement,
    Scores,
    Selection,
    Summary,
    SummaryWarning,
)
from discobert.discourse.units import UnitKind
from discobert.pipeline import Pipeline
from discobert.render.summaries.html import chosen_edus, render_summary_html
from discobert.selection.budget import Budget
from discobert.selection.request import SummaryRequest

SMALL = analysis(
    "[Ann <b>&</b> Bo,] [~who met] [in “Rome”,] || [like it.] | [She sings.]",
    tree(
        "NS",
        tree("NN", tree("NS", 0, 1, "elaboration"), tree("NN", 2, 3, "joint"), "joint"),
        4,
        "evaluation",
    ),
    ("Ann", "She"),
    ("“Rome”", "it"),
)
TOLD = [
    "Chosen for its score.",
    "Score 0.50, rank 2 of 5.",
    "Needs 0.",
    "The summary ends here because every unit that is left has a lower score.",
    "Piece 1, sentence 1",
]
"""What the last piece of the small summary tells."""
ATTACK = "</title></script><script>alert(1)</script><img/onerror=alert(1)>\"'"


def summarised(
    found: Analysis, *, words: int = 6, kind: UnitKind = UnitKind.EDU
) -> tuple[Analysis, Summary]:
    scorer = FixedScorer(tuple(1 / (1 + edu) for edu in range(len(found.document.edus))))
    request = SummaryRequest(budget=Budget(words=words), unit=kind)
    return found, Pipeline(rule_analyser(), scorer).summarise_analysis(found, request)


def by_hand(*reasons: str) -> tuple[Analysis, Summary]:
    """Choose the first units of the small text for the reasons given."""
    document = SMALL.document
    n_units, edus = len(document.edus), tuple(range(len(reasons)))
    return SMALL, Summary(
        document=document,
        scores=Scores(tuple(1 / (1 + edu) for edu in range(n_units))),
        selection=Selection(edus, reasons),
        dependencies=(Edge(1, 0),),
        sentences=("Ann <b>&</b> Bo, who met.",),
        model=MODEL,
        left=("score",) * (n_units - len(edus)),
    )


def units(page: str) -> list[tuple[str, dict[str, str | None]]]:
    return [item for item in Tags(page).found if re.fullmatch(r"d1u\d+", item[1].get("id") or "")]


def test_chosen_units_are_marked_with_score_and_reason() -> None:
    found = units(render_summary_html([by_hand("score", "score")]))
    assert [tag for tag, _ in found] == ["mark", "mark", "span", "span", "span"]
    titles = [attrs["title"] or "" for _, attrs in found]
    assert titles[0] == "Chosen for its score.\nScore 1.00, rank 1 of 5.\nPiece 0, sentence 1"
    assert titles[1].splitlines() == TOLD
    assert titles[3].startswith("Left out: every unit")
    assert found[1][1]["data-needs"] == "0"
    assert all("tabindex" in attrs for tag, attrs in found if tag == "mark")


def test_needed_units_name_who_needs_them_as_json_does() -> None:
    (_, first), *_ = units(render_summary_html([by_hand("needed by 1", "score")]))
    assert first["class"] == "u in need"
    assert "because it is needed by 1." in (first["title"] or "")


def test_cut_pieces_are_struck_out_with_how_sure_the_cut_is() -> None:
    found, summary = by_hand("score")
    cut = replace(summary, cuts=(Cut((1, 2), 0.925),), left=("cut", "cut", "end", "end"))
    page = render_summary_html([(found, cut)])
    _, gone, also, left, _ = (attrs for _, attrs in units(page))
    assert gone["class"] == also["class"] == "u cut"
    assert (gone["title"] or "").splitlines()[2] == "92% sure that leaving it out does no harm."
    assert left["class"] == "u"
    assert "sure" not in (left["title"] or "")
    assert "Cut out</span> of a chosen sentence" in page
    assert '<p class="why">The summary ends here because nothing that is left is worth' in page


def test_a_summary_of_unknown_end_does_not_tell_one() -> None:
    found, summary = by_hand("score")
    page = render_summary_html([(found, replace(summary, left=()))])
    assert "ends here" not in page
    assert "Cut out</span>" not in page


def test_the_page_is_named_after_the_text_not_after_its_path() -> None:
    named = replace(SMALL.document, id="letters/<notes>.txt")
    found, summary = by_hand("score")
    page = render_summary_html([(replace(found, document=named), replace(summary, document=named))])
    assert "<title>Ann &lt;b&gt;&amp;&lt;/b&gt; Bo, who met in “Rome”, · Summary</title>" in page
    assert ">&lt;notes&gt;.txt</span>" in page
    assert page.count("letters/") == 1  # the tooltip of the file's name


def test_headings_look_like_headings() -> None:
    spaced = analysis("[On Bees] || [They fly.] | [They hum.]", chain(3))
    page = render_summary_html([summarised(spaced)])
    assert re.search(r'<h3 dir="auto"><span class="sentence"><\w+ [^>]*>On Bees<', page)
    assert 'class="edu sentence paragraph head' in page


def test_turns_of_a_transcript_name_speaker_and_time() -> None:
    talk = analysis("[We start.] | [It rains.] || [Yes.] || [Bo: No.] || [Nothing.]", chain(5))
    first, second, third, _ = talk.document.paragraph_spans()
    turns = (
        Segment(first, SegmentKind.TURN, "Ann <b>", (3661.5, 3670.0)),
        Segment(second, SegmentKind.TURN, None, (75.0, 80.0)),
        Segment(third, SegmentKind.TURN, "Bo", (81.0, 82.0)),
    )
    told = replace(talk, document=replace(talk.document, markup=Markup("srt", turns)))
    page = render_summary_html([summarised(told)])
    cues = re.findall(r'<span class="cue">(.*?)</span>', page)
    assert cues == [
        "Ann &lt;b&gt; · <time>1:01:01</time>",
        "<time>1:15</time>",
        "<time>1:21</time>",
    ]


def test_cues_of_a_speaker_who_goes_on_tell_the_time_if_it_is_another() -> None:
    talk = analysis("[We start.] | [It rains.] | [It snows.]", chain(3))
    turns = tuple(
        Segment(span, SegmentKind.TURN, "Ann", (start, start + 1))
        for span, start in zip(talk.document.sentences, (1.0, 1.5, 3.0), strict=True)
    )
    told = replace(talk, document=replace(talk.document, markup=Markup("srt", turns)))
    page = render_summary_html([summarised(told)])
    cues = re.findall(r'<span class="cue">(.*?)</span>', page)
    assert cues == ["Ann · <time>0:01</time>", "<time>0:03</time>"]


def test_items_of_a_list_have_bullets() -> None:
    listed = analysis("[We need:] || [Salt.] || [Bread.]", chain(3))
    items = tuple(
        Segment(span, SegmentKind.LIST_ITEM) for span in listed.document.paragraph_spans()[1:]
    )
    told = replace(listed, document=replace(listed.document, markup=Markup("markdown", items)))
    page = render_summary_html([summarised(told)])
    assert page.count('<p class="item" dir="auto">') == 2
    assert page.count('<p dir="auto">') == 1


def test_every_word_of_the_source_is_there() -> None:
    page = render_summary_html([summarised(SMALL)])
    source = page[page.index('<div class="source"') : page.index("<svg")]
    assert Tags(f"{source}</div>").text.split() == SMALL.document.text.split()


def test_lines_lead_to_their_sentences_and_every_link_leads_somewhere() -> None:
    page = render_summary_html([summarised(SMALL, words=99)])
    found = Tags(page).found
    ids = [attrs["id"] for _, attrs in found if "id" in attrs]
    links = {attrs["href"] for _, attrs in found if "href" in attrs}
    assert len(ids) == len(set(ids))
    assert {"#d1u0", "#d1u3", "#d1u4"} <= links
    assert {link[1:] for link in links if link} <= set(ids)
    labels = [attrs["aria-labelledby"] for _, attrs in found if "aria-labelledby" in attrs]
    assert set(labels) <= set(ids)


def test_lines_that_are_not_one_a_sentence_have_no_links() -> None:
    found, summary = summarised(SMALL)
    page = render_summary_html([(found, replace(summary, sentences=("A.", "B.", "C.")))])
    assert '<li dir="auto">C.</li>' in page
    assert "cite" not in page[page.index("<article") :]


def test_warnings_are_told_with_their_unit() -> None:
    found, summary = summarised(SMALL)
    warnings = (SummaryWarning("a", "x < y", 2), SummaryWarning("b", "z"))
    page = render_summary_html([(found, replace(summary, warnings=warnings))])
    assert '<b>a</b>: x &lt; y <a href="#d1u2">unit 2</a></li><li><b>b</b>: z</li>' in page


def test_words_that_are_not_the_texts_own_are_told() -> None:
    found, summary = by_hand("score", "score")
    changes = (Replacement(4, 41, 44, "Ann <Lee>"),)
    page = render_summary_html([(found, replace(summary, replacements=changes))])
    was = SMALL.document.text[41:44]
    assert f"“Ann &lt;Lee&gt;” stands for “{was}” " in page
    assert '<a href="#d1u4">unit 4</a>' in page


def test_whole_sentences_mark_their_clauses_in_the_tree() -> None:
    found, summary = summarised(SMALL, words=7, kind=UnitKind.SENTENCE)
    assert chosen_edus(found, summary) == {0, 1, 2}
    page = render_summary_html([(found, summary)])
    assert len(units(page)) == 3
    assert page[page.index("<article") :].count('class="edu') == 5
    assert len(re.findall(r'class="edu[ a-z]* chosen"', page)) == 3


def test_page_fetches_nothing() -> None:
    page = render_summary_html([summarised(SMALL)])
    assert "default-src 'none'" in page
    assert not re.search(r"https?:|url\((?!#)|@import|<link|<iframe|\ssrc=\"(?!data:)", page)


def test_text_of_the_user_is_never_markup() -> None:
    hostile = analysis(f"[{ATTACK}] [{ATTACK}]", tree("NS", 0, 1, ATTACK))
    hostile = replace(hostile, document=replace(hostile.document, id=ATTACK))
    found, summary = summarised(hostile)
    warning = SummaryWarning(ATTACK, ATTACK)
    summary = replace(summary, warnings=(warning,), model=ModelId(ATTACK, ATTACK))
    tags = Tags(render_summary_html([(found, summary)] * 2))
    names = [tag for tag, _ in tags.found]
    assert names.count("script") == 1
    assert names.count("img") == 4
    assert not any(name.startswith("on") for _, attrs in tags.found for name in attrs)


def test_several_summaries_share_a_page() -> None:
    page = render_summary_html([summarised(SMALL)] * 2)
    assert "<title>2 summaries</title>" in page
    assert '<a href="#d2"' in page
    ids = [attrs["id"] for _, attrs in Tags(page).found if "id" in attrs]
    assert len(ids) == len(set(ids))


def test_long_documents_stay_small() -> None:
    words = " ".join(["word"] * 10)
    markup = " | ".join(f"[Ann {words},] [said Bo.]" for _ in range(400))
    long = analysis(markup, None, ("Ann",) * 400, ("Bo",) * 400)
    page = render_summary_html([summarised(long, words=60)])
    assert len(page) < 1_500_000
    assert "open>" not in page[page.index("<article") :]


@settings(max_examples=30)
@given(analyses())
def test_any_summary_gives_a_well_formed_page(found: Analysis) -> None:
    assert Tags(render_summary_html([summarised(found, words=3)])).opened == []


PROBE = """
const source = document.querySelector(".source");
const units = [...source.querySelectorAll(".u")];
const tip = source.querySelector(".tip");
units[1].focus();
// A page whose window is not in front yet is told of no focus.
if (!document.hasFocus()) units[1].dispatchEvent(new FocusEvent("focusin", {bubbles: true}));
const told = [...tip.children].map((line) => line.textContent);
const described = units[1].getAttribute("aria-describedby") === tip.id && !tip.hidden;
const arrows = () => source.querySelectorAll("svg g path").length;
const own = arrows();
const press = (key) => document.activeElement
  .dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
press("ArrowRight");
press("ArrowRight");
const walked = document.activeElement.id;
press("Escape");
const closed = tip.hidden;
document.activeElement.blur();
const click = (name) => document.querySelector(`input.${name}`).click();
const marked = () => getComputedStyle(source.querySelector(".m")).borderBottomWidth !== "0px"
  && document.querySelector(".chains").getClientRects().length > 0;
const before = marked();
click("coref");
const coloured = marked();
click("coref");
click("strike");
const struck = getComputedStyle(units[3]).textDecorationLine;
click("arrows");
const all = arrows();
click("only");
const hidden = units[3].getClientRects().length === 0 && units[1].getClientRects().length > 0;
click("only");
const line = document.querySelector(".digest ol a");
line.dispatchEvent(new MouseEvent("mouseenter"));
const lit = units.map((unit) => unit.closest(".sentence").classList.contains("here"));
source.querySelector(".u").dispatchEvent(new MouseEvent("mouseover", {bubbles: true}));
const back = line.classList.contains("here");
line.click();
const jumped = [location.hash, document.querySelector(":target").id];
document.title = JSON.stringify({told, described, own, walked, closed, struck, all, hidden,
  before, coloured, lit, back, jumped,
  stops: source.querySelectorAll("[tabindex='0']").length,
  fits: document.documentElement.scrollWidth <= innerWidth});
"""
"""What a user does, and what the page answers."""


@pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine")
def test_browser_tells_walks_and_draws_without_complaint(tmp_path: Path) -> None:
    page = with_probe(render_summary_html([by_hand("score", "score")]), PROBE)
    ran = browse(page, tmp_path, "--dump-dom")
    assert "CONSOLE" not in ran.stderr
    assert answer(ran) == {
        "told": TOLD,
        "described": True,
        "own": 1,
        "walked": "d1u3",
        "closed": True,
        "struck": "line-through",
        "all": 1,
        "hidden": True,
        "before": False,
        "coloured": True,
        "lit": [True, True, True, False, False],
        "back": True,
        "jumped": ["#d1u0", "d1u0"],
        "stops": 1,
        "fits": True,
    }


@pytest.mark.slow
@pytest.mark.skipif(not (BROWSER and DRIVER), reason="no Chromium or no chromedriver here")
def test_switches_and_jumps_need_no_script(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(render_summary_html([by_hand("score", "score")]), encoding="utf-8")
    with browser(tmp_path) as page:
        page.command("Emulation.setScriptExecutionDisabled", value=True)
        page.open(file.as_uri())
        assert page.style(".chains", "display") == "none"
        page.click("input.coref")
        assert page.style(".chains", "display") == "block"
        assert page.style(".source .m", "border-bottom-style") == "solid"
        page.click("input.only")
        assert page.style("#d1u3", "display") == "none"
        assert page.style("#d1u0", "outline-style") == "none"
        page.click(".digest ol a")
        assert page.style("#d1u0", "outline-style") == "solid"
        assert page.complaints() == []


@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine")
@pytest.mark.parametrize("n_sentences", [3, 400])
def test_screenshot_shows_something_and_the_console_is_silent(
    n_sentences: int, tmp_path: Path
) -> None:
    markup = " | ".join("[Ann met Bo in the town,] [said Cy.]" for _ in range(n_sentences))
    found = analysis(markup, None, ("Ann",) * n_sentences)
    picture = tmp_path / "page.png"
    ran = browse(
        render_summary_html([summarised(found, words=40)]), tmp_path, f"--screenshot={picture}"
    )
    assert "CONSOLE" not in ran.stderr
    data = picture.read_bytes()
    assert struct.unpack_from(">II", data, 16) == (600, 800)
    assert len(data) > 10_000  # a blank page has less than 5,000 bytes
