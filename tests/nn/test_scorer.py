"""The summariser's network: variants, batches, gradients, and overfitting four examples."""

from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tests.tiny import tiny_examples, tiny_layout  # noqa: E402

from discobert.errors import ConfigError  # noqa: E402 - after the check
from discobert.nn.batch import EduBatch, Slice, WindowSizes, join  # noqa: E402
from discobert.nn.encoder import EncoderConfig  # noqa: E402
from discobert.nn.readers import CachedPieces, CachedUnits, UpperLayersReader, plain_upper_layers  # noqa: E402
from discobert.nn.scorer import Context, DocumentPart, Inputs, ScorerConfig, SummarizerNet, Variant  # noqa: E402
from discobert.nn.spans import SpanExt  # noqa: E402
from discobert.runtime.pieces import N_SHAPES  # noqa: E402
from discobert.scorer.features import Reach, edu_units, sentence_units  # noqa: E402

HIDDEN = 16
SMALL = ScorerConfig(
    hidden=HIDDEN, context_layers=1, context_heads=2, context_feed_forward=32, dropout=0.0
)
ENCODER = EncoderConfig(hidden=HIDDEN, heads=2, feed_forward=32)
EDU_VARIANTS = [variant for variant in Variant if variant is not Variant.SENTENCE]


def slices(*, seed: int = 0) -> list[Slice]:
    rng = np.random.default_rng(seed)
    found = []
    for example in tiny_examples():
        layout = tiny_layout(example.analysis)
        pieces = rng.standard_normal((len(layout.ids), HIDDEN)).astype(np.float32)
        found.append(Slice(pieces, layout, edu_units(example.analysis, layout)))
    return found


def batch_of(parts: list[Slice], *, units: int = 256, pieces: int = 448) -> EduBatch:
    return join(parts, WindowSizes(pieces=pieces, units=units))


def net_of(config: ScorerConfig = SMALL, *, reach: Reach = Reach.WINDOW) -> SummarizerNet:
    torch.manual_seed(0)
    branch = plain_upper_layers(ENCODER, layers=1, shapes=N_SHAPES)
    reader = UpperLayersReader(branch, SpanExt(HIDDEN), reach=reach)
    return SummarizerNet(reader, DocumentPart(config))


