"""Train the shipped model on a toy corpus, from nothing to a bundle: fine_tune.py [FOLDER].

Writes the corpus, analyses it, trains, exports a bundle and scores it beside the shipped model, by
the commands that a user would type; each is shown before it runs. Needs the extra ``train``. About
a minute on one core; FOLDER (``fine-tuned``) holds all that is written and must not exist.
"""

import json
import shlex
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
SYSTEMS = "lead3,discobert-paper"
WORDS = "40"


def discobert(*arguments: str | Path) -> None:
    """Show a command and run it."""
    given = [str(each) for each in arguments]
    print(f"\n$ {shlex.join(['discobert', *given])}", flush=True)
    subprocess.run([sys.executable, "-m", "discobert", *given], check=True)


def rouge(path: Path) -> float:
    """Return ROUGE-1 of our system in a file of scores."""
    scores = json.loads(path.read_text(encoding="utf-8"))
    return float(scores["systems"]["discobert-paper"]["rouge1"])


def evaluate(folder: Path, model: str | Path, out: Path) -> float:
    """Score a model on the reports that training does not see."""
    test = ["--data", folder / "toy" / "test.jsonl", "--systems", SYSTEMS, "--words", WORDS]
    discobert("evaluate", *test, "--model", model, "--format", "json", "-o", out)
    return rouge(out)


def main(folder: Path) -> None:
    """Run all steps."""
    folder.mkdir(parents=True)
    subprocess.run([sys.executable, HERE / "toy_corpus.py", folder / "toy"], check=True)
    before = evaluate(folder, "en", folder / "before.json")
    train, prepared, run = folder / "toy" / "train.jsonl", folder / "prepared", folder / "run"
    discobert("prepare", train, prepared, "--corpus", "jsonl")
    settings = ["--config", HERE / "fine-tune.toml", "--data", prepared, "--model", "en"]
    discobert("train", "summarizer", *settings, "--out", run)
    discobert("export", run, folder / "model", "--model", "en", "--name", "reports")
    after = evaluate(folder, folder / "model", folder / "after.json")
    print(f"\nROUGE-1 of style paper on 20 unseen reports: {before:.1f} before, {after:.1f} after")
    print(f"The model: {folder / 'model'}; try --model {folder / 'model'} --style paper")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "fine-tuned"))
