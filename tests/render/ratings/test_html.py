"""The rating sheet as a page: well-formed, accessible, and working in a real browser."""

import json
import re
import struct
from pathlib import Path

import pytest
from tests.pages import BROWSER, Tags, answer, browse, with_probe

from discobert.data.rating import FaultKind, Place, Question
from discobert.render.ratings.form import FAULTS, WORDING, RatingItem
from discobert.render.ratings.html import render_rating_html

ITEMS = [
    RatingItem(1, "A ferry sank.\n\nNobody was hurt.", ("A ferry sank.", "Nobody was hurt.")),
    RatingItem(2, "It rained.", ("It rained.", "It rained.")),
    RatingItem(5, "Ann met Bo.", ("Ann met.", "")),
]
ATTACK = "</title></script><script>alert(1)</script><img/onerror=alert(1)>\"'"


def page(items: list[RatingItem] = ITEMS) -> str:
    return render_rating_html(items, sheet="s1", key="KEY")


def test_every_summary_has_every_question_on_the_whole_scale() -> None:
    radios = [attrs for tag, attrs in Tags(page()).found if attrs.get("type") == "radio"]
    names = {attrs["name"] for attrs in radios}
    asked = [*(question.value for question in Question), "rank"]
    first = {f"d1-{place.value}-{name}" for place in (Place.FIRST, Place.SECOND) for name in asked}
    assert first <= names
    assert len(names) == 12 + 5 + 12
    by_name = {
        name: [attrs["value"] for attrs in radios if attrs["name"] == f"d1-first-{name}"]
        for name in asked
    }
    assert by_name.pop("misleading") == ["0", "1"]
    assert by_name.pop("rank") == ["1", "2"]
    assert set(map(tuple, by_name.values())) == {tuple("12345")}


def test_every_summary_has_a_field_for_misleading_lines_and_boxes_for_faults() -> None:
    found = Tags(page()).found
    assert sum(tag == "textarea" for tag, _ in found) == 5
    boxes = [attrs["value"] for _, attrs in found if attrs.get("type") == "checkbox"]
    assert boxes == [kind.value for kind in FaultKind] * 5


def test_three_summaries_are_lettered_and_ranked() -> None:
    text = page([RatingItem(1, "It rained.", ("It.", "Rained.", "It."))])
    assert "Summaries A and C read the same" in text
    assert "Summary B" in text
    assert 'data-place="first third" data-question="rank"' in text
    assert "1 document, three summaries" in text
    assert "Three programs wrote them" in text


def test_items_carry_their_number_in_the_panel() -> None:
    assert re.findall(r'id="(d\d)" data-item="(\d)"', page()) == [
        ("d1", "1"),
        ("d2", "2"),
        ("d3", "5"),
    ]


def test_summaries_that_read_the_same_are_rated_once() -> None:
    asks = [attrs for _, attrs in Tags(page()).found if attrs.get("class") == "ask"]
    assert [attrs["data-place"] for attrs in asks[12:17]] == ["first second"] * 5
    assert "Summaries A and B read the same" in page()


def test_summaries_that_all_read_the_same_are_not_ranked() -> None:
    assert "d1-first-rank" in page()
    assert "d2-first-rank" not in page()


def test_an_empty_summary_is_told() -> None:
    assert page().count("(This summary is empty.)") == 1


def test_every_question_and_fault_has_words() -> None:
    assert list(WORDING) == list(Question)
    assert list(FAULTS) == list(FaultKind)


def test_every_label_and_link_leads_somewhere() -> None:
    found = Tags(page()).found
    ids = [attrs["id"] for _, attrs in found if "id" in attrs]
    assert len(ids) == len(set(ids))
    labels = {attrs["aria-labelledby"] for _, attrs in found if "aria-labelledby" in attrs}
    links = {(attrs["href"] or "")[1:] for _, attrs in found if "href" in attrs}
    assert labels | links <= set(ids)


def test_groups_and_ends_are_spoken() -> None:
    text = page()
    assert '<legend>Overall<span class="vh"> of summary A:</span>' in text
    assert '<span>1<span class="vh">, very poor</span></span>' in text
    assert '<span>5<span class="vh">, no errors</span></span>' in text


def test_paragraphs_of_the_article_are_kept() -> None:
    assert '<p dir="auto">A ferry sank.</p>\n<p dir="auto">Nobody was hurt.</p>' in page()


def test_page_fetches_nothing() -> None:
    text = page()
    assert "default-src 'none'" in text
    assert not re.search(r"https?:|url\((?!#)|@import|<link|<iframe|\ssrc=", text)


def test_text_of_the_user_is_never_markup() -> None:
    text = page([RatingItem(1, ATTACK, (ATTACK, f"{ATTACK}!"))])
    tags = Tags(text)
    names = [tag for tag, _ in tags.found]
    assert tags.opened == []
    assert (names.count("script"), names.count("img")) == (1, 0)
    assert not any(name.startswith("on") for _, attrs in tags.found for name in attrs)


