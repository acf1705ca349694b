"""The cut head in torch says what the one at run time says."""

import numpy as np
import torch
from tests.analyser.cut_builders import normal
from tests.tiny import tiny_tokenizer

from discobert.analyser.cuts.head import CutFeatures, CutHead
from discobert.analyser.syntax import DependencyParser
from discobert.nn.cuts import (
    CutDropout,
    CutNetwork,
    DependencyNet,
    dependency_tensors,
    network_tensors,
)

WIDTH, EDU_WIDTH, SCALARS = 12, 8, 5


def make_parser() -> DependencyNet:
    torch.manual_seed(3)
    net = DependencyNet(WIDTH, hidden=10, arcs=6, dropout=0.2).eval()
    torch.nn.init.normal_(net.dist)
    return net


def test_reader_at_run_time_equals_torch() -> None:
    net = make_parser()
    parser = DependencyParser.of({k: v.float().numpy() for k, v in dependency_tensors(net).items()})
    sentences = [normal(length, WIDTH, seed=length) for length in (3, 30, 1, 7)]
    for words, found in zip(sentences, parser.parse(sentences), strict=True):
        with torch.no_grad():
            scores = net(torch.from_numpy(words)[None], torch.ones(1, len(words), dtype=torch.bool))
        for logits, shares in (
            (scores.upos, found.upos),
            (scores.relations, found.relations),
            (scores.heads, found.heads),
        ):
            np.testing.assert_allclose(logits[0].softmax(-1).numpy(), shares, atol=2e-3)


def test_padding_changes_nothing() -> None:
    net = make_parser()
    words = torch.from_numpy(normal(1, 4, WIDTH))
    padded = torch.cat([words, torch.ones(1, 3, WIDTH)], 1)
    mask = torch.tensor([[True] * 4 + [False] * 3])
    with torch.no_grad():
        alone, within = net(words, mask[:, :4]), net(padded, mask)
    torch.testing.assert_close(alone.upos, within.upos[:, :4])
    torch.testing.assert_close(alone.relations, within.relations[:, :4])
    torch.testing.assert_close(
        alone.heads.softmax(-1)[..., :4], within.heads.softmax(-1)[:, :4, :4]
    )


def test_networks_at_run_time_equal_torch() -> None:
    torch.manual_seed(5)
    shapes = {"words": (8, WIDTH), "edus": (4, EDU_WIDTH), "means": (2, WIDTH)}
    start = {name: 0.3 * torch.randn(*shape, 3) for name, shape in shapes.items()}
    net = CutNetwork(SCALARS, start, hidden=7, second=6, dropout=CutDropout(0.1, 0.1, 0.1)).eval()
    torch.nn.init.normal_(net.skip.weight)
    torch.nn.init.normal_(net.views_bias)
    centres = {name: torch.randn(*shape) for name, shape in shapes.items()}
    scales = {name: torch.rand(shape[0], 1) + 0.5 for name, shape in shapes.items()}
    views = {name: torch.randn(9, *shape) for name, shape in shapes.items()}
    scalars = torch.rand(9, SCALARS)
    scaled = {name: (views[name] - centres[name]) / scales[name] for name in shapes}
    with torch.no_grad():
        expected = net(scalars, scaled).numpy()
    tensors = network_tensors(net, centres, scales, 0) | dependency_tensors(make_parser())
    tensors |= {"mean": torch.zeros(SCALARS), "deviation": torch.ones(SCALARS)}
    settings = {"networks": 1, "calibration": [1.0, 0.0], "features": list("abcde")}
    stored = {name: value.numpy() for name, value in tensors.items()}
    head = CutHead.of(stored, settings, tiny_tokenizer())
    inputs = (scalars, views["words"], views["edus"], views["means"])
    found = head.answers(CutFeatures(*(values.numpy() for values in inputs)))
    np.testing.assert_allclose(found, expected, atol=5e-3)
