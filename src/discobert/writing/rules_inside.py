"""Repair rules inside a line: around cuts in the middle, and unpaired quotes and brackets."""

import re
from dataclasses import replace

from discobert.language.clause_patterns import (
    AUXILIARY,
    CONNECTIVES,
    INTRODUCTION,
    NEW_CLAUSE,
    PERSONAL_PRONOUN,
    SUBJECT,
)
from discobert.writing.fragments import LineFragments, Repair, find_end

_LAST_MARK = re.compile(
    r"(?P<mark>,|–|—|--|(?<=\s)-)(?:[\s,–—]|--|(?<=\s)-)*(?P<closers>[\"'”’]*)$"
)
_FIRST_MARK = re.compile(r"(?P<mark>,|–|—|--|-(?=\s))(?:[\s,–—]|--|-(?=\s))*")
_COMMA = re.compile(r",(?=\s)(?!\s+\d{4}\b)")
_CLAUSE_BREAK = re.compile(r"[;:!?–—]\s|\s--?\s")
_KEEPS_COMMA = re.compile(rf"[\"'“‘]?(?:(?:{NEW_CLAUSE})\b|(?:and|or)\s+{PERSONAL_PRONOUN})")
_SUBJECT = re.compile(SUBJECT)
_ONLY_CONNECTIVE = re.compile(rf"\W*(?:{CONNECTIVES})")
_WEAK_END = re.compile(r"[\s,;:]+$")
_PUNCTUATION = frozenset(",;:.!?…–—-([")
_STRONGER = frozenset(",;:.!?…([")
_ENDED_CLAUSE = re.compile(r"(?P<mark>[,;:])[\s,;:]*(?P<closers>[\"'”’]*)$")
_ENDED_QUOTATION = re.compile(r"(?P<all>[,!?](?P<mark>[\"'”’»]))\s*$")
_APOSTROPHE = re.compile(r"(?<=\w)['’](?=\w)")
_ENDED_SENTENCE = re.compile(r"(?<![.\s]\w)\.[\"'”’]*$")
_SENTENCE_START = re.compile(r"[\"'“‘]?[A-Z]")
_NO_SPACE_BEFORE = re.compile(
    r"[,.;:!?…%)\]}”»]|['’](?:s|d|ll|re|ve|m|t)\b|[\"'’](?=[\s,.;:!?)\]}]|$)"
)
_NO_SPACE_AFTER = re.compile(r"[(\[{“‘«„$£€]$")
_OTHER_END = {"“": "”", '"': '"', "‘": "’", "'": "'", "«": "»"}
OPENING_MARKS = frozenset(_OTHER_END)
_OTHER_START = {"”": "“", '"': '"', "’": "‘", "'": "'", "»": "«"}
_CLOSING_QUOTES = {"”": "“", '"': '"', "’": "‘", "'": "'"}


def _end_quotation(line: LineFragments) -> LineFragments:
    """Close a quotation whose end was cut at the end of the line; open one at its start.

    A quotation without an end that goes on in the next line is closed there.
    """
    if line.inside and not line.continued and not line.cuts[-1]:
        return replace(line, inside="").with_end(line.shown[-1] + _OTHER_END[line.inside])
    found = [(index, *span) for index, spans in enumerate(line.orphans) for span in spans]
    if len(found) != 1:
        return line
    ((index, start, end),) = found
    text = line.shown[index]
    mark, opens = text[start:end], not text[:start].strip() or text[start - 1].isspace()
    if opens and mark in _OTHER_END:
        if index == len(line.shown) - 1:
            return line if line.continued else line.with_end(text + _OTHER_END[mark])
        return _end_at_cut(line, index, _OTHER_END[mark])
    if not opens and index == 0 and mark in _OTHER_START:
        return line.with_start(_OTHER_START[mark] + text.lstrip(" ,;:–—-"))
    return line


def _end_at_cut(line: LineFragments, index: int, mark: str) -> LineFragments:
    """End a quotation before the words cut from its end: “We left [at noon],” he said.

    The quotation opens in the fragment at ``index``; fragments after it may belong to it as well.
    """
    for last in range(index, len(line.shown) - 1):
        cut = line.cuts[last + 1]
        end = find_end(_ENDED_QUOTATION, cut)
        if end and end["mark"] == mark and mark not in _APOSTROPHE.sub("", cut[: end.start()]):
            shown, cuts = list(line.shown), list(line.cuts)
            shown[last] = _WEAK_END.sub("", shown[last]) + end["all"]
            cuts[last + 1] = cut[: end.start()]
            return replace(line, cuts=tuple(cuts)).with_shown(tuple(shown))
        if mark in _APOSTROPHE.sub("", f"{cut} {line.shown[last + 1]}"):
            break
    return line


def _drop_orphans(line: LineFragments) -> LineFragments:
    """Delete quotation marks and brackets whose partner is not shown."""
    if not any(line.orphans):
        return line
    return line.with_shown(
        tuple(_delete(text, spans) for text, spans in zip(line.shown, line.orphans, strict=True))
    )


def _delete(text: str, spans: tuple[tuple[int, int], ...]) -> str:
    for start, end in reversed(spans):
        before, after = text[:start], text[end:]
        spaced = before[-1:].isspace() and (not after or after[0].isspace())
        text = before.rstrip() + after if spaced else before + after
    return text


def _rejoin_quotation(line: LineFragments) -> LineFragments:
    """Join two parts of a quotation that only cut text separated."""
    shown = list(line.shown)
    for index in range(len(shown) - 1):
        left, right = shown[index], shown[index + 1]
        opening = _CLOSING_QUOTES.get(left[-1:])
        if opening and right.startswith(opening) and right[1:2].islower():
            shown[index], shown[index + 1] = left[:-1], right[1:]
    return line if tuple(shown) == line.shown else line.with_shown(tuple(shown))


