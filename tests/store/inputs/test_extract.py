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
from discobert.store.inputs.extract import ReadingLimits, extract_text

PAGE = """<!DOCTYPE html><html><head><title>T</title><script>alert("no")</script></head><body>
<nav><a href="/">Home</a></nav><article><h1>Bridge closed</h1>
<p>The old bridge was closed on Monday after engineers found cracks in the steel of its deck.</p>
<p>The town writes &lt;script&gt;alert(1)&lt;/script&gt; on its page, which must stay text.</p>
<p>It will open again in spring, the mayor said, if the money for the repair is found by then.</p>
</article></body></html>"""


def read_pdf(data: bytes, limits: ReadingLimits | None = None) -> str:
    pytest.importorskip("pypdf", reason="needs the inputs extra")
    return extract_text(data, name="a.pdf", kind=InputKind.PDF, limits=limits).text


def test_pages_of_a_pdf_follow_each_other() -> None:
    text = read_pdf(pdf(["The bridge was inter-", "nationally known."], ["It fell."]))
    assert text == "The bridge was internationally known.\n\nIt fell.\n"


def test_letters_without_a_meaning_are_told() -> None:
    pytest.importorskip("pypdf", reason="needs the inputs extra")
    for line, codes in (("A \x95\x9e\x9f\x9e of", ["unreadable-letters"]), ("A file of", [])):
        found = extract_text(pdf([line]), name="a.pdf", kind=InputKind.PDF)
        assert [note.code for note in found.markup.notes] == codes


def test_article_of_a_page_is_found_and_its_scripts_are_not() -> None:
    pytest.importorskip("trafilatura", reason="needs the inputs extra")
    text = "\n".join(block for _, block in child.html_blocks(PAGE.encode(), 9_999)["blocks"])
    assert "The old bridge was closed on Monday" in text
    assert "<script>alert(1)</script>" in text
    assert 'alert("no")' not in text
    assert "Home" not in text


PROSE = [
    "The old bridge was closed on Monday after engineers found cracks in the steel of its deck.",
    "It will open again in spring, the mayor said, if the money for the repair is found by then.",
    "Drivers have to take the ferry until then, which costs more and takes an hour longer.",
]
TEASERS = f"""<!DOCTYPE html><html><body><article><h1>Bridge closed</h1>
{"".join(f"<p>{each}</p>" for each in PROSE)}
<div class="Related-Posts"><p><a href="/a">Ferry prices rise again as demand grows</a></p></div>
<h2>What is next</h2><p>The council meets about the <a href="/x">money</a> on Tuesday evening.</p>
<ul><li>First the deck will be taken off by a crane that comes by sea.</li></ul>
<h3>Read more</h3><ul><li><a href="/b">Mayor admits the bridge was known to be weak</a></li>
<li><a href="/c">Ten bridges that fell into the sea</a></li></ul></article></body></html>"""


def test_teasers_of_other_articles_are_left_out_of_a_page() -> None:
    pytest.importorskip("trafilatura", reason="needs the inputs extra")
    assert child.html_blocks(TEASERS.encode(), 9_999)["blocks"] == [
        ["heading", "Bridge closed"],
        *([None, each] for each in PROSE),
        ["heading", "What is next"],
        [None, "The council meets about the money on Tuesday evening."],
        ["list-item", "First the deck will be taken off by a crane that comes by sea."],
    ]


SMALL_PAGES = {
    "<nav>Home | About</nav><p>It was <em>closed</em>.</p>": [[None, "It was closed."]],
    "<header><a href='/'>News</a></header><p>It rained.</p><footer>Help</footer>": [
        [None, "It rained."]
    ],
    "<nav>A | long | menu | of | many | words</nav><article><h1>Rain</h1><p>It rained.</p><ul>"
    "<li>in May</li></ul></article><aside>Ads</aside>": [
        ["heading", "Rain"],
        [None, "It rained."],
        ["list-item", "in May"],
    ],
    "It rained.<br>He <b>left</b>.": [[None, "It rained. He left."]],
    "<p>It rained.<br/>He left.</p>": [[None, "It rained. He left."]],
}


@pytest.mark.parametrize("page", SMALL_PAGES)
def test_menus_and_headings_of_a_small_page_are_not_part_of_its_paragraphs(page: str) -> None:
    pytest.importorskip("trafilatura", reason="needs the inputs extra")
    whole = f"<html><body>{page}</body></html>".encode()
    assert child.html_blocks(whole, 9_999)["blocks"] == SMALL_PAGES[page]


def test_page_that_lies_in_an_element_named_like_a_teaser_is_read() -> None:
    pytest.importorskip("trafilatura", reason="needs the inputs extra")
    page = PAGE.replace("<article>", '<div class="promo">').replace("</article>", "</div>")
    blocks = child.html_blocks(page.encode(), 9_999)["blocks"]
    assert any("The old bridge was closed" in text for _, text in blocks)


