"""Standalone HTML pages from templates, with a content policy that forbids anything external."""

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib import resources
from string import Template


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A kind of page: names of its templates, and whether it may show images."""

    styles: Sequence[str]
    scripts: Sequence[str]
    footer: str = ""
    """The template of its last lines, if any."""
    has_images: bool = False

    def fill(self, title: str, names: Sequence[str], articles: Sequence[str]) -> str:
        """Write the page; article N has the id dN. All but the articles is escaped here."""
        script = "".join(map(template, self.scripts))
        return Template(template("page.html")).substitute(
            title=escape(title),
            style="".join(map(template, self.styles)),
            script=script,
            script_hash=_hash(script),
            images="; img-src data:" if self.has_images else "",
            footer=template(self.footer) if self.footer else "",
            contents=_contents(names) if len(names) > 1 else "",
            articles="".join(articles),
        )


@cache
def template(name: str) -> str:
    """Read a template of the package."""
    path = resources.files("discobert.render") / "templates" / name
    return path.read_text(encoding="utf-8")


def _hash(script: str) -> str:
    digest = hashlib.sha256(script.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def _contents(names: Sequence[str]) -> str:
    links = (
        f'<li><a href="#d{number}" dir="auto">{escape(name)}</a></li>'
        for number, name in enumerate(names, start=1)
    )
    return f'<nav class="contents" aria-label="Documents"><ol>{"".join(links)}</ol></nav>\n'
