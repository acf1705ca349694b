"""Validation of the sentence network: ROUGE of its three best sentences."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from discobert.language.tokens import Tokens, tokenise
from discobert.metrics.rouge import Reference, reference_of, rouge_of_tokens
from discobert.nn.sentences import SentenceNet
from discobert.runtime.tensors import Array
from discobert.train.sentences.documents import TrainingDocument, join
from discobert.train.sentences.vectors import ArticleFile

CRITERION = "rouge12"
SENTENCES = 3
BATCH = 32


@dataclass(frozen=True, slots=True)
class HeldOut:
    """A held-out document with the tokens of its sentences and its reference."""

    document: TrainingDocument
    sentences: tuple[Tokens, ...]
    reference: Reference


def held_out(file: ArticleFile, documents: Iterable[TrainingDocument]) -> list[HeldOut]:
    """Find the texts of held-out documents."""
    by_line = {document.line: document for document in documents}
    found = []
    for line, article in file.articles():
        document = by_line.get(line)
        if document is not None:
            texts = [article.text[start:end] for start, end in document.spans.tolist()]
            found.append(
                HeldOut(document, tuple(map(tokenise, texts)), reference_of(article.reference))
            )
    return found


def measure(net: SentenceNet, examples: Sequence[HeldOut]) -> Mapping[str, float]:
    """Return mean ROUGE of three sentences without repeated trigrams, in per cent."""
    scores = []
    for example, salience in zip(examples, _saliences(net, examples), strict=True):
        picked = [example.sentences[index] for index in sorted(top_sentences(salience, example))]
        found = rouge_of_tokens(example.reference, picked)
        scores.append((found.rouge1.f1, found.rouge2.f1, found.rouge_l.f1))
    rouge1, rouge2, rouge_l = (100 * np.mean(scores, 0)).tolist()
    return {"rouge1": rouge1, "rouge2": rouge2, "rougeL": rouge_l, CRITERION: rouge1 + rouge2}


def top_sentences(salience: Array, example: HeldOut) -> list[int]:
    """Choose the best sentences; one that shares a trigram with those before is skipped."""
    picked: list[int] = []
    seen: set[tuple[str, ...]] = set()
    for index in np.argsort(-salience, kind="stable").tolist():
        tokens = example.sentences[index]
        trigrams = set(zip(tokens, tokens[1:], tokens[2:], strict=False))
        if tokens and not trigrams & seen:
            picked.append(index)
            seen |= trigrams
        if len(picked) == SENTENCES:
            break
    return picked


@torch.no_grad()
def _saliences(net: SentenceNet, examples: Sequence[HeldOut]) -> list[Array]:
    order = sorted(range(len(examples)), key=lambda index: len(examples[index].document))
    found: dict[int, Array] = {}
    for low in range(0, len(order), BATCH):
        some = order[low : low + BATCH]
        batch = join([examples[index].document for index in some])
        logits = net(batch.rows, batch.places, batch.lengths)[..., 0].numpy()
        for row, index in enumerate(some):
            found[index] = logits[row, : len(examples[index].document)]
    return [found[index] for index in range(len(examples))]
