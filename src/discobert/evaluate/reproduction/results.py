"""Result files: what project commands wrote, read with the name of the file in every error."""

from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from discobert.data.codecs.fields import Field, versioned
from discobert.data.codecs.json_text import JsonObject, loads
from discobert.errors import InputError
from discobert.store.text import printable, read_text

REMAKE = "scripts/reproduce makes it"


class ResultFile(Enum):
    """Every file that the report reads, by its name."""

    PUBLISHED = "published.json"
    """Figures of the literature, each with its source."""
    STATISTICS = "statistics.json"
    WHOLE_STATISTICS = "statistics-whole.json"
    NEWS = "cnndm.json"
    COMPETITORS = "realsumm.json"
    GRAMMAR = "grammar.json"
    ANALYSIS = "analysis.json"
    SUMMARIES = "examples.json"
    GRAPHS = "graphs.json"
    PANELS = "panels.json"
    CURVE = "learning-curve.json"
    ABLATION = "ablation.json"
    """The one file that may be missing."""


MEASURED = (
    ResultFile.STATISTICS,
    ResultFile.WHOLE_STATISTICS,
    ResultFile.NEWS,
    ResultFile.COMPETITORS,
    ResultFile.GRAMMAR,
    ResultFile.ANALYSIS,
)
"""Files that say under ``run`` which model they are of."""


@dataclass(frozen=True, slots=True)
class ModelKey:
    """A model as results name it; ``digest`` is that of its files but the model card."""

    name: str
    version: str
    digest: str

    def __str__(self) -> str:
        return f"{self.name} {self.version} ({self.digest[:12]}…)"


@dataclass(frozen=True, slots=True)
class Results:
    """A folder of result files."""

    folder: Path

    def read(self, file: ResultFile) -> Field:
        """Return the content of a file, which must be there and of our format."""
        found = self.optional(file)
        if found is None:
            raise InputError(
                f"{printable(self.folder / file.value)}: the result file is missing; {REMAKE}"
            )
        return found

    def optional(self, file: ResultFile) -> Field | None:
        """Return the content of a file, or None if there is none."""
        path = self.folder / file.value
        if not path.exists():
            return None
        return versioned(loads(read_text(path), name=printable(path)), file.value)

    def several(self, file: ResultFile) -> tuple[Field, ...]:
        """Return the parts of a file that is an array, one for each text."""
        path = self.folder / file.value
        if not path.exists():
            raise InputError(f"{printable(path)}: the result file is missing; {REMAKE}")
        root = Field(loads(read_text(path), name=printable(path)), file.value)
        return root.items(lambda item: versioned(item.value, item.path))

    def command(self, file: ResultFile) -> str:
        """Return the command that made a file."""
        return self.read(file).member("run").member("command").text()

    def require_model(self, model: ModelKey) -> None:
        """Refuse results of another model than the one that the report is about."""
        for file in MEASURED:
            found = model_key(self.read(file).member("run").member("model"))
            if found != model:
                raise InputError(f"{file.value} is of model {found}, not of {model}; {REMAKE}")
        for file in (ResultFile.SUMMARIES, ResultFile.GRAPHS):
            for part in self.several(file):
                version = part.member("model").member("version").text()
                if version != model.version:
                    raise InputError(
                        f"{part.path} is of version {version}, not of {model}; {REMAKE}"
                    )


def model_key(field: Field) -> ModelKey:
    """Read name, version and digest of a model."""
    return ModelKey(
        field.member("name").text(), field.member("version").text(), field.member("digest").text()
    )


def shipped_key(identity: JsonObject) -> ModelKey:
    """Return the key of a bundle from its identity; a model without weights has none."""
    return model_key(Field(identity, "the model"))
