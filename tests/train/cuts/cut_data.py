"""A folder of data for the cut head, small enough to train on in a test."""

import io
import tarfile
from pathlib import Path
from typing import Any

from tests.train.written_texts import Record, write_lines

SETTINGS = """
parser_hidden = 8
parser_arcs = 4
parser_epochs = 2
warmup_steps = 1
hidden = 8
second = 4
view_width = 2
networks = 2
epochs = 3
cuts_per_step = 4
folds = 2
"""
MARKED = (
    ("The river rose", "after days of rain."),
    ("Nobody was hurt", "because the mayor closed the bridge."),
    ("The old mill,", "which stood empty,", "was flooded", "when the dam broke."),
)
SENTENCES = " ".join(" ".join(edus) for edus in MARKED)


def _spans(edus: tuple[str, ...]) -> list[list[int]]:
    return [[SENTENCES.index(edu), SENTENCES.index(edu) + len(edu)] for edu in edus]


def record(name: str, split: str) -> dict[str, Any]:
    """Return a document of GUM with syntax: two sentences."""
    return {
        "doc": name,
        "genre": "news",
        "split": split,
        "license": "CC-BY",
        "tokens": ["Ann", "ran", "because", "she", "won", ".", "Bo", "slept", "."],
        "space_after": "111101101",
        "sents": [0, 6],
        "pars": [0, 1],
        "edus": [0, 2, 6],
        "upos": ["PROPN", "VERB", "SCONJ", "PRON", "VERB", "PUNCT", "PROPN", "VERB", "PUNCT"],
        "head": [2, 0, 5, 5, 2, 2, 2, 0, 2],
        "deprel": ["nsubj", "root", "mark", "nsubj", "advcl", "punct", "nsubj", "root", "punct"],
        "rst_tree": [[1, 2, 3, "NS", "elaboration-additional"], [1, 1, 2, "NS", "causal-cause"]],
        "ontogum": [[[0, 0], [3, 3]], [[6, 6]]],
        "summaries": [{"by": "one", "text": "Ann ran."}, {"by": "two", "text": "Ann won."}],
    }


def cuts() -> list[dict[str, Any]]:
    """Return judged cuts of two articles and a document of GUM for every split."""
    found: list[dict[str, Any]] = []
    for split in ("train", "dev"):
        for number in range(2):
            for sentence, edus in enumerate(map(_spans, MARKED)):
                common = {"source": "cnndm", "doc": f"{split}{number}", "split": split}
                span = [edus[0][0], edus[-1][1]]
                for cut in ([0], [1]):
                    label = int(cut == [1])
                    found.append(
                        {
                            **common,
                            "id": len(found),
                            "sentence": sentence,
                            "sentence_span": span,
                            "edus": edus,
                            "cut": cut,
                            "labels": [[label, label, 1 - label]],
                            "harmless": label,
                        }
                    )
        gum = {"source": "gum", "doc": f"GUM_{split}", "split": split, "sentence": 0}
        spans = {"sentence_span": [0, 24], "edus": [[0, 7], [8, 24]], "cut": [1]}
        labels = {"labels": [[1, 1, 1], [1, 0, 1]], "harmless": 1}
        found.append({**gum, **spans, **labels, "id": len(found)})
    return found


def cut_articles() -> list[Record]:
    """Return the articles whose cuts were judged."""
    return [
        {"id": f"{split}{n}", "source": "cnn", "article": [SENTENCES], "highlights": ["Rain."]}
        for split in ("train", "dev")
        for n in range(2)
    ]


def write_data(folder: Path) -> Path:
    """Write cuts, articles, GUM and EWT as training expects them."""
    write_lines(folder / "cuts" / "cuts.jsonl.xz", cuts())
    write_lines(folder / "cnndm" / "train-7.jsonl.xz", cut_articles())
    gum = [record(f"GUM_{split}", split) for split in ("train", "dev")]
    write_lines(folder / "gum" / "gum_v11.jsonl.xz", gum)
    lines = ["# newdoc", "# text = It rained", "1\tIt\t_\tPRON\t_\t_\t2\tnsubj\t_\t_"]
    text = "\n".join([*lines, "2\trained\t_\tVERB\t_\t_\t0\troot\t_\t_", "", ""]).encode()
    (folder / "ud-ewt").mkdir()
    with tarfile.open(folder / "ud-ewt" / "ud-ewt.tar.xz", "w:xz") as tar:
        info = tarfile.TarInfo("ud-ewt/en_ewt-ud-train.conllu")
        info.size = len(text)
        tar.addfile(info, io.BytesIO(text))
    return folder
