"""The rating sheet as a page: well-formed, silent, accessible, and working in a real browser."""

import json
import re
import struct
from pathlib import Path

import pytest
from tests.pages import BROWSER, Tags, answer, browse, with_probe

from discobert.data.rating import Place, Question
from discobert.render.rating_html import WORDING, RatingItem, render_rating_sheet

ITEMS = [
    RatingItem("A ferry sank.\n\nNobody was hurt.", "A ferry sank.", "Nobody was hurt."),
    RatingItem("It rained.", "It rained.", "It rained."),
    RatingItem("Ann met Bo.", "Ann met.", ""),
]
ATTACK = "</title></script><script>alert(1)</script><img/onerror=alert(1)>\"'"


def page(items: list[RatingItem] = ITEMS) -> str:
    return render_rating_sheet(items, sheet="s1", key="KEY")


def test_every_summary_has_every_question_on_the_whole_scale() -> None:
    radios = [attrs for tag, attrs in Tags(page()).found if attrs.get("type") == "radio"]
    names = {attrs["name"] for attrs in radios}
    first = {f"d1-{place.value}-{question.value}" for place in Place for question in Question}
    assert first <= names
    assert len(names) == 6 + 3 + 6
    assert [attrs["value"] for attrs in radios[:5]] == list("12345")


def test_summaries_that_read_the_same_are_rated_once() -> None:
    asks = [attrs for tag, attrs in Tags(page()).found if tag == "fieldset"]
    assert [attrs["data-place"] for attrs in asks[6:9]] == ["first second"] * 3
    assert "Summaries A and B read the same" in page()


def test_an_empty_summary_is_told() -> None:
    assert page().count("(This summary is empty.)") == 1


def test_questions_are_those_of_the_paper() -> None:
    assert [question.value for question in WORDING] == ["overall", "coherence", "grammaticality"]


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
    text = page([RatingItem(ATTACK, ATTACK, f"{ATTACK}!")])
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
    for (const key of "9x345123") press(key);
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
  for (const ask of all()) ask.querySelector("[value='2']").click();
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
  for (const number of [1, 2, 3]) {
    const whole = {overall: 1, coherence: 1, grammaticality: 1};
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
    twos = dict.fromkeys(("overall", "coherence", "grammaticality"), 2)
    assert saved["answers"] == {
        "1": {
            "first": {"overall": 3, "coherence": 4, "grammaticality": 5},
            "second": {"overall": 1, "coherence": 2, "grammaticality": 3},
        },
        "2": {"first": twos, "second": twos},
        "3": {"first": {"overall": 5}},
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
