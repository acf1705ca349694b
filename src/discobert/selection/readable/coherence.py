"""Which sentences can follow a selection: nothing may refer to what is not shown.

Readers take a pronoun for what the sentence before it names. Predicted coreference is often wrong
about people, so a chain alone is not enough: unless the sentence before it in the text is shown, a
pronoun counts as resolved only if its own sentence names something before it, or if its cluster
has a mention in the sentence that is shown before.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from discobert.data.coref import Cluster
from discobert.data.document import Document
from discobert.discourse.references import KnownEntities, References
from discobert.language.wordlists import I_PRONOUNS, WE_PRONOUNS, YOU_PRONOUNS
from discobert.selection.readable.content import (
    content_stems,
    definite_stems,
    described_before,
)
from discobert.selection.readable.turns import (
    answers_a_question,
    elliptical_answers,
    interviewers_sentences,
    is_question,
    sentences_inside_turns,
)

_ALWAYS_BACK = (
    "but however yet instead nevertheless nonetheless though conversely otherwise thus therefore "
    "hence consequently accordingly similarly likewise and or nor also meanwhile additionally "
    "moreover furthermore besides indeed afterwards afterward elsewhere secondly thirdly lastly "
    "neither okay yes altogether certainly others another such relatedly"
).split()
"""Words that open a sentence only to continue another one."""
_PHRASES_BACK = (
    "even so|if so|as a result|as such|by contrast|in contrast|that's why|that is why|this is why|"
    "for example|for instance|in other words|in addition|in fact|after that|by then|"
    "at that time|since then|"
    "on the other hand|what's more|either way|in this case|in that case|for this reason|"
    "because of this|despite this|after this|before that|not so|the same|the other|the latter|"
    "the former|among other|among others|among them|in total|in response|in return|in turn|"
    "in the (?:first|second|third|other|same|latter|former)|the second|the third|other"
).split("|")
_BACK_BEFORE_COMMA = (
    "still then so again finally later next well second third no earlier too both"
).split()
"""Words that continue another sentence if a comma follows: "Later, …", not "Later this week …"."""
_OPENS_BACK = re.compile(
    r"[\W_]*(?:(?:{always})\b|(?:{comma}),)".format(
        always="|".join((*_ALWAYS_BACK, *_PHRASES_BACK)).replace("'", "['’]"),
        comma="|".join(_BACK_BEFORE_COMMA),
    ),
    re.IGNORECASE,
)
_OPENING_BOTH = re.compile(r"[\W_]*both\b(?!.*\band\b)", re.IGNORECASE | re.DOTALL)
"""Stands for two people or things named before; "Both Ann and Bo" names them itself."""
_OPENING_BRACKET = re.compile(r"\s*[(\[](?!CNN)")
"""An aside to the sentence before; not the name of an agency."""
_TIME = (
    "day|week|weekend|month|year|morning|afternoon|evening|spring|summer|autumn|fall|winter|season|"
    "century|decade|time|term|campaign|article|paper|report|guide|document|policy|book|study|"
    "section|chapter|page|module|video|country"
)
_POINTS_BACK = re.compile(
    rf"""\b(?:
        (?:this|these)\s+(?!(?:{_TIME})s?\b)[a-z-]+
        | (?:like|of|after|before|by|with|do|did|from|about)\s+(?:this|these|that|those)\s*[,.;!?]
        | (?:in|on|at|during|after|before|since|by|for|from|with|to|about|against|despite|over|
            under|until|following)\s+(?:that|those)\s+
            (?!(?:who|which|of|in|the|a|an|he|she|it|they|his|her|their|is|was|are|were|will|would|
            can|could|may|might|has|have|had|not|we|you|i|there|this|these|some|many|most|all|such|
            no|if|when|where|what|as|by|with|for|to|do)\b)[a-z-]+
        | those\s+(?!(?:who|whose|which|that|of|in|with|from|on|at|to|for|by|aged|over|under|not|
            already|affected|involved|responsible|killed|injured|living|working|looking|are|were|
            is|without|behind|around|near|like|most|more)\b)[a-z-]+
        | such\s+(?!as\b|an?\b|that\b)[a-z-]+
        | (?:has|have|had)\s+since
        | similar\s+(?!to\b)[a-z-]+
        | the\s+(?:latter|former|other\s+two|other\s+side)
        | then(?![-\w]|\s+(?:prime|president|home|foreign|cabinet|chancellor|secretary|manager))
        | there(?!['’]|\s+(?:is|are|was|were|has|have|had|will|would|may|might|can|could|should|
            must|be|been|being|remains?|remained|seems?|seemed|appears?|appeared|still|also|never|
            [a-z]+n['’]t|to|must|comes?|came|exists?|existed)\b)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
"""Phrases that point at something said shortly before, wherever they stand in a sentence."""
_REASON_ALONE = re.compile(r"[\W_]*because\b[^,]*$", re.IGNORECASE)
"""The reason for what the sentence before says: "Because it rained." """
_BROKEN_OFF = re.compile(r"\s*[,;:)\]]")
"""A sentence whose beginning the text lacks, such as the name of a link."""
_OPENINGS_BACK = (_OPENS_BACK, _OPENING_BOTH, _OPENING_BRACKET, _REASON_ALONE, _BROKEN_OFF)
_CONTRAST = re.compile(
    r"[\W_]*(?:but|however|yet|instead|nevertheless|nonetheless)\b", re.IGNORECASE
)
_PRONOUN = re.compile(
    r"\b(?:he|him|his|himself|she|her|hers|herself|they|them|their|theirs|themselves)\b",
    re.IGNORECASE,
)
_AGE = re.compile(r"\bthe \d+-year-old\b", re.IGNORECASE)
"""Stands for somebody named shortly before, even if no cluster has it."""
_NUMBER_OF_THEM = re.compile(r"\b[Tt]he (?:two|three|four|five|six|seven|eight|nine|ten)\b")
"""Stands for as many people or things, named before."""
_NEAR = 2
"""Sentences back to the one shown before in which readers look for that person."""
_OPENING_PRONOUN = re.compile(
    r"[\W_]*(?P<word>(?:he|she|they|it|his|her|its|their|this|that|these|those)\b)", re.IGNORECASE
)
_OF_PEOPLE = frozenset("he she they his her their".split())
_POINTS_NOWHERE = re.compile(
    r"[\W_]*(?:it (?:is|was|has been|will be|would be|seems?|appears?|emerged)|"
    r"this (?:week|month|year|morning|weekend|summer|winter|spring|autumn|season|time|afternoon|"
    r"evening|article|paper|report|guide|document|policy|book|study|section)|"
    r"these days|those who|this is (?:a|an|the|my|our))\b",
    re.IGNORECASE,
)
"""Openings with a pronoun that needs no antecedent: "It is likely that …", "This week …"."""
_ITSELF = re.compile(
    r"th(?:is|ese)\s+(?:special|present|short|little)?\s*(?:article|chapter|document|guide|issue|"
    r"licen[cs]e|library|manuscript|module|notice|package|paper|policy|project|readme|release|"
    r"report|research|review|study|survey|talk|thesis|version|website|work)\b",
    re.IGNORECASE,
)
"""What names the text itself in a text that is no news: "This review", "these release notes"."""
_THIS_WORK = re.compile(
    r"\bthis (?:article|paper|report|study|survey|research|review|work)\b", re.I
)
_CITES = re.compile(r"\bet\s+al\b|\[\d+(?:[,–-]\s?\d+)*\]|\((?:[^()]*\s)?(?:19|20)\d\d[a-z]?\)")
"""Names another work, which "this study" in the next sentence may be."""
_OPENERS = (
    "After All Although And As At Because Before Both But By Despite During Each Earlier Even "
    "Every For From He Her Here His How If In It Its Just Last Later Many Most No Not Now On Once "
    "Only Or She Since So Some Still Their Then There They This Though To Today Tomorrow Under "
    "Until We What When Where While Who Why With Without Yesterday Yet You"
).split()
_NAMES_SOMETHING = re.compile(
    rf"\b(?:(?!(?:{'|'.join(_OPENERS)})\b)[A-Z][\w’'-]+|(?i:an?|the|my|our|whose)\s|\w+['’]s\s)"
)
"""A name or a noun phrase; capitals of words that open sentences are no names."""
_SPEAKING = I_PRONOUNS | WE_PRONOUNS | YOU_PRONOUNS


@dataclass(frozen=True, slots=True)
class _Needs:
    """What some EDUs of a sentence need of the sentence that is shown before them."""

    name_nearby: bool
    """It must be near: "the 33-year-old"."""
    mentions: tuple[int, ...]
    """It must mention the clusters of the pronouns at these characters."""


@dataclass(frozen=True, slots=True)
class _Known:
    """What the EDUs shown so far make known, and the clusters of their dangling references."""

    known: KnownEntities
    loose: frozenset[int]


class Coherence:
    """Which sentences of one document can follow which others in a summary."""

    def __init__(
        self,
        document: Document,
        clusters: Sequence[Cluster],
        references: References | None = None,
        *,
        neighbours: Sequence[int | None] | None = None,
        is_news: bool = True,
    ) -> None:
        """Index a document; ``neighbours`` are the body sentences before each sentence.

        By default that is the sentence before; headings and captions between two sentences do not
        keep the second from following the first. In a text that is no news, "this review" may be
        the text itself.
        """
        self._is_news = is_news
        self._neighbours = neighbours or [None, *range(len(document.sentences) - 1)]
        self._document = document
        self._references = references or References(document, clusters)
        self._edus = document.edus_by_sentence()
        self._starts = starts = [sentence.start for sentence in document.sentences]
        self._body = frozenset(self._neighbours) | {len(starts) - 1}
        # By sentence: the clusters it mentions, and those it mentions otherwise than by "I", "you".
        self._clusters: list[set[int]] = [set() for _ in starts]
        self._described: list[set[int]] = [set() for _ in starts]
        self._cluster_at: dict[int, int] = {}
        for index, cluster in enumerate(clusters):
            for mention in cluster.mentions:
                sentence = bisect_right(starts, mention.span.start) - 1
                self._clusters[sentence].add(index)
                self._cluster_at[mention.span.start] = index
                if mention.span.of(document.text).lower() not in _SPEAKING:
                    self._described[sentence].add(index)
        self._bound = sentences_inside_turns(document) | elliptical_answers(document)
        self._asked = interviewers_sentences(document)
        self._states: dict[tuple[int, ...], _Known] = {}
        # The search asks of the same sentences again and again, after other ones each time.
        self._known_stems: dict[int, frozenset[str]] = {}
        self._known_descriptions: dict[int, tuple[frozenset[str], frozenset[str]]] = {}
        self._known_pointers: dict[int, bool] = {}
        self._known_needs: dict[tuple[int, tuple[int, ...]], _Needs | None] = {}

    def follows(
        self, sentence: int, edus: Sequence[int], shown: Sequence[int], shown_edus: Sequence[int]
    ) -> bool:
        """Return whether some EDUs of a sentence can come after the sentences ``shown``.

        ``shown_edus`` are their EDUs. What follows its neighbour in the text may, but for an answer
        ("Yes, …") to a question that is not shown. What an interviewer says never follows.
        """
        if sentence in self._asked:
            return False
        previous = shown[-1] if shown else None
        if previous is not None and previous == self._neighbours[sentence]:
            if answers_a_question(self._text(sentence)) and not is_question(self._text(previous)):
                return False
            return not self._skips_antecedent(sentence, edus, previous)
        if not self._may_follow(sentence, tuple(edus), previous):
            return False
        if not self._description_resolved(sentence, edus, shown):
            return False
        state = self._state(tuple(shown_edus))
        return not self._references.would_dangle(edus, state.known, loose=state.loose)

    def is_interviewers(self, sentence: int) -> bool:
        """Return whether a sentence leads up to an interviewer's question."""
        return sentence in self._asked

    def stands_alone(self, sentence: int, edus: Sequence[int]) -> bool:
        """Return whether some EDUs of a sentence may open a summary, by their own words."""
        return sentence not in self._asked and self._may_follow(sentence, tuple(edus), None)

    def _skips_antecedent(self, sentence: int, edus: Sequence[int], previous: int) -> bool:
        """Return whether what a first pronoun stands for is only in furniture between the two."""
        between = range(previous + 1, sentence)
        if not between:
            return False
        pronouns = self._open_pronouns(edus)
        opening = _OPENING_PRONOUN.match(self._document.text, self._starts[sentence])
        if opening and edus[0] == self._edus[sentence].start:
            pronouns.append(opening.start("word"))
        needed = {self._cluster_at.get(at) for at in pronouns} - self._described[previous]
        return any(needed & self._described[index] for index in between)

    def _text(self, sentence: int) -> str:
        return self._document.sentences[sentence].of(self._document.text)

    def _description_resolved(
        self, sentence: int, edus: Sequence[int], shown: Sequence[int]
    ) -> bool:
        """Return whether "The decision …" comes after something that can be meant by it."""
        if edus[0] != self._edus[sentence].start:
            return True
        needed, introduced = self._descriptions(sentence)
        if needed and not any(needed & self._stems(index) for index in shown):
            return False
        return not introduced or self._is_new(sentence, introduced, shown)

    def _descriptions(self, sentence: int) -> tuple[frozenset[str], frozenset[str]]:
        """Return what a description at the start of a sentence stands for, and its own words."""
        if sentence not in self._known_descriptions:
            text = self._text(sentence)
            self._known_descriptions[sentence] = described_before(text), definite_stems(text)
        return self._known_descriptions[sentence]

    def _is_new(self, sentence: int, words: frozenset[str], shown: Sequence[int]) -> bool:
        """Return whether none of some words was introduced by sentences that are not shown."""
        if any(words & self._stems(index) for index in shown):
            return True
        first = shown[0] if shown else 0
        return not any(words & self._stems(index) for index in range(first, sentence))

    def _stems(self, sentence: int) -> frozenset[str]:
        if sentence not in self._known_stems:
            self._known_stems[sentence] = content_stems(self._text(sentence))
        return self._known_stems[sentence]

    def _state(self, shown_edus: tuple[int, ...]) -> _Known:
        """Return the entities that EDUs make known; many sentences are tried after the same."""
        if shown_edus not in self._states:
            known = KnownEntities(self._references, shown_edus)
            dangling = self._references.dangling(shown_edus, known)
            loose = frozenset(each.cluster for each in dangling if each.cluster is not None)
            self._states[shown_edus] = _Known(known, loose)
        return self._states[shown_edus]

    def _may_follow(self, sentence: int, edus: tuple[int, ...], previous: int | None) -> bool:
        """Return whether its own words allow a sentence to come after one before its neighbour."""
        needs = self._needs(sentence, edus)
        if needs is None:
            return False
        if needs.name_nearby and (previous is None or sentence - previous > _NEAR):
            return False
        return all(self._mentioned(at, previous) for at in needs.mentions)

    def _needs(self, sentence: int, edus: tuple[int, ...]) -> _Needs | None:
        key = sentence, edus
        if key not in self._known_needs:
            self._known_needs[key] = self._find_needs(sentence, edus)
        return self._known_needs[key]

    def _find_needs(self, sentence: int, edus: tuple[int, ...]) -> _Needs | None:
        """Return what some EDUs need of the sentence shown before; None: their very neighbour."""
        if sentence in self._bound or self._names_a_cited_work(sentence):
            return None
        opens = edus[0] == self._edus[sentence].start
        opening = self._opening_needs(sentence) if opens else ()
        if opening is None or any(map(self._points_back, edus)) or self._counts_others(edus):
            return None
        return _Needs(self._opens_with_age(edus), (*opening, *self._open_pronouns(edus)))

    def _names_a_cited_work(self, sentence: int) -> bool:
        """Return whether "this study" may be one that the sentence before cites."""
        if not sentence or not _THIS_WORK.search(self._text(sentence)):
            return False
        return _CITES.search(self._text(sentence - 1)) is not None

    def _opens_with_age(self, edus: Sequence[int]) -> bool:
        """Return whether "the 33-year-old" comes before any name in the EDUs shown."""
        text, first = self._document.text, self._document.edus[edus[0]].span
        age = _AGE.search(text, first.start, first.end)
        return age is not None and not _NAMES_SOMETHING.search(text, first.start, age.start())

    def _counts_others(self, edus: Sequence[int]) -> bool:
        """Return whether "the three" comes before any name in the EDUs shown."""
        text, edu = self._document.text, self._document.edus
        start, end = edu[edus[0]].span.start, edu[edus[-1]].span.end
        count = _NUMBER_OF_THEM.search(text, start, end)
        return count is not None and not _NAMES_SOMETHING.search(text, start, count.start())

    def _points_back(self, edu: int) -> bool:
        if edu not in self._known_pointers:
            self._known_pointers[edu] = self._has_pointer(edu)
        return self._known_pointers[edu]

    def _has_pointer(self, edu: int) -> bool:
        """Return whether an EDU has "this bridge", "has since", "there" or the like."""
        span, text = self._document.edus[edu].span, self._document.text
        found = _POINTS_BACK.finditer(text, span.start, span.end)
        return any(
            self._is_news or not _ITSELF.match(text, each.start(), span.end) for each in found
        )

    def _opening_needs(self, sentence: int) -> tuple[int, ...] | None:
        """Return where the first words have a pronoun of a person; None: they need more than that.

        Predicted clusters of things are too often wrong: their pronouns need the neighbour.
        """
        text, span = self._document.text, self._document.sentences[sentence]
        if any(words.match(text, span.start, span.end) for words in _OPENINGS_BACK):
            return None
        opening = _OPENING_PRONOUN.match(text, span.start, span.end)
        if not opening or _POINTS_NOWHERE.match(text, span.start, span.end):
            return ()
        if not self._is_news and _ITSELF.match(text, opening.start("word"), span.end):
            return ()
        return (opening.start("word"),) if opening["word"].lower() in _OF_PEOPLE else None

    def _open_pronouns(self, edus: Sequence[int]) -> list[int]:
        """Return where the EDUs have pronouns of people before they name anything."""
        text, found = self._document.text, list[int]()
        for span in (self._document.edus[edu].span for edu in edus):
            found += (
                pronoun.start()
                for pronoun in _PRONOUN.finditer(text, span.start, span.end)
                if not _NAMES_SOMETHING.search(text, span.start, pronoun.start())
            )
            if _NAMES_SOMETHING.search(text, span.start, span.end):
                break
        return found

    def _mentioned(self, at: int, previous: int | None) -> bool:
        """Return whether a sentence mentions the cluster of the mention at a character.

        "I" and "you" do not say of whom. All sentences between the two must mention it, too: where
        the text turns to somebody else, the cluster is often wrong.
        """
        cluster = self._cluster_at.get(at)
        if previous is None or cluster not in self._described[previous]:
            return False
        sentence = bisect_right(self._starts, at) - 1
        between = (index for index in range(previous + 1, sentence) if index in self._body)
        return all(cluster in self._clusters[index] for index in between)


def opens_with_contrast(sentence: str) -> bool:
    """Return whether a sentence opens with "But", "However" or the like."""
    return _CONTRAST.match(sentence) is not None
