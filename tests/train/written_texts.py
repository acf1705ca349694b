"""Articles, papers and editors' extracts of them, written for tests, and files of such records."""

import json
import lzma
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from discobert.language.sentences import NewsSplitter

NEWS = (
    ("A river flooded a mill in Wales.", "The mill was built in 1802.", "Rain is expected."),
    ("Rovers beat City to win the cup.", "City had won twice before.", "Fans sang all night."),
    ("A baker was cleared of theft.", "He had spent a year in jail.", "The judge was brief."),
    ("The storm closed two airports.", "Snow fell for nine hours.", "Trains ran late."),
    ("Doctors tested a new vaccine.", "It needs one dose only.", "Trials go on in May."),
    ("A bank cut four hundred jobs.", "Its shares rose by noon.", "Unions were angry."),
    ("The museum found a lost painting.", "It hung in a kitchen.", "It will be shown soon."),
    ("Police arrested three men in Leeds.", "A car was burnt there.", "No one was hurt."),
    ("The singer ended her tour early.", "She lost her voice in Rome.", "Tickets are refunded."),
    ("Farmers blocked a road with hay.", "They want higher prices.", "Talks start on Monday."),
)
"""Three sentences of each article."""
PAPERS = (
    "We measured soil beside hedges. Our results show that gaps matter more than height.",
    "This study examines how bees find water. We found that they follow older bees.",
    "The method is simple. In conclusion, the new sensor is as exact as the old one.",
    "A definition is given first. We prove that the bound is tight for all graphs.",
)

Record = dict[str, Any]


def write_lines(path: Path, rows: Iterable[Mapping[str, object]]) -> Path:
    """Write a file of JSON lines, packed if its name says so."""
    path.parent.mkdir(parents=True, exist_ok=True)
    content = "".join(f"{json.dumps(row)}\n" for row in rows).encode()
    path.write_bytes(lzma.compress(content) if path.suffix == ".xz" else content)
    return path


def article(index: int, *, name: str = "news") -> Record:
    """Return an article of four paragraphs; the last one is furniture."""
    first, second, third = NEWS[index]
    return {
        "id": f"{name}-{index}",
        "source": "cnn",
        "article": [f"{first} {second}", third, "Reporters were not let in.", "Scroll down"],
        "highlights": [first],
    }


def sentence_spans(text: str) -> list[list[int]]:
    """Return first and end character of each sentence."""
    return [[span.start, span.end] for span in NewsSplitter().split(text).sentences]


def article_extract(index: int) -> Record:
    """Return what an editor would choose of an article."""
    spans = sentence_spans("\n".join(article(index)["article"]))
    return {
        "id": f"news-{index}",
        "source": "cnndm",
        "split": "train" if index < 8 else "dev",
        "spans": spans,
        "best": [0],
        "more": [1],
        "never": [len(spans) - 1],
    }


def text_extract(name: str, text: str, genre: str, split: str) -> Record:
    """Return what an editor would choose of a text that the record itself holds."""
    spans = sentence_spans(text)
    chosen = {"best": [len(spans) - 1], "more": [], "never": [0] if genre == "paper" else []}
    record = {"id": name, "source": "written", "genre": genre, "split": split, "spans": spans}
    return {**record, **chosen, "text": text}


def extracts_of(texts: Iterable[str], genre: str) -> list[Record]:
    """Return extracts of texts; one in four is kept apart."""
    return [
        text_extract(f"{genre}-{number}", text, genre, "dev" if number % 4 == 3 else "train")
        for number, text in enumerate(texts)
    ]