def word_file(*, text: bool = True) -> bytes:
    docx = pytest.importorskip("docx", reason="needs the inputs extra")
    document = docx.Document()
    if text:
        document.add_heading("The bridge", level=1)
        document.add_paragraph("It was closed on Monday.")
        document.add_paragraph("It is old.", style="List Bullet")
        document.add_paragraph("The bridge at dusk", style="Caption")
    document.add_table(rows=1, cols=1).cell(0, 0).text = "cell"
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def test_paragraphs_of_a_word_file_have_their_roles() -> None:
    found = extract_text(word_file(), name="a.docx", kind=InputKind.DOCX)
    assert found.text == (
        "The bridge\n\nIt was closed on Monday.\n\nIt is old.\n\nThe bridge at dusk\n"
    )
    roles = [(each.kind.value, each.span.of(found.text)) for each in found.markup.segments]
    assert roles == [
        ("heading", "The bridge"),
        ("list-item", "It is old."),
        ("caption", "The bridge at dusk"),
    ]
    assert [note.message for note in found.markup.notes] == ["1 table was left out"]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: word_file(text=False), "holds no text outside of tables"),
        (lambda: b"PK\x03\x04 broken", "cannot be read as DOCX"),
    ],
)
def test_bad_word_file_is_one_clear_error(make: Callable[[], bytes], message: str) -> None:
    pytest.importorskip("docx", reason="needs the inputs extra")
    assert child.extraction("docx", make(), 99)["error"].startswith(message)


@pytest.mark.parametrize(
    ("page", "most", "message"),
    [(b"<html></html>", 99, "no article was found"), (PAGE.encode(), 9, "more than 9 characters")],
)
def test_page_without_an_article_or_with_too_long_a_one_is_refused(
    page: bytes, most: int, message: str
) -> None:
    pytest.importorskip("trafilatura", reason="needs the inputs extra")
    with pytest.raises(child.NoText, match=message):
        child.html_blocks(page, most)


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
    assert answer == refusal if not opens else answer["pages"][0][0][-1] == "Text.\n"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"%PDF-1.4 broken", "cannot be read as PDF: Stream has ended unexpectedly; it may be"),
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
    def fail(data: bytes, most: int) -> child.Found:
        raise MemoryError

    monkeypatch.setattr(child, "EXTRACTORS", {"pdf": fail})
    assert "more memory than is allowed" in child.extraction("pdf", b"", 9)["error"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("made", "size", "limits"),
    [
        (bomb, 1_000_000_000, ReadingLimits(seconds=20, memory=600_000_000)),
        (labyrinth, 3_000_000, ReadingLimits(seconds=1)),
    ],
)
def test_bombs_are_stopped(made: Callable[[int], bytes], size: int, limits: ReadingLimits) -> None:
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


@pytest.mark.parametrize(
    ("code", "said", "message"),
    [
        (1, b"Traceback\nImportError: no such thing\n", "ended with code 1: ImportError: no such"),
        (-11, b"", "was ended by SIGSEGV; extract its text first"),
        (-99, b"", "was ended by signal 99"),
    ],
)
def test_process_that_crashes_is_no_timeout(
    code: int, said: bytes, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake(monkeypatch, subprocess.CompletedProcess((), code, b"", said))
    with pytest.raises(InputError, match=rf"^a: the process that reads this PDF {message}"):
        extract_text(b"", name="a", kind=InputKind.PDF)


@pytest.mark.parametrize("kind", [InputKind.HTML, InputKind.PDF])
def test_too_large_a_file_is_refused_by_its_size(kind: InputKind) -> None:
    with pytest.raises(InputError, match=r"150,000,000 bytes of .* at most"):
        extract.check_size(150_000_000, name="a", kind=kind)


@pytest.mark.parametrize("kind", [InputKind.HTML, InputKind.PDF, InputKind.DOCX])
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
    assert "bridge" in extract_text(data, name="a", kind=kind).text
    assert list(tmp_path.rglob("*.ran")) == []


def test_places_that_are_no_numbers_are_read() -> None:
    pytest.importorskip("pypdf", reason="needs the inputs extra")
    content = b"BT /F1 12 Tf 1e300 0 0 1e300 1e300 1e300 Tm (The bridge fell.) Tj ET"
    found = child.extraction("pdf", built([content]), 99)
    assert [chunk[-1].strip() for page in found["pages"] for chunk in page] == ["The bridge fell."]


def test_page_in_too_many_pieces_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pypdf", reason="needs the inputs extra")
    monkeypatch.setattr(child, "_MOST_CHUNKS", 2)
    found = child.extraction("pdf", pdf(["One.", "Two.", "Three."]), 999)
    assert found == {"error": "draws a page in more than 2 pieces"}


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (30, 30))
resource.setrlimit(resource.RLIMIT_AS, (700_000_000, 700_000_000))
from discobert.store.inputs.extract import extract_text
from discobert.store.inputs.kinds import InputKind
data = b"From: a@b.org\\nSubject: Rain\\n\\nIt rained all day.\\n"
sys.stdout.write(extract_text(data, name="a.eml", kind=InputKind.EMAIL).text)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs limits on memory")
def test_lower_limits_of_the_system_are_kept() -> None:
    ran = subprocess.run([sys.executable, "-c", LIMITED], capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "It rained all day." in ran.stdout
