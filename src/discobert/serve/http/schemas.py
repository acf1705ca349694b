"""The JSON of requests and answers as types, for validation and for OpenAPI.

Options of a summary are those of ``SummaryOptions``: a new one is accepted here by itself.
"""

from enum import Enum
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, create_model

from discobert.selection.request import DEFAULT_OPTIONS, SummaryOptions
from discobert.serve.engine import MAX_NAME
from discobert.serve.tasks import TextTask

_MAX_LENGTH = {"focus": 2000}
_HELP = {
    "words": "Words of the summary, at most. Give one upper bound or none.",
    "sentences": "Sentences of the text that are touched, at most.",
    "edus": "Clauses (elementary discourse units), at most.",
    "chars": "Characters, at most.",
    "ratio": "Share of the text's words, at most.",
    "style": "readable: whole thoughts in reading order; paper: clauses by score.",
    "unit": "Select clauses or whole sentences.",
    "focus": "Favour what is about these words.",
    "exclude_quotes": "Leave out quotations, and clauses that need one.",
    "keep_lead": "Start with the first sentence, as far as the length allows.",
    "resolve_references": "Put names in the place of pronouns without antecedent.",
}


class Strict(BaseModel):
    """Takes what is described and nothing else; a string is no number."""

    model_config = ConfigDict(extra="forbid", strict=True)


class TextBody(Strict):
    """A text."""

    text: str = Field(description="The text, with at least one letter.", examples=["It rains."])
    name: str = Field("text", max_length=MAX_NAME, description="Becomes the id in the answer.")
    markup: dict[str, Any] | None = Field(
        None, description="Headings, turns and notes of the text's file, as /v1/extract gives them."
    )

    @property
    def task(self) -> TextTask:
        """What a worker has to do."""
        return TextTask(name=self.name, text=self.text, markup=self.markup)


def _json_type(kind: Any) -> Any:  # noqa: ANN401 - types are values of any kind here
    """Return the type of an option as JSON has it: for an enumeration, its values."""
    members = get_args(kind) or (kind,)
    named = [member for member in members if isinstance(member, type) and issubclass(member, Enum)]
    if named:
        values: Any = Literal[tuple(value.value for value in named[0])]
        return values | None if NoneType in members else values
    if int in members:
        return Annotated[int, Field(ge=1)] | None
    if float in members:
        return Annotated[float, Field(gt=0, le=1)] | None
    return kind


def _options() -> dict[str, Any]:
    return {
        name: (
            _json_type(kind),
            Field(DEFAULT_OPTIONS[name], description=_help(name), max_length=_MAX_LENGTH.get(name)),
        )
        for name, kind in get_type_hints(SummaryOptions).items()
    }


def _help(name: str) -> str | None:
    if name.startswith("min_"):
        return "A lower bound, kept to as far as the text and the upper bound allow."
    return _HELP.get(name)


OptionsBody = create_model("OptionsBody", __base__=TextBody, **_options())
"""A text and the options of its summary."""


class SummarizeBody(OptionsBody):  # type: ignore[misc, valid-type]
    """A text, the options of its summary, and what else the answer should hold."""

    include: list[Literal["analysis", "html", "markdown"]] = Field(
        default_factory=list, max_length=8, description="Further parts of the answer."
    )

    @property
    def task(self) -> TextTask:
        """What a worker has to do."""
        given = self.model_dump(include=set(DEFAULT_OPTIONS))
        options = {name: value for name, value in given.items() if value != DEFAULT_OPTIONS[name]}
        return TextTask(
            name=self.name,
            text=self.text,
            markup=self.markup,
            options=options,
            include=tuple(self.include),
        )


class ErrorDetail(BaseModel):
    """What went wrong."""

    code: str
    message: str


class ErrorBody(BaseModel):
    """An error."""

    error: ErrorDetail


class Unit(BaseModel):
    """A clause; ``text[start:end]`` of the input, in code points."""

    model_config = ConfigDict(extra="allow")
    index: int
    sentence: int
    start: int
    end: int
    text: str
    score: float
    selected: bool
    reason: str | None
    depends_on: list[int]


class Warned(BaseModel):
    """A warning for readers of the summary."""

    model_config = ConfigDict(extra="allow")
    code: str
    message: str
    unit: int | None = None


class Model(BaseModel):
    """Name and version of the model."""

    model_config = ConfigDict(extra="allow")
    name: str
    version: str


class AnalysedEdu(BaseModel):
    """An elementary discourse unit."""

    model_config = ConfigDict(extra="allow")
    start: int
    end: int
    sentence: int
    has_subject: bool


class Dependency(BaseModel):
    """An EDU that cannot be shown without another one."""

    dependent: int
    head: int


class Graphs(BaseModel):
    """Edges between EDUs."""

    rst: list[list[int]]
    coref: list[list[int]]


class AnalysisAnswer(BaseModel):
    """Sentences, clauses, RST tree, coreference and graphs of a text."""

    model_config = ConfigDict(extra="allow")
    format: int
    id: str
    text: str
    sentences: list[list[int]]
    edus: list[AnalysedEdu]
    tree: dict[str, Any]
    dependencies: list[Dependency]
    clusters: list[list[list[int]]]
    graphs: Graphs


class SummaryAnswer(BaseModel):
    """A summary with the evidence for it."""

    model_config = ConfigDict(extra="allow")
    format: int
    id: str
    text: str
    sentences: list[str]
    words: int
    units: list[Unit]
    warnings: list[Warned]
    model: Model
    analysis: AnalysisAnswer | None = None
    html: str | None = None
    markdown: str | None = None


class ExtractWarning(BaseModel):
    """Something to know about an extracted text."""

    code: str
    message: str


class ExtractAnswer(BaseModel):
    """The text of a file."""

    text: str
    title: str
    warnings: list[ExtractWarning]
    markup: dict[str, Any] | None = None


class LoadedModel(BaseModel):
    """A model that the service offers."""

    id: str
    name: str
    version: str
    language: str
    default: bool


class ModelsAnswer(BaseModel):
    """All models that the service offers."""

    object: Literal["list"] = "list"
    data: list[LoadedModel]


class Limits(BaseModel):
    """What the service takes."""

    body_bytes: int
    upload_bytes: int
    chars: int
    seconds: float
    queue: int
    workers: int


class InfoAnswer(BaseModel):
    """The service, its model and its limits."""

    name: Literal["discobert"] = "discobert"
    version: str
    model: LoadedModel
    limits: Limits


class LiveAnswer(BaseModel):
    """The process answers."""

    live: Literal[True] = True


class ReadyAnswer(BaseModel):
    """Whether requests are taken."""

    ready: bool
    draining: bool
    workers_ready: int
    workers: int
