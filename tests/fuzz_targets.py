"""What is fuzzed: each target takes any bytes and may raise nothing but errors raised on purpose.

Targets check what they promise besides: round trips, coverage of the text, lengths.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path

from discobert import Summarizer
from discobert.data.codecs.analysis import decode_analysis, encode_analysis
from discobert.data.codecs.json_text import dumps, loads
from discobert.data.document import check_coverage
from discobert.data.limits import TextLimits
from discobert.data.summary import Summary
from discobert.errors import BundleError, DiscobertError
from discobert.evaluate.ratings.read import read_ratings
from discobert.language.sentences import NewsSplitter
from discobert.render.summaries.json import render_jsonl
from discobert.runtime.graph_check import check_graph
from discobert.runtime.pieces import read_tokenizer
from discobert.runtime.tensors import read_stored
from discobert.store.inputs import InputKind, read_documents
from discobert.store.inputs.child import extraction
from discobert.store.inputs.email_message import build_email
from discobert.store.inputs.pdf_layout import Chunk, blocks_of
from discobert.store.treebanks import parse_tree, to_analysis

Target = Callable[[bytes], None]
SEEDS = Path(__file__).with_name("fuzz_seeds")
_RULES = Summarizer.load("rules", limits=TextLimits(max_chars=20_000, max_edus=2_000))
_KINDS = (
    InputKind.TEXT,
    InputKind.MARKDOWN,
    InputKind.STORY,
    InputKind.JSONL,
    InputKind.TRANSCRIPT,
)
_MOST_CHARS = 1_000_000
_NEURAL_CHARS = 300
"""Characters for the networks, which take a thousand times as long as everything else."""


def _input_target(kind: InputKind) -> Target:
    def read(data: bytes) -> None:
        for source in read_documents(data, name="fuzzed", kind=kind):
            dumps(source.text)

    return read


def _email(data: bytes) -> None:
    """Read a message as the child process does, but in this one."""
    answer = extraction("email", data, _MOST_CHARS)
    if "error" not in answer:
        dumps(build_email(answer, "fuzzed").text)


def _layout(data: bytes) -> None:
    """Build paragraphs of drawn text: pages end with a form feed, chunks with a bar."""
    pages = [[_chunk(part) for part in page.split(b"|")] for page in data.split(b"\f")]
    for _, text in blocks_of(pages):
        dumps(text)


def _chunk(part: bytes) -> Chunk:
    x, y, size = (*part[:3], 0, 0, 0)[:3]
    return Chunk(x * 5.0, y * 7.0 - 100, size / 2, part[3:].decode("utf-8", "replace"))


def _tree_target(kind: str) -> Target:
    def read(data: bytes) -> None:
        tree = parse_tree(data, kind, name="fuzzed")
        subjects = [True] * len(tree.edus)
        found = to_analysis(tree, name="fuzzed", splitter=NewsSplitter(), subjects=subjects)
        _check(_RULES.summarize_analysis(found))

    return read


def _analysis_json(data: bytes) -> None:
    found = decode_analysis(loads(data.decode("utf-8", "replace"), name="fuzzed"))
    again = decode_analysis(loads(dumps(encode_analysis(found))))
    assert again.document == found.document
    assert again.rst == found.rst


def _json(data: bytes) -> None:
    value = loads(data.decode("utf-8", "replace"), name="fuzzed")
    assert loads(dumps(value)) == value


def _summary(data: bytes) -> None:
    """Summarise any text; the first bytes choose the options."""
    text = data[4:].decode("utf-8", "surrogateescape" if data[:1] > b"\x80" else "replace")
    choices = [*data[:4], 0, 0, 0, 0]
    bounds = ({"words": 1 + choices[1]}, {"chars": 1 + choices[1]}, {"edus": 1 + choices[1] % 9})
    summary = _RULES.summarize(
        text,
        style=("readable", "paper")[choices[2] % 2],
        unit=("edu", "sentence", None)[choices[2] % 3],
        exclude_quotes=choices[3] % 2 == 1,
        keep_lead=choices[3] % 3 == 1,
        resolve_references=choices[3] % 5 == 1,
        **bounds[choices[0] % 3],
    )
    _check(summary)
    if choices[0] % 3 == 0 and not any(w.code == "over-budget" for w in summary.warnings):
        assert summary.words <= 1 + choices[1]


@cache
def _networks() -> Summarizer:
    return Summarizer.load()


def _neural(data: bytes) -> None:
    """Summarise a short text with the networks."""
    _check(_networks().summarize(data.decode("utf-8", "replace")[:_NEURAL_CHARS], words=20))


def _ratings(data: bytes) -> None:
    read_ratings({"fuzzed.json": data.decode("utf-8", "replace")})


def _check(summary: Summary) -> None:
    document = summary.document
    check_coverage(document.id, document.text, (edu.span for edu in document.edus))
    selected = set(summary.selection.edus)
    assert selected
    for edge in summary.dependencies:
        assert edge.dependent not in selected or edge.head in selected
    assert render_jsonl([summary]).endswith("\n")


def _sentences(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    found = NewsSplitter().split(text)
    check_coverage("fuzzed", text, found.sentences)


def _graph(data: bytes) -> None:
    check_graph("fuzzed.onnx", data)


def _weights(data: bytes) -> None:
    read_stored(data)


def _tokenizer(data: bytes) -> None:
    with suppress(UnicodeDecodeError):
        read_tokenizer(data)


TARGETS: Mapping[str, Target] = {
    **{f"input-{kind.value}": _input_target(kind) for kind in _KINDS},
    **{f"tree-{kind}": _tree_target(kind) for kind in ("dis", "rs3", "rsd")},
    "input-email": _email,
    "layout": _layout,
    "neural": _neural,
    "ratings": _ratings,
    "analysis": _analysis_json,
    "json": _json,
    "summary": _summary,
    "sentences": _sentences,
    "graph": _graph,
    "weights": _weights,
    "tokenizer": _tokenizer,
}


def attempt(name: str, data: bytes) -> None:
    """Run a target; errors raised on purpose are its good right."""
    with suppress(DiscobertError, BundleError):
        TARGETS[name](data)


def seeds(name: str) -> list[bytes]:
    """Return the inputs that are always tried: examples, and whatever once crashed a target."""
    return [path.read_bytes() for path in sorted((SEEDS / name).glob("*")) if path.is_file()]
