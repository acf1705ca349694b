"""The page of the service in a real browser, with a real server process."""

import json
import os
import random
import re
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from tests.pages import BROWSER, Tags
from tests.serve.running import ready
from tests.webdriver import DRIVER, Browser, browser

from discobert.data.codecs.analysis import encode_tree
from discobert.data.explanation import CHOSEN, LEFT
from discobert.data.rst import Branch, Leaf, Nuclearity, RstTree
from discobert.render.trees.brackets import draw
from discobert.render.trees.rst_groups import group_nuclei

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (BROWSER and DRIVER), reason="no Chromium or no chromedriver here"),
]
TEXT = (
    "The ferry to Skell Island will run twice a day from May, the council said on Monday. "
    "It stopped last year, when its only engine failed. Ann Lee, who lives on the island, "
    "waited for months. She said that nobody had told her why the repair took so long.\n\n"
    "The new engine cost 90,000 pounds. A fund for small harbours paid for most of it, although "
    "the council had to sell a boat. Passengers will pay two pounds, and children travel free. "
    "The first ferry leaves at eight in the morning and the last one returns at six."
)
ATTACKS = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "</textarea><script>alert(1)</script>",
    "javascript:alert(1)",
    "{{constructor.constructor('alert(1)')()}}",
    "<iframe srcdoc='<script>parent.alert(1)</script>'>",
    "<a href=javascript:alert(1)>x</a>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
)
SHOWN = (
    "!document.getElementById('result').hidden"
    " && document.getElementById('digest').ariaBusy !== 'true'"
)

ANSWERS = "performance.getEntriesByName('discobert-answer')"


@pytest.fixture(scope="module")
def service() -> Iterator[str]:
    pytest.importorskip("fastapi")
    with ready("--workers", "1") as running:
        yield f"http://127.0.0.1:{running.port}/"


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("browser")) as opened:
        yield opened


@pytest.fixture
def page(session: Browser, service: str) -> Iterator[Browser]:
    session.open(service)
    session.until("document.documentElement.classList.contains('live')")
    session.complaints()
    yield session
    assert session.complaints() == []


def summarize(page: Browser, text: str = TEXT) -> None:
    put_in(page, text)
    page.until(SHOWN)


def put_in(page: Browser, text: str) -> None:
    page.run(
        "const field = document.getElementById('text'); field.value = arguments[0];"
        "field.dispatchEvent(new Event('input')); document.getElementById('go').click();",
        text,
    )


def texts(page: Browser, selector: str) -> list[str]:
    found: list[str] = page.run(
        "return [...document.querySelectorAll(arguments[0])].map((each) => each.textContent)",
        selector,
    )
    return found


def move(page: Browser, *words: int) -> None:
    page.run(
        "const slider = document.getElementById('words');"
        "for (const value of arguments[0]) { slider.value = value;"
        " slider.dispatchEvent(new Event('input')); }",
        words,
    )


def n_words(page: Browser) -> int:
    found = re.match(r"(\d+) of", texts(page, "#facts")[0])
    assert found is not None
    return int(found[1])


def answer(page: Browser, status: int, code: str, headers: dict[str, str] | None = None) -> None:
    """Let the service answer so until ``window.fetch`` is ``realFetch`` again."""
    page.run(
        "window.realFetch ||= window.fetch; const [status, body, headers] = arguments;"
        "window.fetch = async () => { if (status === 0) throw new TypeError('down');"
        " return new Response(body, {status, headers}); };",
        status,
        json.dumps({"error": {"code": code, "message": f"it is {code}"}}),
        headers or {},
    )


def heal(page: Browser) -> None:
    page.run("window.fetch = window.realFetch")


