"""A judge that several systems ask about the same text."""

from discobert.data.summary import Analysis, ModelId
from discobert.discourse.units import UnitKind
from discobert.protocols import Judge, Judgement


class JudgedOnce:
    """Remembers the last judgement: styles and rules differ after it, the network does not."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._last: tuple[Analysis, Judgement] | None = None

    @property
    def model(self) -> ModelId:
        """Who judges."""
        return self._judge.model

    @property
    def kind(self) -> UnitKind:
        """What a summary is made of when nobody says."""
        return self._judge.kind

    def judge(self, analysis: Analysis) -> Judgement:
        """Judge one text by itself."""
        # By identity: comparing the trees of two long texts would cost more than it saves.
        if self._last is None or self._last[0] is not analysis:
            self._last = (analysis, self._judge.judge(analysis))
        return self._last[1]
