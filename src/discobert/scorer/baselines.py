"""Scorers that need no training: position in the text, and nuclearity of the RST tree."""

from dataclasses import dataclass

from discobert.data.document import Document, Edu
from discobert.data.summary import Analysis, ModelId, Scores
from discobert.discourse.dependencies import closures, enforced_dependencies, promotion_depths
from discobert.discourse.units import UnitKind
from discobert.selection.budget import Budget
from discobert.selection.build import THREE_SENTENCES, Decoding, Salience

RST_TRIM = ModelId("rst-trim", "1")
SIXTY_WORDS = Decoding(budget=Budget(words=60))
"""About the length of news summaries; nothing is tuned."""


@dataclass(frozen=True, slots=True)
class PositionScorer:
    """Prefers early sentences and, inside a sentence, clauses that depend on no others.

    News is written that way, which makes the first sentences a baseline that is hard to beat.
    """

    model: ModelId
    fade: float = 0.7
    """What each further clause that a clause depends on leaves of its score."""
    unit: UnitKind = UnitKind.EDU

    def score(self, analysis: Analysis) -> Salience:
        """Score between 0 and 1 by position alone; three sentences are the default length."""
        doc = analysis.document
        needed = closures(len(doc.edus), enforced_dependencies(doc, analysis.rst))
        scores = Scores(
            tuple(
                self.fade ** (len(closure) - 1) / (1 + edu.sentence)
                if _stands_alone(doc, edu)
                else -1.0
                for edu, closure in zip(doc.edus, needed, strict=True)
            )
        )
        return Salience(scores, Decoding(budget=THREE_SENTENCES), self.unit)


def _stands_alone(document: Document, edu: Edu) -> bool:
    """Return whether a clause has any content alone; "But" has none, a short sentence may."""
    is_sentence = edu.span == document.sentences[edu.sentence]
    return is_sentence or len(edu.span.of(document.text).split()) > 1


@dataclass(frozen=True, slots=True)
class NuclearityScorer:
    """The nearer to the root of the RST tree an EDU is promoted, the higher; the root's get 1."""

    model: ModelId = RST_TRIM
    unit: UnitKind = UnitKind.EDU

    def score(self, analysis: Analysis) -> Salience:
        """Score by the tree alone; sixty words are the default length."""
        scores = Scores(tuple(1 / (1 + depth) for depth in promotion_depths(analysis.rst)))
        return Salience(scores, SIXTY_WORDS, self.unit)
