"""Rating sheets and scored ratings: the part of ``discobert evaluate`` that readers do."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from discobert.cli.declare import Option
from discobert.cli.outputs import emit, note
from discobert.errors import InputError, UsageError

if TYPE_CHECKING:
    from discobert.evaluate.ratings.score import RatingReport
    from discobert.evaluate.ratings.sheet import PanelPlan, RatedDocument, SheetForm
    from discobert.evaluate.runner import ArticleResult
    from discobert.store.corpora.json_lines import ArticleSample

_RATINGS = "Blind ratings by readers, as in the paper's Table 5"
RatingSheet = Annotated[
    Path | None,
    Option(
        metavar="FILE.html|.md",
        help="Also write a sheet on which readers rate the summaries of two or three systems "
        "without knowing which is which: a page, or a Markdown form that is answered in JSON "
        "lines.",
        show_default=False,
        panel=_RATINGS,
    ),
]
RatersOption = Annotated[
    int,
    Option(
        min=1,
        metavar="N",
        help="Rating sheets to write; each has a part of the documents.",
        panel=_RATINGS,
    ),
]
SharedDocuments = Annotated[
    int,
    Option(
        min=0,
        metavar="N",
        help="Documents that are on all of several sheets, to measure how far raters agree.",
        panel=_RATINGS,
    ),
]
RatingFiles = Annotated[
    list[Path] | None,
    Option(
        "--ratings",
        metavar="FILE.json|.jsonl|DIR",
        help="Score saved ratings, instead of anything else; repeatable, a folder stands for its "
        ".json and .jsonl files. JSON lines need the key file of their sheets (.key.json), too.",
        show_default=False,
        panel=_RATINGS,
    ),
]


def check_sheets(path: Path, data: "ArticleSample", systems: Sequence[str]) -> None:
    """Refuse what cannot become a sheet, before any summary is made."""
    from discobert.evaluate.ratings.sheet import require_size, require_systems

    sheet_form(path)
    require_systems(systems)
    require_size(sum(1 for _ in data.articles()))


def sheet_form(path: Path) -> "SheetForm":
    """Return the form that the name of the file asks for."""
    from discobert.evaluate.ratings.sheet import SheetForm
    from discobert.store.text import printable

    for form in SheetForm:
        if path.suffix.lower() == f".{form.value}":
            return form
    raise UsageError(f"{printable(path)}: a rating sheet is written as .html or .md")


def write_sheets(
    path: Path, data: "ArticleSample", results: Sequence["ArticleResult"], plan: "PanelPlan"
) -> None:
    """Write the sheet of each rater, and a key file beside Markdown sheets."""
    from discobert.evaluate.ratings.key import write_key_file
    from discobert.evaluate.ratings.sheet import SheetForm, panel_sheets, write_sheet

    form = sheet_form(path)
    systems = list(results[0].systems)
    documents = list(_documents(data, results))
    sheets = panel_sheets(documents, systems, plan)
    for number, sheet in enumerate(sheets, start=1):
        target = path if len(sheets) == 1 else path.with_stem(f"{path.stem}-{number}")
        emit(write_sheet(documents, sheet, form), target)
    if form is SheetForm.MARKDOWN:
        emit(write_key_file(sheets[0]), path.with_suffix(".key.json"))


def _documents(
    data: "ArticleSample", results: Sequence["ArticleResult"]
) -> Iterator["RatedDocument"]:
    from discobert.evaluate.ratings.sheet import RatedDocument

    for article, found in zip(data.articles(), results, strict=True):
        summaries = tuple(" ".join(result.lines) for result in found.systems.values())
        yield RatedDocument(article.id, article.text, summaries)


def scored_ratings(paths: Sequence[Path], *, quiet: bool) -> "RatingReport":
    """Score files of ratings; unfinished ones are scored as far as they go, with a warning."""
    from discobert.evaluate.ratings.read import read_ratings
    from discobert.evaluate.ratings.score import score_ratings
    from discobert.store.text import printable, read_text

    files = [file for path in paths for file in _files(path)]
    found = read_ratings({printable(file): read_text(file) for file in files})
    report = score_ratings(found.ratings)
    note(_warnings(report, found.n_superseded), quiet=quiet)
    return report


def _files(path: Path) -> list[Path]:
    from discobert.store.text import printable

    if not path.is_dir():
        return [path]
    found = sorted([*path.glob("*.json"), *path.glob("*.jsonl")])
    if not found:
        raise InputError(f"{printable(path)}: no .json or .jsonl file in this folder")
    return found


def _warnings(report: "RatingReport", n_superseded: int) -> Iterator[str]:
    for rater in report.unfinished:
        yield (
            f"warning: {rater.name} has rated {rater.n_finished:,} of {rater.n_documents:,} "
            "documents in full; scored with what is there"
        )
    if n_superseded:
        yield (
            f"warning: {n_superseded} of {n_superseded + len(report.raters)} files were saved "
            "again later by the same rater, and are left out"
        )