def _unpair_commas(line: LineFragments) -> LineFragments:
    """Delete the commas or dashes that set off a clause which was cut out."""
    shown, joints, cuts = list(line.shown), list(line.joints), list(line.cuts)
    for index in range(len(shown) - 1):
        left, right = _without_pair(shown[index], cuts[index + 1], shown[index + 1])
        if (left, right) != (shown[index], shown[index + 1]):
            shown[index : index + 2] = left, right
            joints[index] = " "
            # The closing mark is deleted with the clause: no later rule may inherit it.
            cuts[index + 1] = _LAST_MARK.sub("", cuts[index + 1])
    if tuple(shown) == line.shown:
        return line
    return replace(line, cuts=tuple(cuts)).with_shown(tuple(shown), tuple(joints))


def _without_pair(left: str, cut: str, right: str) -> tuple[str, str]:
    last, first = find_end(_LAST_MARK, left), _FIRST_MARK.match(right)
    opening = last or _FIRST_MARK.match(cut)
    closing = first or find_end(_LAST_MARK, cut)
    if not opening or not closing or (opening["mark"] == ",") != (closing["mark"] == ","):
        return left, right
    bare_right = right[first.end() :] if first else right
    ended_quotation = not first and closing["closers"]
    before = left[: last.start()] if last else left
    if opening["mark"] == "," and (ended_quotation or _needs_comma(before, bare_right)):
        return left, bare_right if last else right
    return left[: last.start()].rstrip() + last["closers"] if last else left, bare_right


def _inherit_punctuation(line: LineFragments) -> LineFragments:
    """Add to a fragment the comma or stop that ended a clause cut after it.

    In "When he came home [from work], he slept" the comma belongs to all words before it.
    """
    shown, cuts = list(line.shown), list(line.cuts)
    for index in range(len(shown) - 1):
        left, cut, right = shown[index], cuts[index + 1], shown[index + 1]
        inherited = _inherited(left, cut, right)
        if inherited:
            shown[index] = left + inherited
            cuts[index + 1] = _ENDED_CLAUSE.sub("", cut)  # so that it is inherited once
        elif find_end(_ENDED_SENTENCE, cut) and _SENTENCE_START.match(right):
            shown[index] = _WEAK_END.sub("", left).removesuffix(".") + "."
    if tuple(shown) == line.shown:
        return line
    return replace(line, cuts=tuple(cuts)).with_shown(tuple(shown))


def _inherited(left: str, cut: str, right: str) -> str:
    last = find_end(_ENDED_CLAUSE, cut)
    if not last or not _may_inherit(left, cut, right):
        return ""
    inner = cut[: last.start()]
    if last["mark"] == "," and ";" not in inner:
        closes_inner = len(_COMMA.findall(inner)) % 2 == 1
        expected = last["closers"] or _KEEPS_COMMA.match(right) or INTRODUCTION.match(left)
        return "," if expected or not closes_inner else ""
    return ";" if ";" in inner else last["mark"]


def _may_inherit(left: str, cut: str, right: str) -> bool:
    free = left[-1:].isalnum() and not cut.startswith(",") and right[:1] not in _PUNCTUATION
    return free and not _ONLY_CONNECTIVE.fullmatch(left) and not AUXILIARY.match(right)


def _needs_comma(left: str, right: str) -> bool:
    """Return whether a comma stays: before a new clause, after an introduction or "Smith, 45"."""
    if _KEEPS_COMMA.match(right):
        return True
    clause = _CLAUSE_BREAK.split(left)[-1]
    n_commas = len(_COMMA.findall(clause))
    if INTRODUCTION.match(clause):
        return _SUBJECT.match(right) is not None if n_commas == 0 else n_commas % 2 == 0
    return n_commas % 2 == 1


def _single_punctuation(line: LineFragments) -> LineFragments:
    """Keep the stronger of two adjacent punctuation marks."""
    shown = list(line.shown)
    for index in range(len(shown) - 1):
        left, right = shown[index], shown[index + 1]
        if right[:1] not in _STRONGER:
            continue
        shown[index] = left = _WEAK_END.sub("", left)
        if left.endswith(("!", "?", "…")) or (left.endswith(".") and right.startswith(".")):
            shown[index + 1] = right.lstrip(",;:. \t\r\n")
    return line if tuple(shown) == line.shown else line.with_shown(tuple(shown))


def _close_up(line: LineFragments) -> LineFragments:
    """Leave no space before a comma or a closing mark, nor after an opening one."""
    pairs = zip(line.shown, line.shown[1:], line.joints, strict=False)
    joints = tuple(
        "" if _NO_SPACE_BEFORE.match(right) or _NO_SPACE_AFTER.search(left) else joint
        for left, right, joint in pairs
    )
    return line if joints == line.joints else line.with_shown(line.shown, joints)


ENDED_QUOTATION = Repair("ended-quotation", _end_quotation, whole=True, excerpt=True)
ORPHAN_MARKS = Repair("orphan-marks", _drop_orphans)
SPLIT_QUOTATION = Repair("split-quotation", _rejoin_quotation, joins=True)
COMMA_PAIRS = Repair("comma-pairs", _unpair_commas, joins=True)
INHERITED_PUNCTUATION = Repair("inherited-punctuation", _inherit_punctuation, joins=True)
DOUBLED_PUNCTUATION = Repair("doubled-punctuation", _single_punctuation, joins=True)
SPACING = Repair("spacing", _close_up, joins=True)
