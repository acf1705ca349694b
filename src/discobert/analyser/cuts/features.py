"""Features of a cut that are read off its text, the RST tree and the tags of its words.

Every function returns named numbers; the names are those under which a bundle lists the inputs
of its cut head.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log, log1p
from operator import and_

from discobert.analyser.cuts.sentences import CutSentence, EduWords, RankWord
from discobert.data.rst import Node, Nuclearity
from discobert.language.clause_patterns import OPEN_BEFORE_CLAUSE, OPEN_BEFORE_INFINITIVE, OPEN_END
from discobert.language.cut_patterns import (
    FIRST_CLASSES,
    PATTERNS,
    REPORT,
    STOP_WORDS,
    VAGUE_NOUNS,
    first_class,
)
from discobert.language.verbs import FINITE
from discobert.language.wordlists import SUBJECT_FORMS, words

Features = dict[str, float]

RELATIONS = (
    "adversative attribution causal context contingency elaboration evaluation explanation joint "
    "mode organization purpose restatement same-unit topic"
).split()
SUBJECT_LOGIT = -0.75
"""Above it a word counts as a subject; a part of the features, whatever the analyser's own is."""

_DASHES, _QUOTES = tuple("-–—"), tuple('"“”')
_CLASSES_AFTER = "rel that to and but pron det prep name finite ing as after".split()
_KIND_NAMES = {name: (f"cut_{name}", f"rest_{name}") for name in PATTERNS}
_FIRST_NAMES = {name: f"first_{name}" for name in FIRST_CLASSES}
_AFTER_NAMES = {name: f"after_{name}" for name in _CLASSES_AFTER}
_RELATION_NAMES = {name: f"rel_{name}" for name in RELATIONS}
_NEAR = 120
"""Characters at the end of a text that patterns of open ends look at."""
_SHORT_SOURCE = 8
_LARGEST_LOGIT = 6
_THIRD_SUBJECTS = words("he she it they")
_THIRD = _THIRD_SUBJECTS | words("his her their its")
_PRONOUN_STARTS = _THIRD | words("we i this that these those")
_NEAR_PRONOUNS = _THIRD | words("him this that")


@dataclass(frozen=True, slots=True)
class CutText:
    """A sentence with a cut, as texts and as words; ``before`` and ``after`` are of its first run.

    The first run is the first EDU of the cut with those that follow it without a gap.
    """

    sentence: CutSentence
    cut: Sequence[int]
    """EDUs of the sentence that are to go, in order, counted from its first one."""
    run: range
    n_runs: int
    gone: list[EduWords]
    kept: list[EduWords]
    before: str
    after: str
    cut_words: list[str]
    rest_words: list[str]
    before_words: list[str]
    after_words: list[str]
    """Words after the first run, those of later runs included."""
    opens_by_mark: bool
    """Whether a comma, dash or bracket opens it."""
    closes_by_mark: bool
    """Whether a comma, dash or bracket closes it, or the end of the sentence."""

    @classmethod
    def of(cls, sentence: CutSentence, cut: Sequence[int]) -> "CutText":
        """Take a sentence apart."""
        profiles, spans = sentence.profiles, sentence.edus
        end = next(edu for edu in range(cut[0] + 1, len(spans) + 1) if edu not in cut)
        gone = [profiles[edu] for edu in cut]
        kept = [profile for edu, profile in enumerate(profiles) if edu not in cut]
        before = sentence.text[: spans[cut[0]].start].rstrip()
        after = sentence.text[spans[end - 1].end :].lstrip()
        return cls(
            sentence=sentence,
            cut=cut,
            run=range(cut[0], end),
            n_runs=sum(edu - 1 not in cut for edu in cut),
            gone=gone,
            kept=kept,
            before=before,
            after=after,
            cut_words=_words(gone),
            rest_words=_words(kept),
            before_words=_words(profiles[: cut[0]]),
            after_words=_words(profiles[end:]),
            opens_by_mark=before.endswith((",", *_DASHES))
            or gone[0].text.startswith((*_DASHES, *"([{")),
            closes_by_mark=_closes(gone[-1].text) or after.startswith(_DASHES) or not after,
        )


def _closes(text: str) -> bool:
    """Return whether the end of a cut is a mark that closes it."""
    return text.endswith((",", *_DASHES, *")]}")) or text.rstrip(".,").endswith(")")


