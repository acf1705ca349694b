"""The standalone page with the drawn tree."""

import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings
from tests.builders import analysis, chain, doc, tree
from tests.strategies import analyses

from discobert.data.summary import Analysis
from discobert.render.trees.html import render_html

GOLDEN = Path(__file__).parents[2] / "golden" / "analysis.html"
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("chrome")

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


class Tags(HTMLParser):
    """Every element with its attributes, and whether what was opened was closed."""

    VOID = ("meta", "br", "link", "img", "input")

    def __init__(self, page: str) -> None:
        super().__init__()
        self.opened: list[str] = []
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.opened.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.opened.pop() == tag


def article(page: str) -> str:
    start, end = page.index("<article"), page.rindex("</article>")
    return f"{page[start:end]}</article>\n"


def test_small_tree_looks_as_agreed() -> None:
    found = article(render_html([SMALL]))
    if os.environ.get("DISCOBERT_UPDATE_GOLDEN"):
        GOLDEN.write_text(found, encoding="utf-8")
    assert found == GOLDEN.read_text(encoding="utf-8")


def test_page_fetches_nothing_and_runs_no_script_but_ours() -> None:
    page = render_html([SMALL])
    script = page[page.index("<script>") + 8 : page.rindex("</script>")]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert "default-src 'none'" in page
    assert f"script-src 'sha256-{digest}'" in page
    assert not re.search(r"https?:|url\(|@import|<link|<img|<iframe|\ssrc=", page)


def test_text_of_the_user_is_never_markup() -> None:
    attack = "</title></script><script>alert(1)</script><img/onerror=alert(1)>\"'"
    document = doc(f"[{attack}] [{attack}]", name=attack)
    page = render_html([Analysis(document, tree("NS", 0, 1, attack))])
    names = [tag for tag, _ in Tags(page).found]
    assert names.count("script") == 1
    assert "img" not in names
    assert not any(name.startswith("on") for _, attrs in Tags(page).found for name in attrs)


def test_several_analyses_share_a_page_with_contents() -> None:
    page = render_html([SMALL, SMALL])
    tags = Tags(page)
    ids = [attrs["id"] for _, attrs in tags.found if "id" in attrs]
    assert len(ids) == len(set(ids))
    assert {"d1", "d2", "d2e4"} <= set(ids)
    assert '<a href="#d2"' in page
    assert "<title>2 discourse analyses</title>" in page


def test_every_link_leads_somewhere() -> None:
    tags = Tags(render_html([SMALL]))
    ids = {attrs["id"] for _, attrs in tags.found if "id" in attrs}
    links = {attrs["href"] for _, attrs in tags.found if "href" in attrs}
    assert {link[1:] for link in links if link} <= ids


def test_one_edu_needs_neither_lines_nor_lists() -> None:
    found = article(render_html([analysis("[Stop.]")]))
    assert "line" not in re.findall(r'<i class="(\w+)', found)
    assert "<details" not in found
    assert "1 EDU · 0 levels · 0 coreference chains" in found


def test_long_and_deep_documents_are_drawn() -> None:
    document = doc(" ".join(f"[E{n}]" for n in range(3000)))
    found = article(render_html([Analysis(document, chain(3000))]))
    assert found.count('role="listitem"') == 3000
    assert found.count('class="line s down"') == 2999


@settings(max_examples=30)
@given(analyses())
def test_any_analysis_gives_a_well_formed_page(found: Analysis) -> None:
    assert Tags(render_html([found])).opened == []


PROBE = """
const enter = (selector) => document.querySelector(selector)
  .dispatchEvent(new MouseEvent("mouseover", {bubbles: true}));
document.querySelector(".coref").click();
enter("#d1e4 .m");
const lit = document.querySelectorAll(".doc .m.on").length;
enter("#d1e4 .rel");
const rows = [...document.querySelectorAll(".edu")].map((row) => row.classList.contains("other"));
const line = document.querySelector("[data-l='4']").getBoundingClientRect();
const first = document.getElementById("d1e0").getBoundingClientRect().top;
document.title = JSON.stringify({lit, rows, hot: document.querySelectorAll(".hot").length,
  spans: line.top > first && line.height > 50,
  fits: document.documentElement.scrollWidth <= innerWidth});
"""


@pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine")
def test_browser_draws_and_highlights_without_complaint(tmp_path: Path) -> None:
    page = render_html([SMALL])
    digest = base64.b64encode(hashlib.sha256(PROBE.encode()).digest()).decode()
    page = page.replace("script-src '", f"script-src 'sha256-{digest}' '", 1)
    file = tmp_path / "page.html"
    file.write_text(page.replace("</body>", f"<script>{PROBE}</script></body>"), encoding="utf-8")
    ran = subprocess.run(
        [
            str(BROWSER),
            *"--headless --no-sandbox --disable-gpu --disable-quic --no-first-run".split(),
            *"--disable-background-networking --disable-component-update --disable-sync".split(),
            *"--enable-logging=stderr --window-size=800,600 --dump-dom".split(),
            f"--user-data-dir={tmp_path / 'profile'}",
            file.as_uri(),
        ],
        capture_output=True,
        check=True,
        encoding="utf-8",
        timeout=100,
    )
    assert "CONSOLE" not in ran.stderr
    assert 'class="live"' in ran.stdout
    title = re.search(r"<title>(.*)</title>", ran.stdout)
    assert title is not None
    assert json.loads(title[1]) == {
        "lit": 2,
        "rows": [True, True, True, True, False],
        "hot": 2,
        "spans": True,
        "fits": True,
    }
