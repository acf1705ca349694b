"""The heads for texts that are no news, from editors' extracts and human summaries."""

import json
import logging
from collections.abc import Sequence
from dataclasses import asdict
from itertools import chain
from pathlib import Path

from torch import Tensor

from discobert.errors import InputError
from discobert.scorer.genre_network import GenreNetwork
from discobert.store.bundle import Bundle
from discobert.store.corpora.extracts import fold_of
from discobert.store.files import write_whole
from discobert.train.core.weights_file import write_weights_file
from discobert.train.genres.examples import ExampleReader, GenreExample
from discobert.train.genres.heads import measure_heads, train_heads
from discobert.train.genres.news import news_accuracy, train_news
from discobert.train.genres.settings import GenreTraining

logger = logging.getLogger(__name__)

WEIGHTS = "genres.safetensors"
RECORD = "genres.json"


def train_genres(
    config: GenreTraining, *, data: Path, extracts: Sequence[Path], bundle: Bundle, out: Path
) -> None:
    """Train above the sentence network of a bundle; write the weights and what they reach.

    ``data`` holds extracts/, gum/, amalgum/ and cnndm/; ``extracts`` are further files of extracts.
    """
    reader = ExampleReader.of(bundle)
    files = [data / "extracts" / "extracts.jsonl.xz", *extracts]
    gum = data / "gum" / "gum_v11.jsonl.xz"
    examples = list(chain(reader.extracts(files, data), reader.summaries(gum)))
    train, dev = ([e for e in examples if e.is_dev is is_dev] for is_dev in (False, True))
    if not any(example.extract for example in train) or not any(e.gain is not None for e in train):
        raise InputError("there are no extracts, or no human summaries, to train on")
    news = train_news(train, ridge=config.news_ridge)
    heads = train_heads(train, config)
    weights = {**news, **heads}
    out.mkdir(parents=True, exist_ok=True)
    write_weights_file(out / WEIGHTS, _contiguous(weights))
    for fold in range(config.folds):
        others = [example for example in train if fold_of(example.id, config.folds) != fold]
        write_weights_file(
            out / fold_weights(fold), _contiguous({**news, **train_heads(others, config)})
        )
        logger.info("trained without part %d of %d", fold + 1, config.folds)
    record = _record(config, bundle, train, dev, weights)
    write_whole(out / RECORD, f"{json.dumps(record, indent=2)}\n".encode())


def fold_weights(fold: int) -> str:
    """Return the name of the file of heads that have not seen a part of the texts."""
    return f"fold-{fold}.safetensors"


def _contiguous(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    return {name: value.contiguous() for name, value in weights.items()}


def _record(
    config: GenreTraining,
    bundle: Bundle,
    train: Sequence[GenreExample],
    dev: Sequence[GenreExample],
    weights: dict[str, Tensor],
) -> dict[str, object]:
    network = GenreNetwork.of({name: value.numpy() for name, value in weights.items()})
    by_genre: dict[str, list[GenreExample]] = {}
    for example in dev:
        if example.extract is not None and not example.is_news:
            by_genre.setdefault(example.extract.extract.genre, []).append(example)
    everything = list(chain.from_iterable(by_genre.values()))
    by_genre["all"] = everything
    accuracy = {name: asdict(measure_heads(network, some)) for name, some in by_genre.items()}
    for name, found in accuracy.items():
        logger.info("%s: %s", name, found)
    right = news_accuracy(weights, dev)
    logger.info("news or not: %.3f of %d texts", right, len(dev))
    return {
        "settings": asdict(config),
        "base": f"{bundle.model.name} {bundle.model.version}",
        "extracts": sum(example.extract is not None for example in train),
        "summarised": sum(example.gain is not None for example in train),
        "dev": accuracy,
        "news_accuracy": right,
    }