def _words(profiles: Iterable[EduWords]) -> list[str]:
    return [word for profile in profiles for word in profile.words]


def text_features(sentence: CutSentence, cut: Sequence[int], rank: RankWord) -> Features:
    """Return all features of a cut but those of syntax."""
    text = CutText.of(sentence, cut)
    found: dict[str, float] = {
        **_place(text),
        **_marks(text),
        **_first_words(text),
        **_last_word(text),
        **_lengths(text),
        **_kinds(text),
        **_counts(text),
        **_rest(text),
        **_known(text),
        **_ranks(text, rank),
        **relation_features(sentence, cut),
        **_tags(sentence, cut),
    }
    return found


def _place(text: CutText) -> Features:
    n_edus, n_cut = len(text.sentence.edus), len(text.cut)
    return {
        "at_start": not text.before,
        "at_end": not text.after,
        "middle": bool(text.before and text.after),
        "n_runs": text.n_runs - 1,
        "n_edus": log(n_edus),
        "n_cut": log(n_cut),
        "share_edus": n_cut / n_edus,
        "log_sentence": log1p(text.sentence.index),
        "is_first": text.sentence.index == 0,
        "opens": text.sentence.opens_paragraph,
        "question": text.sentence.text.rstrip("\"”'’ ").endswith("?"),
    }


def _marks(text: CutText) -> Features:
    before, after = text.before, text.after
    start, end = text.gone[0].text[:1], text.gone[-1].text
    opened, closed = text.opens_by_mark, text.closes_by_mark
    return {
        "comma_before": before.endswith(","),
        "dash_before": before.endswith(_DASHES) or start in _DASHES,
        "colon_before": before.endswith((":", ";")),
        "bracket": start in tuple("([{"),
        "quote_first": start in (*_QUOTES, "'", "‘"),
        "stop_before": before.endswith((".", "!", "?")),
        "comma_end": end.endswith(","),
        "dash_end": end.endswith(_DASHES) or after.startswith(_DASHES),
        "bracket_end": end.endswith((")", "]", "}")) or end.rstrip(".,").endswith(")"),
        "quote_end": end.endswith((*_QUOTES, "'", "’")) or before.endswith(_QUOTES),
        "stop_end": end.endswith(tuple(".!?;:")),
        "comma_after": after.startswith(","),
        "enclosed": opened and closed,
        "enclosed_mid": bool(opened and closed and after and before),
        "bare": bool(before) and not opened,
        "bare_mid": bool(before and after) and not opened and not closed,
        "start_comma": not before and end.endswith(","),
        "start_bare": not before and not end.endswith(","),
    }


def _first_words(text: CutText) -> Features:
    first = first_class(text.cut_words[0]) if text.cut_words else "other"
    second = first_class(text.cut_words[1]) if len(text.cut_words) > 1 else None
    following = first_class(text.after_words[0]) if text.after_words else None
    shared_subject = second is not None and second not in ("pron", "det", "name")
    return {
        **{feature: name == first for name, feature in _FIRST_NAMES.items()},
        **{feature: name == following for name, feature in _AFTER_NAMES.items()},
        # The next line replaces the class of the word after the cut: a pronoun near it counts.
        "after_pron": any(word.lower() in _NEAR_PRONOUNS for word in text.after_words[:4]),
        "conj_finite": first in ("and", "but") and shared_subject,
    }


def _last_word(text: CutText) -> Features:
    before = text.before_words
    last = before[-1] if before else ""
    lower = last.lower()
    vague = lower in VAGUE_NOUNS or (lower.endswith("s") and lower[:-1] in VAGUE_NOUNS)
    end = text.before.rstrip("\"”'’,;:-–— ")[-_NEAR:]
    unmarked = not text.opens_by_mark
    to_follows = text.cut_words[:1] == ["to"]
    return {
        "last_stop": lower in STOP_WORDS,
        "last_vague": vague,
        "last_name": last[:1].isupper() and len(before) > 1,
        "last_ing": lower.endswith("ing"),
        "last_ed": lower.endswith("ed"),
        "last_ly": lower.endswith("ly"),
        "last_digit": last[:1].isdigit(),
        "last_s": lower.endswith("s"),
        "last_report": REPORT.fullmatch(last) is not None,
        "last_finite": lower in FINITE,
        "open_end": unmarked and OPEN_END.search(end) is not None,
        "open_clause": unmarked and OPEN_BEFORE_CLAUSE.search(end) is not None,
        "open_inf": to_follows and OPEN_BEFORE_INFINITIVE.search(end) is not None,
        "vague_open": vague and unmarked,
    }