def test_a_typed_text_is_summarised(page: Browser) -> None:
    page.type(
        "#text", "It rained all day long. The match was called off, because the pitch was wet."
    )
    page.press("\ue009")  # control
    page.run("document.getElementById('form').requestSubmit()")
    page.until(SHOWN)
    assert texts(page, "#lines li")
    assert texts(page, "#result-title") == ["It rained all day long."]
    assert "source" in page.run("return document.activeElement.closest('article') && 'source'")


def test_source_is_whole_and_what_is_chosen_is_marked(page: Browser) -> None:
    summarize(page)
    assert " ".join(texts(page, "#source-text > *")).split() == TEXT.split()
    chosen = " ".join(texts(page, ".source .u.in"))
    assert 10 < len(chosen.split()) <= 90
    assert len(texts(page, "#source-text p")) == 2
    assert texts(page, "#why")[0].startswith("The summary ends here because ")


def test_the_newest_length_wins(page: Browser) -> None:
    summarize(page)
    move(page, 20, 90, 45, 30)
    assert texts(page, "#words-told") == ["up to 30 words"]
    page.until("document.getElementById('facts').textContent.match(/^\\d+/)[0] <= 30")
    page.until(SHOWN)
    assert n_words(page) <= 30


def test_one_request_at_a_time_follows_the_slider(page: Browser) -> None:
    summarize(page)
    page.run(
        "window.asked = []; const real = window.fetch; window.fetch = async (path, options) => {"
        " window.asked.push(JSON.parse(options.body).words);"
        " await new Promise((done) => { window.goOn = done; }); return real(path, options); };"
    )
    move(page, 20, 90, 45)
    assert page.run("return window.asked") == [20]
    page.run("window.goOn()")
    page.until("window.asked.length === 2")
    move(page, 30)
    page.run("window.goOn()")
    page.until("window.asked.length === 3")
    page.run("window.goOn()")
    page.until(SHOWN)
    assert page.run("return window.asked") == [20, 45, 30]
    assert n_words(page) <= 30


def test_the_slider_answers_after_a_refusal(page: Browser) -> None:
    summarize(page)
    answer(page, 500, "fault")
    move(page, 20)
    page.until("!document.getElementById('state').hidden")
    heal(page)
    move(page, 25)
    page.until("document.getElementById('facts').textContent.match(/^\\d+/)[0] <= 25")
    page.until("document.getElementById('state').hidden")


def test_the_style_switch_answers(page: Browser) -> None:
    summarize(page)
    page.run(
        "window.asked = []; const real = window.fetch; window.fetch = (path, options) => {"
        " window.asked.push(JSON.parse(options.body)); return real(path, options); };"
        "document.querySelector('[value=paper]').click()"
    )
    page.until(f"window.asked.length && {SHOWN}")
    (asked,) = page.run("return window.asked")
    assert asked == {"text": TEXT, "name": "text", "words": 80, "style": "paper", "include": []}
    assert n_words(page) <= 80


def test_a_line_leads_to_its_place_from_any_tab(page: Browser) -> None:
    summarize(page)
    page.run("document.getElementById('tab-tree').click()")
    assert page.run("return document.getElementById('panel-source').hidden")
    unit = page.run(
        "const links = document.querySelectorAll('#lines a'); const link = links[links.length - 1];"
        "link.click(); return link.hash.slice(1)"
    )
    assert page.run("return document.activeElement.id") == unit
    assert not page.run("return document.getElementById('panel-source').hidden")
    told = texts(page, "#tip p")
    assert told[0].startswith("Chosen ")
    assert told[1].startswith("Score 0.")
    assert (
        page.run(
            "return document.getElementById(arguments[0]).ariaDescribedByElements?.length"
            " !== 0 && document.querySelectorAll('#lines a.here').length",
            unit,
        )
        == 1
    )


