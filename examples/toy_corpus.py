"""Write a corpus of invented inspection reports, to try training with: toy_corpus.py FOLDER.

FOLDER/train.jsonl and FOLDER/test.jsonl hold a report a line, with the two lines that an editor
would keep. What matters stands late in these reports, so a model of news, which trusts the first
sentences, has something to learn. The same command writes the same bytes.
"""

import json
import random
import sys
from pathlib import Path

N_TRAIN, N_TEST = 80, 20
PLACES = (
    "Abbot's Mill",
    "Coldwater",
    "Denholm",
    "Eastry",
    "Farrow Hill",
    "Glenside",
    "Harlow Quay",
)
THINGS = (
    ("lift", "the hoisting rope", "carries visitors to the gallery"),
    ("pump", "the upper seal", "keeps the lower fields dry"),
    ("footbridge", "the eastern bearing", "links the station with the school"),
    ("boiler", "the safety valve", "heats the swimming baths"),
    ("crane", "the slewing ring", "unloads timber from barges"),
    ("lock gate", "the heel post", "lets boats into the basin"),
    ("turntable", "the locking bolt", "turns the steam engines of the museum"),
    ("ventilator", "the drive belt", "clears the air of the road tunnel"),
)
PEOPLE = ("Nora Calder", "Tom Ashby", "Ruth Okafor", "Lewis Brandt", "Mina Petrova", "Paul Quayle")
FILLERS = (
    "The visit had been announced two weeks before.",
    "It was raining, and the yard was partly under water.",
    "The log book was at hand and had been kept in good order.",
    "Two apprentices of the college watched the work.",
    "The keys had to be fetched from the town hall, which took most of an hour.",
    "Photographs were taken of all parts before anything was moved.",
    "Tea was offered by the caretaker, who has worked there since the opening.",
    "The last inspection, four years ago, had found nothing of note.",
    "A neighbour complained about the noise and was told how long it would last.",
    "The drawings of the builder were compared with what was found.",
)
DAMAGES = ("cracked", "badly worn", "corroded almost through", "fitted the wrong way round")
CAUSES = (
    "because it had not been greased for years",
    "because salt water had reached it",
    "since a bolt of the wrong size had been used",
    "after frost had split its housing",
)
DECISIONS = (
    "The {thing} must stay closed until the part is replaced.",
    "The owner has to replace the part within four weeks.",
    "The {thing} may run at half its load until spring.",
    "The {thing} was shut down at once, and the police were told.",
)


def report(index: int, rng: random.Random) -> dict[str, object]:
    """Return one report with its reference; only ``rng`` decides what it tells."""
    place, person = rng.choice(PLACES), rng.choice(PEOPLE)
    thing, part, use = rng.choice(THINGS)
    damage, cause = rng.choice(DAMAGES), rng.choice(CAUSES)
    decision = rng.choice(DECISIONS).format(thing=thing)
    fillers = rng.sample(FILLERS, 6)
    finding = f"Inspectors found that {part} was {damage} {cause}."
    opening = f"{person} of the county office visited the {thing} at {place}, which {use}."
    return {
        "id": f"report-{index:03}",
        "article": [
            f"{opening} {fillers[0]} {fillers[1]}",
            f"{fillers[2]} {fillers[3]} {finding}",
            f"{fillers[4]} {decision} {fillers[5]}",
        ],
        "highlights": [finding, decision],
    }


def main(folder: Path) -> None:
    """Write both files."""
    rng = random.Random(7)
    folder.mkdir(parents=True, exist_ok=True)
    reports = [report(index, rng) for index in range(N_TRAIN + N_TEST)]
    for name, part in (("train", reports[:N_TRAIN]), ("test", reports[N_TRAIN:])):
        lines = "".join(f"{json.dumps(each)}\n" for each in part)
        (folder / f"{name}.jsonl").write_text(lines, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: toy_corpus.py FOLDER")
    main(Path(sys.argv[1]))