def _lengths(text: CutText) -> Features:
    n_cut, n_rest = len(text.cut_words), len(text.rest_words)
    content_cut = sum(len(edu.ranks) for edu in text.gone)
    content_rest = sum(len(edu.ranks) for edu in text.kept)
    return {
        "log_cut": log1p(n_cut),
        "log_rest": log1p(n_rest),
        "share_words": n_cut / max(1, n_cut + n_rest),
        "rest_lt5": n_rest < 5,
        "rest_lt8": n_rest < 8,
        "rest_lt12": n_rest < 12,
        "cut_lt3": n_cut < 3,
        "cut_lt6": n_cut < 6,
        "log_before": log1p(len(text.before_words)),
        "log_after": log1p(len(text.after_words)),
        "rest_content": log1p(content_rest),
        "cut_content": log1p(content_cut),
        "content_share": content_cut / max(1, content_cut + content_rest),
    }


def _kinds(text: CutText) -> Features:
    cut_kinds = frozenset[str]().union(*(edu.kinds for edu in text.gone))
    rest_kinds = frozenset[str]().union(*(edu.kinds for edu in text.kept))
    found: Features = {}
    for name, (in_cut, in_rest) in _KIND_NAMES.items():
        found[in_cut] = name in cut_kinds
        found[in_rest] = name in rest_kinds
    cut, rest = text.cut_words, text.rest_words
    near = " ".join(text.before_words[-3:])
    return {
        **found,
        "cut_is_source": found["cut_said"] and len(cut) <= _SHORT_SOURCE,
        "rest_is_source": found["rest_said"] and len(rest) <= _SHORT_SOURCE,
        "cut_ends_report": bool(cut) and REPORT.fullmatch(cut[-1]) is not None,
        "before_report": REPORT.search(near) is not None,
    }


def _counts(text: CutText) -> Features:
    before = text.sentence.profiles[: text.run[0]]
    after = text.sentence.profiles[text.run[-1] + 1 :]
    cut_quotes, rest_quotes = (sum(e.n_quotes for e in part) for part in (text.gone, text.kept))
    cut_finite, rest_finite = (sum(e.n_finite for e in part) for part in (text.gone, text.kept))
    cut_names = sum(edu.n_capitals for edu in text.gone)
    if not text.before and text.cut_words:
        cut_names -= text.cut_words[0][0].isupper()  # the capital of the sentence
    return {
        "cut_quotes": cut_quotes > 0,
        "cut_quote_odd": cut_quotes % 2 == 1,
        "rest_quotes": rest_quotes > 0,
        "before_quote_odd": sum(edu.n_quotes for edu in before) % 2 == 1,
        "cut_caps": log1p(cut_names),
        "rest_caps": log1p(sum(edu.n_capitals for edu in text.kept)),
        "cut_digits": log1p(sum(edu.n_numbers for edu in text.gone)),
        "rest_digits": log1p(sum(edu.n_numbers for edu in text.kept)),
        "rest_finite": log1p(rest_finite),
        "cut_finite": log1p(cut_finite),
        "rest_has_finite": rest_finite > 0,
        "before_has_finite": any(edu.n_finite for edu in before),
        "after_has_finite": any(edu.n_finite for edu in after),
        "cut_names_first": _names_first(text, cut_names),
    }


def _names_first(text: CutText, n_names: int) -> bool:
    """Return whether the cut names what a pronoun right after it means."""
    follows = bool(text.after_words) and text.after_words[0].lower() in _THIRD
    return follows and not text.before and n_names > 0


def _rest(text: CutText) -> Features:
    first = text.rest_words[0].lower() if text.rest_words else ""
    start = text.kept[0].text
    second = text.cut_words[1].lower() if len(text.cut_words) > 1 else ""
    return {
        "rest_pron_start": first in _PRONOUN_STARTS,
        "rest_there": first == "there",
        "rest_it_is": start[:6].lower().startswith(("it is", "it was", "it's", "it’s")),
        "rest_conj_start": first in ("and", "but", "or", "so"),
        "rest_lower_start": start[:1].islower(),
        "cut_has_subject_pron": second in SUBJECT_FORMS,
    }


