"""Our pages as a parser and as a real browser see them."""

import base64
import hashlib
import json
import re
import shutil
import subprocess
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("chrome")


class Tags(HTMLParser):
    """Every element with its attributes, and whether what was opened was closed."""

    VOID = ("meta", "br", "img", "path", "input")

    def __init__(self, page: str) -> None:
        super().__init__()
        self.opened: list[str] = []
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.opened.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.opened.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def with_probe(page: str, probe: str) -> str:
    """Let a script of ours act on the page, as its policy would not."""
    digest = base64.b64encode(hashlib.sha256(probe.encode()).digest()).decode()
    page = page.replace("script-src '", f"script-src 'sha256-{digest}' '", 1)
    return page.replace("</body>", f"<script>{probe}</script></body>")


def browse(page: str, folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Open the page; files that it saves end up in the folder."""
    file, settings = folder / "page.html", folder / "profile" / "Default" / "Preferences"
    file.write_text(page, encoding="utf-8")
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(json.dumps({"download": {"default_directory": str(folder)}}))
    return subprocess.run(
        [
            str(BROWSER),
            *"--headless --no-sandbox --disable-gpu --disable-quic --no-first-run".split(),
            *"--disable-background-networking --disable-component-update --disable-sync".split(),
            *"--enable-logging=stderr --window-size=600,800".split(),
            f"--user-data-dir={folder / 'profile'}",
            *arguments,
            file.as_uri(),
        ],
        capture_output=True,
        check=True,
        encoding="utf-8",
        timeout=100,
    )


def answer(ran: "subprocess.CompletedProcess[str]") -> Any:  # noqa: ANN401 - any JSON
    """Return what a probe has put into the title of the page."""
    title = re.search(r"<title>(.*)</title>", ran.stdout)
    assert title is not None
    return json.loads(unescape(title[1]))
