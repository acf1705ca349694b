import json
import lzma
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from discobert.data.document import Span
from discobert.data.rst import Node, Nuclearity, nodes
from discobert.errors import FormatError, InputError
from discobert.store.treebanks.gum import (
    GoldDocument,
    gold_analysis,
    gold_clusters,
    gold_edus,
    read_gum,
)

TEXT = "Harbour news\nAnn's boat sank, the crew said. She is safe."
GUM: dict[str, Any] = {
    "doc": "GUM_news_boat",
    "genre": "news",
    "split": "dev",
    "license": "CC-BY-NC-SA-3.0",
    "tokens": "Harbour news Ann 's boat sank , the crew said . She is safe .".split(),
    "space_after": "110110111011100",
    "sents": [0, 2, 11],
    "pars": [0, 1],
    "deprel": [
        *["compound", "root", "nmod:poss", "case", "nsubj", "ccomp", "punct", "det", "nsubj:pass"],
        *["root", "punct", "nsubj", "cop", "root", "punct"],
    ],
    "edus": [0, 2, 7, 11],
    "rst_tree": [
        [1, 1, 4, "SN", "organization-heading"],
        [2, 3, 4, "NN", "same-unit"],
        [2, 2, 3, "SN", "attribution-positive"],
    ],
    "ontogum": [[[11, 11], [2, 3], [2, 3]], [[7, 8]]],
}
AMALGUM: dict[str, Any] = {
    "doc": "AMALGUM_news_boat",
    "part": "amalgum",
    "genre": "news",
    "license": "CC-BY-4.0",
    "tokens": GUM["tokens"],
    "sents": [0, 2, 11],
    "edus": [0, 2, 7, 11],
    "rst_tree": None,
}
LITBANK: dict[str, Any] = {
    "doc": "1_boat",
    "license": "CC-BY-4.0",
    "tokens": GUM["tokens"],
    "sents": [0, 2, 11],
    "clusters": [[[2, 3], [11, 11]]],
}


def read(tmp_path: Path, *records: dict[str, Any]) -> list[GoldDocument]:
    path = tmp_path / "corpus.jsonl"
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")
    return list(read_gum(path))


@pytest.fixture
def gum(tmp_path: Path) -> GoldDocument:
    return read(tmp_path, GUM)[0]


def test_text_follows_the_spaces_and_paragraphs_of_the_corpus(gum: GoldDocument) -> None:
    assert gum.text == TEXT
    assert gum.tokens[3].of(TEXT) == "'s"
    assert [sentence.of(TEXT) for sentence in gum.sentences] == [
        *["Harbour news", "Ann's boat sank, the crew said.", "She is safe."]
    ]
    assert gum.paragraphs == (0, 1)


def test_document_knows_its_licence_split_and_genre(gum: GoldDocument, tmp_path: Path) -> None:
    assert (gum.non_commercial, gum.split, gum.genre) == (True, "dev", "news")
    silver, literature = read(tmp_path, AMALGUM, LITBANK)
    assert (silver.non_commercial, silver.split, silver.genre) == (False, "train", "news")
    assert literature.genre == "literature"


def test_annotations_lie_on_characters(gum: GoldDocument) -> None:
    assert gum.edus is not None
    assert [edu.of(TEXT) for edu in gum.edus] == [
        *["Harbour news", "Ann's boat sank,", "the crew said.", "She is safe."]
    ]
    assert gum.subjects is not None
    assert [token.of(TEXT) for token in gum.subjects] == ["boat", "crew", "She"]
    assert gum.clusters is not None
    assert gum.clusters[0][:2] == (Span(45, 48), Span(13, 18))


def test_relations_are_coarse(gum: GoldDocument) -> None:
    assert gum.has_relations
    assert gum.nodes == (
        Node(0, 1, 4, Nuclearity.RIGHT, "organization"),
        Node(1, 3, 4, Nuclearity.BOTH, "same-unit"),
        Node(1, 2, 3, Nuclearity.RIGHT, "attribution"),
    )


def test_complete_gold_becomes_an_analysis(gum: GoldDocument) -> None:
    analysis = gold_analysis(gum)
    assert [edu.sentence for edu in analysis.document.edus] == [0, 1, 1, 2]
    assert [edu.has_subject for edu in analysis.document.edus] == [False, True, True, True]
    assert set(nodes(analysis.rst)) == set(gum.nodes or ())
    assert [[m.span.of(TEXT) for m in cluster.mentions] for cluster in analysis.coref] == [
        *[["Ann's", "She"], ["the crew"]]
    ]


