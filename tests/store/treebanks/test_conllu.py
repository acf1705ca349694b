"""CoNLL-U on the characters of its texts."""

import io
import tarfile
from pathlib import Path

import pytest

from discobert.data.document import Span
from discobert.errors import InputError
from discobert.store.treebanks.conllu import UdToken, conllu_documents, read_ewt


def word(number: str, form: str, upos: str, head: str, relation: str) -> str:
    return "\t".join([number, form, form, upos, "_", "_", head, relation, "_", "_"])


RAIN = [
    "# newdoc id = a",
    "# newpar",
    "# text = It didn't rain.",
    word("1", "It", "PRON", "4", "nsubj"),
    word("2-3", "didn't", "_", "_", "_"),
    word("2", "did", "AUX", "4", "aux"),
    word("3", "n't", "PART", "4", "advmod"),
    word("4", "rain", "VERB", "0", "root"),
    word("4.1", "it", "_", "_", "_"),
    word("5", ".", "PUNCT", "4", "punct"),
]
SUN = [
    "# text = Sun!",
    word("1", "Sun", "NOUN", "0", "root"),
    word("2", "!", "PUNCT", "1", "punct"),
]
FILE = "\n".join([*RAIN, "", *SUN, "", "# newpar", *SUN, "", "# newdoc", *SUN, "", ""])


def test_documents_paragraphs_and_tokens_are_placed() -> None:
    first, second = conllu_documents(FILE, name="f")
    assert first.source.text == "It didn't rain. Sun!\nSun!"
    assert first.sentences.sentences == (Span(0, 15), Span(16, 20), Span(21, 25))
    assert first.sentences.paragraphs == (0, 2)
    assert first.tokens[0] == (
        UdToken(0, "PRON", 4, "nsubj"),
        UdToken(3, "AUX", 4, "aux"),
        UdToken(6, "PART", 4, "advmod"),
        UdToken(10, "VERB", 0, "root"),
        UdToken(14, "PUNCT", 4, "punct"),
    )
    assert [token.start for token in first.tokens[2]] == [21, 24]
    assert (second.source.id, second.source.text) == ("f-1", "Sun!")


def test_a_form_that_is_not_in_the_text_stays_where_the_last_one_ended() -> None:
    lines = ["# text = wanna go", word("1", "want", "VERB", "0", "root")]
    lines += [word("2", "to", "PART", "3", "mark"), word("3", "go", "VERB", "1", "xcomp")]
    [found] = conllu_documents("\n".join(lines), name="f")
    assert [token.start for token in found.tokens[0]] == [0, 0, 6]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["# text = a", "1\ta"], "f, line 2: 2 columns, expected 10"),
        ([word("1", "a", "X", "0", "root")], "a sentence without a line '# text ='"),
        (["# text = a", word("1", "a", "X", "2", "dep")], "must be a number up to 1, got '2'"),
        (["# text = a", word("1", "a", "X", "_", "dep")], "got '_'"),
    ],
)
def test_broken_files_are_refused_by_line(lines: list[str], message: str) -> None:
    with pytest.raises(InputError) as error:
        list(conllu_documents("\n".join(lines), name="f"))
    assert message in str(error.value)


def test_a_split_is_found_in_the_archive(tmp_path: Path) -> None:
    path = tmp_path / "ewt.tar.xz"
    with tarfile.open(path, "w:xz") as tar:
        info = tarfile.TarInfo("ud/en_ewt-ud-dev.conllu")
        info.size = len(FILE.encode())
        tar.addfile(info, io.BytesIO(FILE.encode()))
    assert len(read_ewt(path, "dev")) == 2
    with pytest.raises(InputError, match=r"holds no file en_ewt-ud-test\.conllu"):
        read_ewt(path, "test")
    path.write_text("no archive")
    with pytest.raises(InputError, match="cannot be read as an archive"):
        read_ewt(path, "dev")
