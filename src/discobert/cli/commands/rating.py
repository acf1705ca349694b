"""Rating sheets out, ratings in: the part of ``discobert evaluate`` that people do."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from discobert.cli.outputs import note
from discobert.errors import InputError

if TYPE_CHECKING:
    from discobert.evaluate.ratings.score import RatingReport
    from discobert.evaluate.runner import ArticleResult
    from discobert.store.corpora.json_lines import ArticleSample


def check_sheet(data: "ArticleSample", systems: Sequence[str]) -> None:
    """Refuse what cannot become a sheet, before any work is done."""
    from discobert.evaluate.ratings.sheet import require_size, require_two

    require_two(systems)
    require_size(sum(1 for _ in data.articles()))


def written_sheet(data: "ArticleSample", results: Sequence["ArticleResult"]) -> str:
    """Write the sheet of two systems; the results are those of the same articles."""
    from discobert.evaluate.ratings.sheet import Rated, rating_sheet, require_two

    first, second = require_two(list(results[0].systems))
    rated = [
        Rated(
            article.id,
            article.text,
            (" ".join(found.systems[first].lines), " ".join(found.systems[second].lines)),
        )
        for article, found in zip(data.articles(), results, strict=True)
    ]
    return rating_sheet(rated, (first, second), seed=data.seed)


def scored_ratings(paths: Sequence[Path], *, quiet: bool) -> "RatingReport":
    """Score saved files; what is unfinished is told and scored as far as it goes."""
    from discobert.evaluate.ratings.file import of_one_sheet, parse_ratings
    from discobert.evaluate.ratings.score import score_ratings
    from discobert.store.text import printable, read_text

    files = [file for path in paths for file in _files(path)]
    found = [
        (printable(file), parse_ratings(read_text(file), name=printable(file))) for file in files
    ]
    kept = of_one_sheet(found)
    report = score_ratings(kept)
    note(_notes(report, len(files)), quiet=quiet)
    return report


def _files(path: Path) -> list[Path]:
    from discobert.store.text import printable

    if not path.is_dir():
        return [path]
    found = sorted(path.glob("*.json"))
    if not found:
        raise InputError(f"{printable(path)}: no .json file in this folder")
    return found


def _notes(report: "RatingReport", n_files: int) -> Iterator[str]:
    for rater in report.unfinished:
        yield (
            f"warning: {rater.name} has rated {rater.n_finished:,} of {report.documents:,} "
            "documents in full; scored with what is there"
        )
    if n_files > len(report.raters):
        yield (
            f"warning: {n_files - len(report.raters)} of {n_files} files were saved again later by "
            "the same rater, and are left out"
        )