def test_pieces_are_walked_with_the_arrow_keys(page: Browser) -> None:
    summarize(page)
    page.run("document.querySelector('.source .u[tabindex=\"0\"]').focus()")
    first = page.run("return document.activeElement.id")
    page.press("\ue014")  # right
    assert page.run("return document.activeElement.id") == f"u{int(first[1:]) + 1}"
    assert not page.run("return document.getElementById('tip').hidden")
    page.press("\ue00c")  # escape
    assert page.run("return document.getElementById('tip').hidden")
    assert page.run("return document.querySelectorAll('.source .u[tabindex=\"0\"]').length") == 1


def test_tabs_show_tree_chains_and_graphs(page: Browser) -> None:
    summarize(page)
    page.run("document.getElementById('tab-source').focus()")
    page.press("\ue014")
    assert page.run("return document.activeElement.id") == "tab-tree"
    rows = texts(page, "#tree .edu .text")
    assert " ".join(rows).split() == TEXT.split()
    assert len(texts(page, "#tree .line.end")) == len(rows) - 1
    assert 0 < len(texts(page, "#tree .edu.chosen")) < len(rows)
    page.press("\ue014")
    assert " ".join(texts(page, "#chains-text > *")).split() == TEXT.split()
    assert texts(page, "#chains button")
    page.run("document.querySelector('#chains button').click()")
    assert len(texts(page, "#chains-text .m.on")) > 1
    page.press("\ue014")
    label = page.run("return document.getElementById('graph-rst').ariaLabel")
    assert label.startswith(f"RST graph: {len(rows) - 1} cells of {len(rows)} by {len(rows)}")


def test_characters_beyond_the_first_plane_keep_their_places(page: Browser) -> None:
    text = "😀😀 Ann met Bo in Rome. 😀 She liked him. They married, and all friends sang 🎶."
    summarize(page, text)
    assert " ".join(texts(page, "#source-text > *")) == text
    page.run("document.getElementById('tab-tree').click()")
    assert " ".join(texts(page, "#tree .edu .text")).split() == text.split()
    page.run("document.getElementById('tab-chains').click()")
    assert " ".join(texts(page, "#chains-text > *")) == text


@pytest.mark.parametrize("attack", ATTACKS)
def test_text_of_the_user_is_never_markup(page: Browser, attack: str) -> None:
    page.run("window.hit = 0; window.alert = () => { window.hit += 1; }")
    before = page.run("return document.querySelectorAll('script, img, iframe, svg').length")
    summarize(page, f"{attack}\n\nAnn saw {attack} and she left. Bo came, because he was asked.")
    for tab in ("tree", "chains", "graphs", "source"):
        page.run(f"document.getElementById('tab-{tab}').click()")
    assert page.run("return document.querySelectorAll('script, img, iframe, svg').length") == before
    assert page.run("return document.querySelectorAll('main a[href^=javascript]').length") == 0
    assert page.run("return window.hit") == 0
    assert attack.split()[0] in texts(page, "#source-text")[0]


def test_a_file_is_read_and_its_name_is_never_markup(page: Browser, tmp_path: Path) -> None:
    page.run("window.hit = 0; window.alert = () => { window.hit += 1; }")
    file = tmp_path / "<img src=x onerror=alert(1)>.md"
    file.write_text(f"# Ferry <b>news</b>\n\n{TEXT}\n", encoding="utf-8")
    page.type("#file", str(file))
    page.until(SHOWN)
    assert file.name in texts(page, "#facts")[0]
    assert texts(page, "#source-text h3")[0].startswith("Ferry")
    assert page.run("return document.querySelectorAll('main img').length") == 0
    assert page.run("return window.hit") == 0


def test_a_file_may_be_dropped_anywhere(page: Browser) -> None:
    page.run(
        "const data = new DataTransfer(); data.items.add(new File([arguments[0]], 'ferry.txt'));"
        "const drag = (type) => dispatchEvent(new DragEvent(type,"
        " {dataTransfer: data, bubbles: true, cancelable: true}));"
        "drag('dragover'); window.over = !document.getElementById('drop').hidden; drag('drop');",
        TEXT,
    )
    page.until(SHOWN)
    assert page.run("return window.over")
    assert page.run("return document.getElementById('drop').hidden")
    assert "ferry.txt" in texts(page, "#facts")[0]


