"""All corpora and settings that make a bundle, cut down to ten articles and a few steps."""

import shutil
from itertools import pairwise
from pathlib import Path

from tests.train.cuts import cut_data
from tests.train.written_texts import (
    NEWS,
    PAPERS,
    Record,
    article,
    article_extract,
    extracts_of,
    sentence_spans,
    write_lines,
)

CONFIGS = Path(__file__).parents[2] / "configs"
LONGER_PAPERS = [f"{one} {two}" for one, two in pairwise([*PAPERS, PAPERS[0]])]
SILVER = "Ann ran because she won. Bo slept."
WINDOWS = "window_sizes = [280]"
BUDGETS = {
    "cuts.toml": cut_data.SETTINGS,
    "sentences.toml": """
validation_skip = 0
validation_documents = 5
steps = 6
documents_per_step = 5
warmup_steps = 2
validate_every = 3
never_epochs = 150
head_epochs = 150
""",
    "genres.toml": "width = 4\nseeds = 2\nepochs = 60\nfolds = 2",
    "summarizer-align.toml": "context_heads = 4",
    **{path.name: WINDOWS for path in CONFIGS.glob("analyser-*.toml")},
}
"""Settings that replace those of the committed files."""


def write_corpora(folder: Path) -> Path:
    """Write every corpus in the format of the real one."""
    cut_data.write_data(folder)
    articles = [article(index) for index in range(len(NEWS))]
    for number in range(8):
        rows = [*cut_data.cut_articles(), *articles] if number == 7 else articles
        write_lines(folder / "cnndm" / f"train-{number}.jsonl.xz", rows)
    held_out = [article(index, name="held") for index in range(len(NEWS))]
    write_lines(folder / "cnndm" / "validation.jsonl.xz", held_out)
    extracts = [article_extract(index) for index in range(len(NEWS))]
    write_lines(folder / "extracts" / "extracts.jsonl.xz", extracts)
    gold = cut_data.record("AMALGUM_news_bo", "train")
    layers = ("doc", "genre", "split", "license", "tokens", "sents", "edus", "rst_tree")
    silver = {name: gold[name] for name in layers}
    write_lines(folder / "amalgum" / "amalgum_v02_silver.jsonl.xz", [silver])
    names = ("license", "tokens", "sents")
    tale = {"doc": "tale", **{name: gold[name] for name in names}, "clusters": gold["ontogum"]}
    write_lines(folder / "litbank" / "litbank_coref.jsonl.xz", [tale])
    return folder


def write_configs(folder: Path) -> Path:
    """Copy the committed settings with small budgets, and write extracts, ratings and a card."""
    folder.mkdir()
    for path in CONFIGS.glob("*.toml"):
        (folder / path.name).write_text(_with_budget(path.read_text(), BUDGETS.get(path.name, "")))
    silver = {
        "id": "AMALGUM_news_bo",
        "source": "amalgum",
        "genre": "biography",
        "split": "train",
        "spans": sentence_spans(SILVER),
        "best": [0],
        "more": [1],
        "never": [],
    }
    write_lines(folder / "genre-extracts.jsonl.xz", [*extracts_of(LONGER_PAPERS, "paper"), silver])
    write_lines(folder / "reader-ratings.jsonl.xz", ratings())
    shutil.copyfile(CONFIGS / "model-card-en.md", folder / "model-card-en.md")
    return folder


def _with_budget(settings: str, budget: str) -> str:
    replaced = {line.split(" = ")[0] for line in budget.splitlines()}
    kept = [line for line in settings.splitlines() if line.split(" = ")[0] not in replaced]
    return "\n".join([*kept, budget, ""])


def ratings() -> list[Record]:
    """Return ratings of summaries of articles and papers: the second sentence is worth most."""
    texts = {f"news-{n}": "\n".join(article(n)["article"]) for n in range(4)}
    texts |= {f"paper-{number}": text for number, text in enumerate(LONGER_PAPERS)}
    return [
        {
            "id": name,
            "summaries": [
                {"spans": spans[1:2], "overall": 4},
                {"spans": spans[2:3], "overall": 2},
                {"spans": spans[1:3], "overall": 3},
            ],
        }
        for name, spans in ((name, sentence_spans(text)) for name, text in texts.items())
    ]