PROBE = """
(async () => {
  const found = (name) => document.querySelector(name);
  const all = () => [...document.querySelectorAll(".rate:not([hidden]) .ask")];
  const press = (key) => document.activeElement
    .dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
  const shown = () => found(".rate:not([hidden])").id;
  const settled = () => new Promise((done) => setTimeout(done, 50));
  const told = () => found(".told").textContent;
  if (!sessionStorage.getItem("visit")) {
    sessionStorage.setItem("visit", "first");
    const seen = [shown(), told(), found(".how").open];
    const field = found(".name");
    field.value = "Ann / Lee";
    field.dispatchEvent(new Event("input"));
    all()[0].querySelector("input").focus();
    for (const key of "9x345212123401") press(key);
    const focused = document.activeElement.className;
    document.activeElement.click();
    await settled();
    const moved = [shown(), document.activeElement.id, document.title];
    sessionStorage.setItem("seen", JSON.stringify({seen, focused, moved}));
    location.reload();
    return;
  }
  const answers = JSON.parse(sessionStorage.getItem("seen"));
  answers.back = [shown(), told(), found(".name").value, found(".how").open];
  const number = (at) => found(`[href="#d${at}"]`);
  all()[0].querySelector("[value='2']").click();
  answers.partly = [number(1).className, number(2).className, number(2).textContent];
  const chosen = (ask) => ask.dataset.question === "misleading" ? 1 : 2;
  for (const ask of all()) ask.querySelector(`[value='${chosen(ask)}']`).click();
  const reason = found(".rate:not([hidden]) .reason");
  reason.value = "It never rained.";
  reason.dispatchEvent(new Event("change", {bubbles: true}));
  found(".rate:not([hidden]) .fault[value='filler']").click();
  number(3).click();
  await settled();
  all()[0].querySelector("[value='5']").click();
  answers.last = [found(".next").textContent, found(".next").disabled, found(".finish").hidden];
  answers.open = document.querySelectorAll(".article[open]").length;
  found(".article summary").click();
  await settled();
  answers.opened = document.querySelectorAll(".article[open]").length;
  const loaded = async (text) => {
    const list = new DataTransfer();
    list.items.add(new File([], "other.json"));
    File.prototype.text = async () => text;
    const input = found(".load input");
    input.files = list.files;
    input.dispatchEvent(new Event("change"));
    await settled();
    return told();
  };
  window.confirm = () => true;
  answers.refused = [await loaded("{"), await loaded("[1]"),
    await loaded('{"kind": "discobert-ratings", "sheet": "s2", "answers": {}}')];
  found(".save").click();
  answers.saved = told();
  const full = {};
  for (const number of [1, 2, 5]) {
    const whole = {overall: 1, coherence: 1, grammaticality: 1, informativeness: 1};
    Object.assign(whole, {misleading: 0, rank: 1});
    full[number] = {first: whole, second: whole};
  }
  answers.loaded = await loaded(JSON.stringify(
    {kind: "discobert-ratings", sheet: "s1", rater: "r", name: "Bo", answers: full}));
  answers.finished = [found(".finish").hidden, found("progress").value, found(".name").value];
  found(".anew").click();
  await settled();
  answers.anew = [told(), shown(), document.querySelectorAll(":checked").length];
  answers.fits = document.documentElement.scrollWidth <= innerWidth;
  document.title = JSON.stringify(answers);
})();
"""
"""What a rater does in two visits, and what the page answers."""


@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine")
def test_browser_keeps_counts_and_saves_answers(tmp_path: Path) -> None:
    ran = browse(with_probe(page(), PROBE), tmp_path, "--virtual-time-budget=9000", "--dump-dom")
    assert "CONSOLE" not in ran.stderr
    assert answer(ran) == {
        "seen": ["d1", "0 of 3 rated", True],
        "focused": "next",
        "moved": ["d2", "d2-name", "Document 2 of 3 · rating sheet"],
        "back": ["d2", "1 of 3 rated", "Ann / Lee", False],
        "partly": ["done", "part", "Document 2, partly rated"],
        "last": ["To the next unrated document", True, True],
        "open": 0,
        "opened": 3,
        "refused": [
            "other.json holds no saved ratings",
            "other.json holds no saved ratings",
            "other.json was saved from another sheet",
        ],
        "saved": "2 of 3 rated · saved as ratings-s1-Ann-Lee.json",
        "loaded": "3 of 3 rated · read from other.json",
        "finished": [False, 3, "Bo"],
        "anew": ["0 of 3 rated", "d1", 0],
        "fits": True,
    }
    saved = json.loads((tmp_path / "ratings-s1-Ann-Lee.json").read_text(encoding="utf-8"))
    assert (saved["format"], saved["kind"]) == (1, "discobert-ratings")
    assert (saved["sheet"], saved["key"], saved["name"]) == ("s1", "KEY", "Ann / Lee")
    asked = [*(question.value for question in Question), "rank"]
    both: dict[str, object] = {**dict.fromkeys(asked[:4], 2), "misleading": 1}
    both |= {"misleading_why": "It never rained.", "faults": ["filler"]}
    assert saved["answers"] == {
        "1": {
            "first": dict(zip(asked, (3, 4, 5, 2, 1, 2), strict=True)),
            "second": dict(zip(asked, (1, 2, 3, 4, 0, 1), strict=True)),
        },
        "2": {"first": both, "second": both},
        "5": {"first": {"overall": 5}},
    }


@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine")
def test_screenshot_shows_something_and_the_console_is_silent(tmp_path: Path) -> None:
    picture = tmp_path / "page.png"
    ran = browse(page(), tmp_path, f"--screenshot={picture}")
    assert "CONSOLE" not in ran.stderr
    data = picture.read_bytes()
    assert struct.unpack_from(">II", data, 16) == (600, 800)
    assert len(data) > 10_000  # a blank page has less than 5,000 bytes