def test_downloads_are_what_the_command_writes(page: Browser) -> None:
    summarize(page)
    page.run(
        "window.saved = []; URL.createObjectURL = (blob) => {"
        " blob.text().then((text) => window.saved.push(text)); return '#'; };"
    )
    for number, form in enumerate(("json", "markdown", "html"), start=1):
        page.run(f"document.querySelector('[data-save={form}]').click()")
        page.until(f"window.saved.length === {number}")
    as_json, as_markdown, as_html = page.run("return window.saved")
    found: Any = json.loads(as_json)
    assert found["sentences"] == [line.rpartition(" ")[0] for line in cited(page)]
    assert as_markdown.startswith("## ")
    assert "### Source" in as_markdown
    assert "<!DOCTYPE html>" in as_html
    assert Tags(as_html).opened == []


def cited(page: Browser) -> list[str]:
    """Return the lines with the number of their sentence, without what only screen readers say."""
    found: list[str] = page.run(
        "return [...document.querySelectorAll('#lines li')].map((item) => {"
        " const copy = item.cloneNode(true);"
        " for (const hidden of copy.querySelectorAll('.vh')) hidden.remove();"
        " return copy.textContent; })"
    )
    return found


def test_copy_puts_the_summary_on_the_clipboard(page: Browser) -> None:
    summarize(page)
    page.run("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    page.run("document.getElementById('copy').click()")
    page.until("window.copied")
    shown = " ".join(line.rpartition(" ")[0] for line in cited(page))
    assert page.run("return window.copied") == shown
    assert texts(page, "#told") == ["The summary was copied."]


def test_an_empty_text_is_told(page: Browser) -> None:
    put_in(page, " … \n")
    assert texts(page, "#compose-state p")[0] == "There is no text yet."
    assert page.run("return document.activeElement.id") == "text"


def test_a_text_that_is_too_long_is_told_with_the_limit(page: Browser) -> None:
    answer(page, 413, "too-large")
    put_in(page, TEXT)
    page.until("!document.getElementById('compose-state').hidden")
    assert texts(page, "#compose-state p") == [
        "This text is too long for the service.",
        "It is too-large.",
    ]


def test_a_busy_service_is_tried_again_after_the_time_it_asks_for(page: Browser) -> None:
    answer(page, 429, "busy", {"Retry-After": "1"})
    put_in(page, TEXT)
    page.until("!document.getElementById('compose-state').hidden")
    assert texts(page, "#compose-state p")[0] == "The service is busy."
    assert texts(page, "#compose-state p")[1].startswith("Trying again in ")
    heal(page)
    page.until(SHOWN)
    assert page.run("return document.getElementById('state').hidden")


def test_a_service_that_is_gone_is_waited_for(page: Browser) -> None:
    summarize(page)
    answer(page, 0, "gone")
    move(page, 20)
    page.until("!document.getElementById('state').hidden")
    assert texts(page, "#state p")[0] == "The service does not answer."
    heal(page)
    page.until("document.getElementById('state').hidden")
    page.until("document.getElementById('facts').textContent.match(/^\\d+/)[0] <= 20")


def test_a_token_is_asked_for_and_sent(page: Browser) -> None:
    answer(page, 401, "unauthorized")
    put_in(page, TEXT)
    page.until("document.querySelector('#compose-state input')")
    page.run(
        "window.fetch = (path, options) => { if (path === '/v1/summarize')"
        " window.sent = options.headers.Authorization; return window.realFetch(path, options); };"
        "document.querySelector('#compose-state input').value = 's3cret';"
        "document.querySelector('#compose-state form').requestSubmit();"
    )
    page.until(SHOWN)
    assert page.run("return window.sent") == "Bearer s3cret"
    page.run("sessionStorage.clear()")


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (1440, "dark")])
def test_page_fits_phones_and_follows_the_colour_scheme(
    page: Browser, width: int, scheme: str, tmp_path: Path
) -> None:
    page.command(
        "Emulation.setDeviceMetricsOverride",
        width=width,
        height=844,
        deviceScaleFactor=1,
        mobile=width < 600,
    )
    page.command(
        "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}]
    )
    pictures = Path(os.environ.get("DISCOBERT_PICTURES", tmp_path))
    try:
        summarize(page)
        for tab in ("tree", "chains", "graphs", "source"):
            page.run(f"document.getElementById('tab-{tab}').click()")
            assert page.run("return document.documentElement.scrollWidth <= innerWidth"), tab
            page.screenshot(pictures / f"{width}-{tab}.png")
        paper = page.run("return getComputedStyle(document.documentElement).backgroundColor")
        assert paper == {"light": "rgb(250, 250, 248)", "dark": "rgb(17, 20, 22)"}[scheme]
    finally:
        page.command("Emulation.clearDeviceMetricsOverride")
        page.command("Emulation.setEmulatedMedia", features=[])


