"""The New York Times corpus, on files written to its published format."""

import io
import tarfile
from pathlib import Path

import pytest

from discobert.errors import FormatError, InputError
from discobert.store.corpora.articles import Article
from discobert.store.corpora.entries import Rejected
from discobert.store.corpora.nitf import Nitf, parse_nitf
from discobert.store.corpora.nyt import (
    NytCorpus,
    article_number,
    clean_abstract,
    read_numbers,
    without_lead,
)

NITF = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE nitf SYSTEM "http://www.nitf.org/IPTC/NITF/3.3/specification/dtd/nitf-3-3.dtd">
<nitf change.date="June 10, 2005" change.time="19:30" version="-//IPTC//DTD NITF 3.3//EN">
  <head>
    <title>Ferry Sinks</title>
    <meta content="3" name="publication_day_of_month"/>
    <docdata><doc-id id-string="{number}"/><identified-content/></docdata>
  </head>
  <body>
    <body.head>
      <hedline><hl1>Ferry Sinks</hl1></hedline>
      <byline class="print_byline">By ANN EXAMPLE</byline>
      {abstract}
    </body.head>
    <body.content>
      <block class="lead_paragraph"><p>A ferry sank.</p></block>
      <block class="full_text">
        <p>LEAD: A ferry sank.</p>
        <p>A ferry sank.</p>
        <p>Nobody was
           hurt &amp; <em>all</em> swam.</p>
        <p> </p>
      </block>
      <block class="online_lead_paragraph"><p>Online.</p></block>
    </body.content>
  </body>
</nitf>
"""
ABSTRACT = "<abstract><p>Ferry sinks off coast; nobody is hurt; map; photos (M)</p></abstract>"


def nitf(number: int, abstract: str = ABSTRACT) -> bytes:
    return NITF.format(number=number, abstract=abstract).encode()


def archive(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    return out.getvalue()


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    january = {f"01/0{n}/000000{n}.xml": nitf(n) for n in range(3)}
    february = {"02/01/0000007.xml": nitf(7, abstract=""), "02/01/0000008.xml": b"<nitf>broken"}
    for month, files in (("01", january), ("02", february)):
        path = tmp_path / f"data/1987/{month}.tgz"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(archive(files))
    return tmp_path


def test_full_text_and_abstract_are_read() -> None:
    assert parse_nitf(nitf(1), name="1.xml") == Nitf(
        ("LEAD: A ferry sank.", "A ferry sank.", "Nobody was hurt & all swam."),
        ("Ferry sinks off coast; nobody is hurt; map; photos (M)",),
    )


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"<nitf>", "1.xml:1: broken XML"),
        (b"<html/>", "not NITF"),
        (b'<!DOCTYPE nitf [<!ENTITY a "b">]><nitf/>', "entity declarations are not allowed"),
    ],
)
def test_broken_files_are_named(data: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        parse_nitf(data, name="1.xml")


def test_a_list_takes_exactly_its_articles(corpus: Path) -> None:
    listing = corpus / "split.txt"
    listing.write_text("2\n1987/01/00/0000000.xml\n0000007.xml\n8\n99\n")
    found = NytCorpus(corpus, listing)
    first, third, unabstracted, broken = (located.entry for located in found.read())
    text = "A ferry sank.\nNobody was hurt & all swam."
    assert first == Article("0000000", "nyt", text, ("Ferry sinks off coast; nobody is hurt",))
    assert isinstance(third, Article)
    assert third.id == "0000002"
    assert isinstance(unabstracted, Article)
    assert unabstracted.reference == ()
    assert isinstance(broken, Rejected)
    assert broken.code == "malformed-xml"
    assert found.expected() == 5


def test_without_a_list_all_articles_with_abstracts_come(corpus: Path) -> None:
    found = list(NytCorpus(corpus).read())
    ids = [p.entry.id for p in found if isinstance(p.entry, Article)]
    assert ids == ["0000000", "0000001", "0000002"]
    assert NytCorpus(corpus).expected() is None


def test_archives_are_entered_anywhere(corpus: Path) -> None:
    reader = NytCorpus(corpus)
    everything = list(reader.read())
    for index, located in enumerate(everything):
        assert list(reader.read(located.location)) == everything[index:]


def test_the_archive_of_archives_is_unpacked_on_the_way(corpus: Path) -> None:
    months = {
        f"nyt_corpus/data/1987/{path.name}": path.read_bytes()
        for path in sorted((corpus / "data/1987").iterdir())
    }
    whole = corpus / "nyt_corpus_LDC2008T19.tgz"
    whole.write_bytes(archive({**months, "nyt_corpus/docs/readme.txt": b"read me"}))
    nested = [located.entry for located in NytCorpus(whole).read()]
    whole.rename(corpus / "elsewhere")
    assert nested == [located.entry for located in NytCorpus(corpus).read()]


def test_loose_files_are_read_too(tmp_path: Path) -> None:
    (tmp_path / "1234567.xml").write_bytes(nitf(1234567))
    (located,) = NytCorpus(tmp_path).read()
    assert isinstance(located.entry, Article)
    assert located.entry.id == "1234567"


def test_a_lead_is_dropped_only_if_it_is_said_again() -> None:
    assert without_lead(("LEAD: One.", "One. Two.")) == ("One. Two.",)
    assert without_lead(("LEAD: One.", "Two.")) == ("One.", "Two.")
    assert without_lead(("LEAD:", "Two.")) == ("Two.",)
    assert without_lead(("One.", "Two.")) == ("One.", "Two.")
    assert without_lead(()) == ()


@pytest.mark.parametrize(
    ("abstract", "cleaned"),
    [
        ("Ferry sinks; photo (S)", "Ferry sinks"),
        ("Ferry sinks; photos; map; chart (M)", "Ferry sinks"),
        ("Ferry sinks (L)", "Ferry sinks"),
        ("Ferry sinks. Drawing", "Ferry sinks"),
        ("Judge redraws map of districts", "Judge redraws map of districts"),
        ("photo", ""),
    ],
)
def test_librarians_notes_go(abstract: str, cleaned: str) -> None:
    assert clean_abstract(abstract) == cleaned


def test_numbers_come_from_names() -> None:
    assert article_number("1987/01/01/0000012.xml") == 12
    assert article_number("0000012") == 12
    assert article_number("twelve") is None


def test_a_list_of_something_else_is_refused(tmp_path: Path) -> None:
    listing = tmp_path / "split.txt"
    listing.write_text("12\nhttp://x\n")
    with pytest.raises(FormatError, match="names no article; a line is a number"):
        read_numbers(listing)


def test_missing_and_damaged_archives_are_input_errors(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file or folder"):
        list(NytCorpus(tmp_path / "none").read())
    damaged = tmp_path / "01.tgz"
    damaged.write_bytes(archive({"1.xml": nitf(1) * 99})[:-200])
    with pytest.raises(InputError, match="the archive cannot be read"):
        list(NytCorpus(damaged).read())