def test_missing_spaces_are_guessed(tmp_path: Path) -> None:
    silver, literature = read(tmp_path, AMALGUM, LITBANK)
    assert silver.text == literature.text == TEXT.replace("\n", " ")
    assert silver.paragraphs == (0,)


def test_layers_that_a_corpus_lacks_are_none(tmp_path: Path) -> None:
    silver, literature = read(tmp_path, AMALGUM, LITBANK)
    assert (silver.subjects, silver.nodes, silver.clusters) == (None, None, None)
    assert not silver.has_relations
    assert (literature.edus, literature.subjects, literature.nodes) == (None, None, None)
    assert all(edu.has_subject for edu in gold_edus(silver).edus)
    assert len(gold_clusters(literature)) == 1


def test_incomplete_gold_is_no_analysis(tmp_path: Path) -> None:
    silver, literature = read(tmp_path, AMALGUM, LITBANK)
    with pytest.raises(InputError, match="no analysis without an RST tree"):
        gold_analysis(silver)
    with pytest.raises(InputError, match="no EDUs"):
        gold_edus(literature)
    with pytest.raises(InputError, match="no coreference"):
        gold_clusters(silver)


def test_first_paragraph_may_be_left_out(tmp_path: Path) -> None:
    assert read(tmp_path, GUM | {"pars": [1]})[0].paragraphs == (0, 1)


def test_compressed_files_are_streamed(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl.xz"
    path.write_bytes(lzma.compress(f"{json.dumps(GUM)}\n".encode() * 2))
    assert [gold.id for gold in read_gum(path)] == ["GUM_news_boat"] * 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tokens": ["a", 1]}, r"line 1.tokens\[1\] must be a string, got 1"),
        ({"tokens": "a b"}, "line 1.tokens must be an array"),
        ({"sents": [0, 2, 2]}, "line 1.sents must be rising numbers from 0 and below 15"),
        ({"sents": []}, "line 1.sents must be rising"),
        ({"edus": [1]}, "line 1.edus must be rising"),
        ({"edus": [0, 15]}, "line 1.edus must be rising"),
        ({"pars": [0, 3]}, "line 1.pars must be rising numbers from 0 and below 3"),
        ({"space_after": "1"}, "line 1.space_after must be a string of 15 digits"),
        ({"deprel": ["root"]}, "line 1.deprel must be 15 labels"),
        ({"rst_tree": [[1, 1, 2, "NS"]]}, r"line 1.rst_tree\[0\] must be first, middle"),
        ({"rst_tree": [[1, 1, 2, "XY", "joint"]]}, "unknown nuclearity 'XY'"),
        ({"ontogum": [[[3, 15]]]}, r"line 1.ontogum\[0\]\[0\] must be first and last of 15"),
        ({"ontogum": [[[3, 2]]]}, "must be first and last"),
        ({"tokens": ["", *GUM["tokens"][1:]]}, "line 1: a span needs"),
    ],
)
def test_broken_records_are_refused_by_place(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    with pytest.raises(FormatError, match=message):
        read(tmp_path, GUM | change)


def test_missing_member_is_named(tmp_path: Path) -> None:
    record = {key: value for key, value in GUM.items() if key != "license"}
    with pytest.raises(FormatError, match="lacks the member 'license'"):
        read(tmp_path, record)


@pytest.mark.slow
def test_shared_gum_is_complete() -> None:
    folder = os.environ.get("DISCOBERT_SHARED_DATA")
    if folder is None:
        pytest.skip("DISCOBERT_SHARED_DATA names no folder")
    counts: Counter[str] = Counter()
    relations: set[str] = set()
    for gold in read_gum(Path(folder) / "gum" / "gum_v11.jsonl.xz"):
        analysis = gold_analysis(gold)
        counts += Counter({gold.split: 1, f"{gold.split} EDUs": len(analysis.document.edus)})
        relations |= {node.relation for node in nodes(analysis.rst)}
    assert counts == {
        "train": 177,
        "dev": 30,
        "test": 30,
        "train EDUs": 23_013,
        "dev EDUs": 3_634,
        "test EDUs": 3_518,
    }
    assert len(relations) == 15