@pytest.mark.parametrize("variant", EDU_VARIANTS)
def test_batch_equals_single_documents_in_any_order(variant: Variant) -> None:
    net = net_of(replace(SMALL, variant=variant)).eval()
    parts = slices()
    with torch.no_grad():
        alone = [net(batch_of([part])).logits for part in parts]
        together = net(batch_of(parts)).logits
        reversed_order = net(batch_of(parts[::-1])).logits
    torch.testing.assert_close(together, torch.cat(alone), atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(reversed_order, torch.cat(alone[::-1]), atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("variant", EDU_VARIANTS)
def test_every_parameter_of_a_variant_learns(variant: Variant) -> None:
    net = net_of(replace(SMALL, variant=variant))
    torch.nn.init.normal_(net.get_parameter("reader.spans.score.weight"))
    net(batch_of(slices())).logits.square().sum().backward()
    # A bias added to all scores of a unit alike changes no softmax.
    still = {name for name, p in net.named_parameters() if p.grad is None or not p.grad.any()}
    assert still <= {"reader.spans.score.bias"}


@pytest.mark.parametrize(
    ("variant", "reads_rst", "reads_coref"),
    [
        (Variant.SENTENCE, False, False),
        (Variant.EDU, False, False),
        (Variant.EDU_COREF, False, True),
        (Variant.EDU_RST, True, False),
        (Variant.EDU_BOTH, True, True),
    ],
)
def test_a_variant_reads_its_graphs_only(
    variant: Variant, *, reads_rst: bool, reads_coref: bool
) -> None:
    net = net_of(replace(SMALL, variant=variant)).eval()
    batch = batch_of(slices())
    with torch.no_grad():
        plain = net(batch).logits
        no_rst = net(replace(batch, rst=batch.rst[:, :0])).logits
        no_coref = net(replace(batch, coref=batch.coref[:, :0])).logits
    assert (not torch.allclose(plain, no_rst)) is reads_rst
    assert (not torch.allclose(plain, no_coref)) is reads_coref


def test_sentences_are_units_too() -> None:
    net = net_of(replace(SMALL, variant=Variant.SENTENCE))
    parts = [
        replace(part, units=sentence_units(example.analysis, part.layout))
        for part, example in zip(slices(), tiny_examples(), strict=True)
        if part.layout is not None
    ]
    n_sentences = sum(len(example.analysis.document.sentences) for example in tiny_examples())
    assert net(batch_of(parts)).logits.shape == (n_sentences,)


def test_the_papers_network_adds_nothing_to_the_text() -> None:
    config = replace(SMALL, inputs=Inputs.NONE, context_layers=0, variant=Variant.EDU)
    net = net_of(config).eval()
    batch = batch_of(slices())
    with torch.no_grad():
        moved = net(replace(batch, places=batch.places + 1, features=batch.features + 1)).logits
        torch.testing.assert_close(net(batch).logits, moved)


def test_places_and_features_count_where_they_are_asked_for() -> None:
    batch = batch_of(slices())
    moved = replace(batch, features=batch.features + 1)
    for inputs, counts in ((Inputs.PLACE, False), (Inputs.ALL, True)):
        net = net_of(replace(SMALL, inputs=inputs)).eval()
        with torch.no_grad():
            same = torch.allclose(net(batch).logits, net(moved).logits)
        assert same is not counts


def test_cached_means_and_a_fresh_span_extractor_agree() -> None:
    part = slices()[0]
    document = DocumentPart(SMALL).eval()
    means = np.stack([part.inputs[a:b].mean(0) for a, b in part.units.pieces])
    pooled = Slice(means, None, part.units)
    with torch.no_grad():
        cached = SummarizerNet(CachedUnits(), document)(batch_of([pooled])).logits
        pieces = (
            SummarizerNet(CachedPieces(SpanExt(HIDDEN)), document).eval()(batch_of([part])).logits
        )
    torch.testing.assert_close(cached, pieces, atol=1e-5, rtol=1e-4)


def test_windows_of_units_change_nothing_for_a_document_that_fits() -> None:
    net = net_of().eval()
    with torch.no_grad():
        wide = net(batch_of(slices(), units=256)).logits
        tight = net(batch_of(slices(), units=7)).logits
    torch.testing.assert_close(wide, tight, atol=1e-5, rtol=1e-4)


def test_sentence_attention_does_not_depend_on_the_window() -> None:
    net = net_of(reach=Reach.SENTENCE).eval()
    torch.nn.init.normal_(net.get_parameter("reader.branch.places.weight"))
    with torch.no_grad():
        wide = net(batch_of(slices())).logits
        alone = net(batch_of(slices(), pieces=1)).logits
        windows = net_of().eval()(batch_of(slices(), pieces=1)).logits
    torch.testing.assert_close(wide, alone, atol=1e-5, rtol=1e-4)
    assert not torch.allclose(windows, net_of().eval()(batch_of(slices())).logits)


def test_four_examples_are_overfitted() -> None:
    net = net_of()
    batch = batch_of(slices())
    targets = torch.tensor([index % 3 == 0 for index in range(batch.n_units)]).float()
    optimizer = torch.optim.Adam(net.parameters(), lr=5e-3)
    for _ in range(80):
        loss = torch.nn.functional.binary_cross_entropy_with_logits(net(batch).logits, targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert bool(((net(batch).logits > 0) == (targets > 0)).all())


def test_a_batch_moves_as_a_whole() -> None:
    moved = batch_of(slices()).to(torch.device("meta"))
    assert moved.rows.back.device.type == moved.pieces.segments.device.type == "meta"
    assert moved.n_documents == 4


def test_no_context_layers_means_no_context_weights() -> None:
    names = [name for name, _ in DocumentPart(replace(SMALL, context_layers=0)).named_parameters()]
    assert not any(name.startswith("context") for name in names)
    assert isinstance(DocumentPart(SMALL).context, Context)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"context_heads": 0}, "context_heads must be at least 1"),
        ({"context_heads": 3}, "multiple of context_heads"),
        ({"graph_layers": 0}, "graph_layers >= 1"),
        ({"inputs": Inputs.NONE, "width": 8}, "set width = 0"),
    ],
)
def test_impossible_shapes_are_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        replace(SMALL, **change)  # type: ignore[arg-type]


@pytest.mark.parametrize(("kind", "known"), [(Variant, "edu\\+both"), (Inputs, "place")])
def test_unknown_names_list_the_known_ones(kind: type[Variant] | type[Inputs], known: str) -> None:
    with pytest.raises(ConfigError, match=known):
        kind("all of it")