def _known(text: CutText) -> Features:
    """Return how much of the cut and of the rest the text has already said."""
    cut = frozenset().union(*(edu.stems for edu in text.gone))
    rest = frozenset().union(*(edu.stems for edu in text.kept))
    previous, seen = text.sentence.previous, text.sentence.seen
    return {
        "cut_in_prev": _share(cut, previous),
        "rest_in_prev": _share(rest, previous),
        "cut_in_rest": _share(cut, rest),
        "cut_in_seen": _share(cut, seen),
        "rest_in_seen": _share(rest, seen),
    }


def _share(stems: frozenset[str], others: frozenset[str]) -> float:
    return len(stems & others) / max(1, len(stems))


def _ranks(text: CutText, rank: RankWord) -> Features:
    found: Features = {}
    for name, edus in (("cut", text.gone), ("rest", text.kept)):
        ranks = [one for edu in edus for one in edu.ranks] or [0.0]
        found[f"{name}_rank_mean"] = sum(ranks) / len(ranks)
        found[f"{name}_rank_max"] = max(ranks)
        found[f"{name}_rank_sum"] = log1p(sum(ranks))
    before = [word.lower() for word in text.before_words[-4:]]
    near = [word for word in before if word not in STOP_WORDS]
    return {
        **found,
        "head_rank": rank(near[-1]) if near else 0.0,
        "last_rank": rank(before[-1]) if before else 0.0,
    }


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a span is in the tree: its parent, or the smallest node around it."""

    node: Node
    is_left: bool
    is_child: bool

    @property
    def is_satellite(self) -> bool:
        own = Nuclearity.RIGHT if self.is_left else Nuclearity.LEFT
        return self.node.nuclearity is own


def relation_features(sentence: CutSentence, cut: Sequence[int]) -> Features:
    """Return how the cut is related to the rest of its sentence."""
    first, end, n_edus = cut[0], cut[-1] + 1, len(sentence.edus)
    branches = sentence.nodes
    place = _place_of(branches, first, end)
    relation = place.node.relation if place else ""
    multinuclear = place is not None and place.node.nuclearity is Nuclearity.BOTH
    satellite = place is not None and place.is_satellite
    return {
        "rst_exact": place is not None and place.is_child,
        "rst_sat": satellite,
        "rst_multi": multinuclear,
        "rst_nuc": place is not None and not satellite and not multinuclear,
        "rst_left": place is not None and place.is_left,
        **{feature: name == relation for name, feature in _RELATION_NAMES.items()},
        "rst_top": place is not None and (place.node.start, place.node.end) == (0, n_edus),
        "same_unit_over": any(
            node.relation == "same-unit" and node.start < first and end <= node.end
            for node in branches
        ),
        "rest_attribution": any(node.relation == "attribution" for node in branches),
        "tree_ok": any((node.start, node.end) == (0, n_edus) for node in branches),
    }


def _place_of(branches: Sequence[Node], first: int, end: int) -> _Place | None:
    for node in branches:
        if (node.start, node.middle) == (first, end):
            return _Place(node, is_left=True, is_child=True)
        if (node.middle, node.end) == (first, end):
            return _Place(node, is_left=False, is_child=True)
    around = [
        node
        for node in branches
        if node.start <= first and end <= node.end and (node.start, node.end) != (first, end)
    ]
    if not around:
        return None
    smallest = min(around, key=lambda node: node.end - node.start)
    return _Place(smallest, is_left=first < smallest.middle, is_child=False)


def _tags(sentence: CutSentence, cut: Sequence[int]) -> Features:
    """Return where subjects are, and how sure the segmenter was of the edges of the cut."""
    goes = [edu in cut for edu in sentence.word_edus.tolist()]
    starts, scores = zip(*sentence.tags.tolist(), strict=True)
    subjects = [score > SUBJECT_LOGIT for score in scores]
    n_cut = sum(map(and_, subjects, goes))
    first, n_words = goes.index(True), len(goes)
    end = goes.index(False, first) if False in goes[first:] else n_words
    return {
        "rest_subjects": log1p(sum(subjects) - n_cut),
        "cut_subjects": log1p(n_cut),
        "before_subject": any(subjects[:first]),
        "subject_follows": any(subjects[first + sum(goes) :]),
        "boundary_first": _clipped(starts[first]),
        "boundary_after": _clipped(starts[end]) if end < n_words else 0.0,
    }


def _clipped(logit: float) -> float:
    return min(max(logit, -_LARGEST_LOGIT), _LARGEST_LOGIT)
