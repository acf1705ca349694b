"""Model bundles: a folder with settings, weights, tokenizer, model card and checksums.

    config.json      {"format": 1, "name": …, "version": …, "settings": {…}}
    tokenizer.json   MODEL_CARD.md   *.onnx   *.safetensors
    SHA256SUMS       one line a file, as the command sha256sum writes and checks it

Nothing is unpickled, and no byte is used before its checksum was compared: files are read whole,
compared, and the very bytes that were compared are used, so a later change of a file is harmless.
The checksums of shipped bundles are also recorded in the package (``store/recorded_models.py``).
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from discobert.data.codecs.fields import Field
from discobert.data.codecs.json_text import Json, JsonObject, dumps, loads
from discobert.data.summary import ModelId
from discobert.errors import BundleError, FormatError, UsageError
from discobert.store.files import write_folder
from discobert.store.recorded_models import RECORDED
from discobert.store.text import printable

FORMAT = 1
CONFIG, TOKENIZER, CARD, CHECKSUMS = "config.json", "tokenizer.json", "MODEL_CARD.md", "SHA256SUMS"
SHIPPED = Path(__file__).parents[1] / "models"
"""Where the bundles that come with the package lie, each in a folder of its name."""

_SUFFIXES = (".json", ".md", ".onnx", ".safetensors", ".txt")
_LINE = re.compile(r"([0-9a-f]{64})  ([\w.-]+)")


@dataclass(frozen=True, slots=True)
class Bundle:
    """A model folder in a format that this version reads, with the checksums of its files."""

    path: Path
    model: ModelId
    settings: JsonObject
    checksums: Mapping[str, str]

    def read(self, name: str) -> bytes:
        """Return the content of one file; raise an error if its checksum differs."""
        self._require_listed(name)
        data = _read_bytes(self.path, name)
        self._check(name, data)
        return data

    @property
    def is_recorded(self) -> bool:
        """Whether all files are those of a shipped bundle, by the checksums in the package."""
        return checksum_of(self.checksums) in RECORDED.values()

    def _require_listed(self, name: str) -> None:
        if name not in self.checksums:
            raise BundleError(f"{_at(self.path, CHECKSUMS)}: lists no file {name}")

    def _check(self, name: str, data: bytes | memoryview) -> None:
        if hashlib.sha256(data).hexdigest() != self.checksums[name]:
            raise BundleError(
                f"{_at(self.path, name)}: damaged: its SHA-256 is not the one in {CHECKSUMS}; "
                "install or export the bundle again"
            )

    def verify(self) -> None:
        """Compare the checksums of all files."""
        for name in self.checksums:
            self.read(name)


def open_bundle(path: Path) -> Bundle:
    """Read the list of checksums and the settings; weights are checked when they are read."""
    if not path.is_dir():
        raise BundleError(f"{printable(path)}: no such model folder; name a bundle's folder")
    checksums = _decode_checksums(path, _read_bytes(path, CHECKSUMS))
    missing = [name for name in (CONFIG, TOKENIZER, CARD) if name not in checksums]
    missing += [name for name in checksums if not (path / name).is_file()]
    if missing:
        raise BundleError(f"{printable(path)}: incomplete model bundle: {missing[0]} is missing")
    unread = Bundle(path, ModelId("", ""), {}, MappingProxyType(checksums))
    return _with_config(unread, unread.read(CONFIG))


def require_recorded(bundle: Bundle) -> None:
    """Refuse a shipped bundle that is not the one which this version was released with."""
    name = bundle.path.name
    if bundle.path.parent == SHIPPED and RECORDED.get(name) != checksum_of(bundle.checksums):
        raise BundleError(
            f"{printable(bundle.path)}: not the model that discobert was released with: its "
            "checksums differ from those in the package; install discobert again, or copy the "
            "folder and name the copy with --model"
        )


def checksum_of(checksums: Mapping[str, str]) -> str:
    """Return one checksum of all checksums."""
    listed = "".join(f"{checksums[name]}  {name}\n" for name in sorted(checksums))
    return hashlib.sha256(listed.encode()).hexdigest()


def _with_config(bundle: Bundle, data: bytes) -> Bundle:
    name = _at(bundle.path, CONFIG)
    try:
        root = Field(loads(data.decode("utf-8", "replace"), name=name), name)
        _require_format(root)
        model = ModelId(root.member("name").text(), root.member("version").text())
        settings = root.member("settings").object()
    except FormatError as error:
        raise BundleError(str(error)) from error
    return Bundle(bundle.path, model, settings, bundle.checksums)


def _require_format(root: Field) -> None:
    found = root.member("format").value
    if found != FORMAT:
        raise BundleError(
            f"{root.path}: bundle of format {found!r}, this discobert reads format {FORMAT}; "
            "install the discobert that wrote it, or export the model again"
        )


def find_bundle(name: str | Path) -> Path:
    """Return the folder of a shipped bundle, by name, or the folder named by a path."""
    path = Path(name)
    if len(path.parts) == 1 and (SHIPPED / path / CONFIG).is_file():
        return SHIPPED / path
    if not path.is_dir():
        names = sorted(entry.parent.name for entry in SHIPPED.glob(f"*/{CONFIG}"))
        known = f"shipped models: {', '.join(names)}" if names else "no model ships yet"
        raise BundleError(f"{printable(path)}: no such model or folder; {known}")
    return path


def write_bundle(
    path: Path, *, model: ModelId, settings: JsonObject, files: Mapping[str, bytes]
) -> Bundle:
    """Write a new bundle, whole or not at all; ``files`` holds tokenizer, card and weights."""
    config: Json = {
        "format": FORMAT,
        "name": model.name,
        "version": model.version,
        "settings": settings,
    }
    content = {CONFIG: f"{dumps(config)}\n".encode(), **files}
    for name in sorted({*content, TOKENIZER, CARD}):
        if name not in content:
            raise UsageError(f"a model bundle needs {name}")
        if not _LINE.fullmatch(f"{'0' * 64}  {name}") or not name.endswith(_SUFFIXES):
            raise UsageError(f"{name!r} cannot be part of a bundle; use {' '.join(_SUFFIXES)}")
    sums = {name: hashlib.sha256(data).hexdigest() for name, data in sorted(content.items())}
    lines = "".join(f"{checksum}  {name}\n" for name, checksum in sums.items())
    write_folder(path, {**content, CHECKSUMS: lines.encode()})
    return open_bundle(path)


def _decode_checksums(path: Path, data: bytes) -> dict[str, str]:
    checksums: dict[str, str] = {}
    for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), start=1):
        match = _LINE.fullmatch(line)
        if match is None or not match[2].endswith(_SUFFIXES):
            raise BundleError(f"{_at(path, CHECKSUMS)}: line {number} is not 'checksum  file name'")
        checksums[match[2]] = match[1]
    return checksums


def _read_bytes(path: Path, name: str) -> bytes:
    try:
        return (path / name).read_bytes()
    except OSError as error:
        raise BundleError(f"{_at(path, name)}: cannot be read: {error.strerror}") from error


def _at(path: Path, name: str) -> str:
    return printable(path / name)
