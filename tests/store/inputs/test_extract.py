"""HTML and PDF to text, within limits."""

import io
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.store.inputs.pdfs import bomb, built, labyrinth, pdf

from discobert.errors import InputError, MissingExtra
from discobert.store.inputs import InputKind, child, extract
from discobert.store.inputs.extract import Limits, extract_text

PAGE = """<!DOCTYPE html><html><head><title>T</title><script>alert("no")</script></head><body>
<nav><a href="/">Home</a></nav><article><h1>Bridge closed</h1>
<p>The old bridge was closed on Monday after engineers found cracks in the steel of its deck.</p>
<p>The town writes &lt;script&gt;alert(1)&lt;/script&gt; on its page, which must stay text.</p>
<p>It will open again in spring, the mayor said, if the money for the repair is found by then.</p>
</article></body></html>"""


def read_pdf(data: bytes, limits: Limits | None = None) -> str:
    pytest.importorskip("pypdf", reason="needs the inputs extra")
    return extract_text(data, name="a.pdf", kind=InputKind.PDF, limits=limits)


def test_pages_of_a_pdf_follow_each_other() -> None:
    text = read_pdf(pdf(["The bridge was inter-", "nationally known."], ["It fell."]))
    assert text == "The bridge was internationally known.\n\fIt fell.\n"


def test_article_of_a_page_is_found_and_its_scripts_are_not() -> None:
    pytest.importorskip("trafilatura", reason="needs the inputs extra")
    text = child.html_text(PAGE.encode(), 9_999)
    assert "The old bridge was closed on Monday" in text
    assert "<script>alert(1)</script>" in text
    assert 'alert("no")' not in text
    assert "Home" not in text


@pytest.mark.parametrize(
    ("page", "most", "message"),
    [(b"<html></html>", 99, "no article was found"), (PAGE.encode(), 9, "more than 9 characters")],
)
def test_page_without_an_article_or_with_too_long_a_one_is_refused(
    page: bytes, most: int, message: str
) -> None:
    pytest.importorskip("trafilatura", reason="needs the inputs extra")
    with pytest.raises(child.NoText, match=message):
        child.html_text(page, most)


@pytest.mark.parametrize(("password", "opens"), [("secret", False), ("", True)])
def test_encrypted_pdf_is_refused_unless_it_opens_without_a_password(
    password: str, opens: bool
) -> None:
    pypdf = pytest.importorskip("pypdf", reason="needs the inputs extra")
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(pdf(["Text."])))
    writer.encrypt(password, owner_password="other", algorithm="RC4-128")
    file = io.BytesIO()
    writer.write(file)
    answer = child.extraction("pdf", file.getvalue(), 99)
    refusal = {"error": "is encrypted; save a copy without the password first"}
    assert answer == ({"text": "Text.\n"} if opens else refusal)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"%PDF-1.4 broken", "cannot be read as PDF: "),
        (built([b"0 0 m 9 9 l S"]), "holds no text"),
        (pdf(["a" * 80]), "holds more than 50 characters"),
    ],
)
def test_bad_pdf_is_one_clear_error(data: bytes, message: str) -> None:
    pytest.importorskip("pypdf", reason="needs the inputs extra")
    answer = child.extraction("pdf", data, 50)["error"]
    assert answer.startswith(message)
    assert "\n" not in answer


def test_memory_that_runs_out_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(data: bytes, most: int) -> str:
        raise MemoryError

    monkeypatch.setattr(child, "EXTRACTORS", {"pdf": fail})
    assert "more memory than is allowed" in child.extraction("pdf", b"", 9)["error"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("made", "size", "limits"),
    [
        (bomb, 1_000_000_000, Limits(seconds=20, memory=600_000_000)),
        (labyrinth, 3_000_000, Limits(seconds=1)),
    ],
)
def test_bombs_are_stopped(made: Callable[[int], bytes], size: int, limits: Limits) -> None:
    data = made(size)
    assert len(data) < 100_000
    with pytest.raises(InputError, match=r"a\.pdf: ") as caught:
        read_pdf(data, limits)
    assert "\n" not in str(caught.value)


def fake(monkeypatch: pytest.MonkeyPatch, answer: object) -> None:
    """Let the process end as given."""

    def run(*arguments: object, **options: object) -> object:
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr("discobert.store.inputs.extract.subprocess.run", run)
    monkeypatch.setattr(extract, "_PACKAGES", dict.fromkeys(InputKind, ()))


@pytest.mark.parametrize(
    "answer",
    [subprocess.TimeoutExpired("python", 1), subprocess.CompletedProcess((), -9, b"", b"")],
)
def test_process_that_was_killed_is_told(answer: object, monkeypatch: pytest.MonkeyPatch) -> None:
    fake(monkeypatch, answer)
    with pytest.raises(InputError, match=r"a: reading this PDF took more than 60 s or 1,500 MB"):
        extract_text(b"", name="a", kind=InputKind.PDF)


def test_refusal_names_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    fake(monkeypatch, subprocess.CompletedProcess((), 0, b'{"error": "is bad"}', b""))
    with pytest.raises(InputError, match=r"^a: is bad$"):
        extract_text(b"", name="a", kind=InputKind.HTML)


@pytest.mark.parametrize("kind", [InputKind.HTML, InputKind.PDF])
def test_too_large_a_file_is_refused_by_its_size(kind: InputKind) -> None:
    with pytest.raises(InputError, match=r"150,000,000 bytes of .* at most"):
        extract.check_size(150_000_000, name="a", kind=kind)


@pytest.mark.parametrize("kind", [InputKind.HTML, InputKind.PDF])
def test_missing_extra_is_named(kind: InputKind, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [])
    with pytest.raises(MissingExtra, match=r"pip install 'discobert\[inputs\]'"):
        extract_text(b"", name="a", kind=kind)


MARKER = "from pathlib import Path\nPath(__file__).with_suffix('.ran').touch()\n"


@pytest.mark.parametrize(
    ("kind", "data"), [(InputKind.PDF, pdf(["The bridge fell."])), (InputKind.HTML, PAGE.encode())]
)
@pytest.mark.parametrize("python_path", [None, "", "."])
def test_modules_of_the_working_directory_are_not_run(
    kind: InputKind,
    data: bytes,
    python_path: str | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for package in ("pypdf", "trafilatura", "lxml_html_clean"):
        pytest.importorskip(package, reason="needs the inputs extra")
    (tmp_path / "trafilatura").mkdir()
    for name in ("pypdf.py", "trafilatura/__init__.py", "logging.py", "json.py", "lxml.py"):
        (tmp_path / name).write_text(MARKER)
    monkeypatch.chdir(tmp_path)
    if python_path is not None:
        monkeypatch.setenv("PYTHONPATH", python_path)
        monkeypatch.setattr(sys, "path", [python_path, str(tmp_path), *sys.path])
    assert "bridge" in extract_text(data, name="a", kind=kind)
    assert list(tmp_path.rglob("*.ran")) == []