def test_the_way_back_leads_to_the_text(page: Browser) -> None:
    summarize(page)
    page.run("history.back()")
    page.until("!document.getElementById('compose').hidden")
    assert page.run("return document.getElementById('text').value") == TEXT
    page.run("history.forward()")
    page.until(SHOWN)


def test_the_slider_answers_fast(page: Browser) -> None:
    summarize(page, "\n\n".join([TEXT] * 10))  # about 1,000 words
    page.run("performance.clearMeasures()")
    for words in (40, 60, 100, 150, 200):
        page.run("performance.clearMeasures()")
        move(page, words)
        page.until(f"{ANSWERS}.length")
        assert (
            page.run("return performance.getEntriesByName('discobert-answer')[0].duration") < 1500
        )


def random_tree(rng: random.Random, start: int, end: int) -> RstTree:
    if end == start + 1:
        return Leaf(start)
    middle = rng.randint(start + 1, end - 1)
    kind = rng.choice([*Nuclearity, Nuclearity.BOTH])
    left, right = random_tree(rng, start, middle), random_tree(rng, middle, end)
    return Branch(rng.choice(["joint", "list"]), kind, left, right)


@pytest.mark.parametrize("seed", range(5))
def test_trees_are_laid_out_as_on_standalone_pages(page: Browser, seed: int) -> None:
    tree = random_tree(random.Random(seed), 0, 40)
    drawing = draw(group_nuclei(tree))
    expected = [
        each and [each.child.head, each.sibling.head, each.level, each.relation, each.continues]
        for each in drawing.brackets
    ]
    found = page.run(
        "return import('/static/pictures.js').then(({groupNuclei, layOut}) => {"
        " const {brackets, stems, levels} = layOut(groupNuclei(arguments[0]));"
        " return {stems, levels, brackets: brackets.map((each) => each &&"
        " [each.child.head, each.sibling.head, each.level, each.relation, each.more])}; })",
        encode_tree(tree),
    )
    assert found == {
        "stems": list(drawing.stems),
        "levels": drawing.levels,
        "brackets": expected,
    }


def reasons(name: str) -> set[str]:
    """Return the reasons that the script has words for."""
    file = resources.files("discobert.serve") / "static" / "reading.js"
    script = file.read_text("utf-8")
    table = re.search(rf"const {name} = \{{(.*?)\n\}};", script, re.DOTALL)
    assert table is not None
    return {key.strip('"') for key in re.findall(r'^  ("[^"]*"|\w+):', table[1], re.MULTILINE)}


def test_the_page_has_words_for_every_reason() -> None:
    assert reasons("CHOSEN") == set(CHOSEN)
    assert reasons("LEFT") == set(LEFT)
