"""Repair rules at the edges of a line whose beginning or end was cut."""

import re
from dataclasses import replace

from discobert.language.clause_patterns import (
    CONJUNCTS,
    CONNECTIVES,
    PREPOSITION,
    QUESTION,
    SUBJECT,
    SUBORDINATORS,
)
from discobert.writing.fragments import DROPPED, LineFragments, Repair, find_end

_WEAK_START = r"(?:[\s,;:!?…–—=]|[-.](?!\d))"
_LEADING_PUNCTUATION = re.compile(rf"{_WEAK_START}+")
_LEADING_CONNECTIVE = re.compile(
    rf"{_WEAK_START}*(?:(?:{CONNECTIVES})\b(?![-/'’])|(?:[Ss]o|[Yy]et)\b(?=,?\s+{SUBJECT}))"
)
_COMPLEMENTISER = re.compile(rf"that\s+(?=[\"'“‘]?\s*(?:{SUBJECT}|{PREPOSITION}))")
_LONE_SUBORDINATOR = re.compile(rf"(?:{SUBORDINATORS})\s+(?={SUBJECT})")
_TRAILING_CONNECTIVE = re.compile(rf"(?:[\s,;:–—-]*\s(?:{CONNECTIVES}))+[\s,]*$")
_FIRST_WORD = re.compile(r"(?P<before>[^\w@#]*)(?P<letter>[^\W\d_])(?P<rest>\S*)")
_ADDRESS = re.compile(r"\S*(?:://|www\.|@)")
_DATELINE = re.compile(
    r"(?:[A-Z][^()\n]{0,60}?\s)?"
    r"(?:\((?:AP|AFP|Reuters|[A-Z][\w. ]{1,30})\)\s*(?:--+|–|—|-)|\(CNN\)\s*(?:--+|–|—|-)?)\s*"
)
_DISCOURSE_CONNECTIVE = re.compile(
    rf"(?:(?:And|But|Or)\b(?![-/'’])|(?:So|Yet)\b(?=,?\s+{SUBJECT})|(?:{CONJUNCTS})(?=,)),?\s+(?=[\w\"'“‘$£€])"
)
_ALSO = re.compile(
    r"(?P<before>[^\"“”‘]*?(?<!\bbut)(?<!\bsee)(?<!\bSee))\salso(?=\s(?!known\b|called\b|named\b)[a-z])"
)
_NOTES = re.compile(r"(?:\s*\[\w{1,4}\])+$")
_TOKEN = re.compile(r"\w+|[^\w\s]")
_CLOSERS = "\"'”’»)]}"
_SPACE = " \t\n\r\f\v\xa0"
_WEAK = ",;:–—=-" + _SPACE
_STOPS = (".", "!", "?", "…")


def _drop_leading_punctuation(line: LineFragments) -> LineFragments:
    """Delete punctuation that ended text cut before the line."""
    return _without_start(line, _LEADING_PUNCTUATION)


def _drop_leading_connective(line: LineFragments) -> LineFragments:
    """Delete "and", "but", "or", "so" that connected the line to text cut before it."""
    while (changed := _without_start(line, _LEADING_CONNECTIVE)) is not line:
        line = _without_start(changed, _LEADING_PUNCTUATION)
    return line


def _drop_complementiser(line: LineFragments) -> LineFragments:
    """Delete the "that" of "they found that she was ill" if "they found" was cut."""
    return _without_start(line, _COMPLEMENTISER)


def _drop_lone_subordinator(line: LineFragments) -> LineFragments:
    """Delete "although" before a single clause; before several clauses it stays."""
    alone = line.n_edus == 1 and "," not in line.shown[0].rstrip(_WEAK + _CLOSERS)
    return _without_start(line, _LONE_SUBORDINATOR) if alone else line


def _without_start(line: LineFragments, pattern: re.Pattern[str]) -> LineFragments:
    while line.cuts[0] and (match := pattern.match(line.shown[0])):
        line = line.with_start(line.shown[0][match.end() :])
    return line


def _drop_trailing_connective(line: LineFragments) -> LineFragments:
    """Delete an "and" that connected the line to text cut after it."""
    while line.cuts[-1] and (match := find_end(_TRAILING_CONNECTIVE, line.shown[-1])):
        line = line.with_end(line.shown[-1][: match.start()])
    return line


def _end_with_stop(line: LineFragments) -> LineFragments:
    """End a line whose end was cut with a stop in place of its comma, or with its "?"."""
    if not line.cuts[-1]:
        return line
    core, weak, closers = _split_end(line.shown[-1])
    if not core and len(line.shown) > 1:
        return _end_with_stop(line.with_end(""))
    if _NOTES.sub("", core + closers).rstrip(_CLOSERS + _SPACE).endswith(_STOPS):
        end = core + closers
    elif weak:
        end = core + _stop_of(line) + closers
    else:
        end = core + closers + _stop_of(line)
    return line if end == line.shown[-1] else line.with_end(end)


def _stop_of(line: LineFragments) -> str:
    asked = line.cuts[-1].rstrip().rstrip(_CLOSERS).endswith("?")
    return "?" if asked and not line.cuts[0] and QUESTION.match(line.shown[0]) else "."


def _drop_trailing_punctuation(line: LineFragments) -> LineFragments:
    """Delete punctuation before text cut after the line."""
    while line.cuts[-1]:
        core, _, closers = _split_end(line.shown[-1])
        if core + closers == line.shown[-1]:
            break
        line = line.with_end(core + closers)
    return line


def _split_end(text: str) -> tuple[str, str, str]:
    """Return text, weak punctuation and closing quotes; weak punctuation after those is dropped."""
    trimmed = text.rstrip(_WEAK)
    body = trimmed.rstrip(_CLOSERS + _SPACE)
    core = body.rstrip(_WEAK)
    return core, body[len(core) :], trimmed[len(body) :]


def _capitalise(line: LineFragments) -> LineFragments:
    """Start a line whose beginning was cut with a capital; "iPhone" and addresses stay."""
    match = _FIRST_WORD.match(line.shown[0]) if line.cuts[0] else None
    if not match or _ADDRESS.match(line.shown[0]):
        return line
    letter, rest = match["letter"], match["rest"]
    capital = letter.title()
    mixed = rest != rest.lower()
    if capital == letter or mixed or len(capital) != 1:
        return line
    return line.with_start(match["before"] + capital + line.shown[0][match.end("letter") :])


def _end_as_sentence(line: LineFragments) -> LineFragments:
    """Add a stop to a heading or caption, which separates it from the next line."""
    core, weak, closers = _split_end(line.shown[-1])
    if line.cuts[-1] or weak or line.shown[-1] != core + closers or not core[-1:].isalnum():
        return line
    return line.with_end(core + closers + ".")


def _drop_discourse_connective(line: LineFragments) -> LineFragments:
    """Delete "But" or "However," at the start of a sentence if the one before is not shown."""
    while not line.follows and not line.cuts[0]:
        match = _DISCOURSE_CONNECTIVE.match(line.shown[0])
        if not match:
            break
        rest = line.shown[0][match.end() :]
        line = line.with_start(rest[:1].title() + rest[1:])
    return line


def _drop_also(line: LineFragments) -> LineFragments:
    """Delete "also" if the sentence before is not shown; quotations stay verbatim."""
    match = None if line.follows else _ALSO.match(line.shown[0])
    if not match:
        return line
    return line.with_start(match["before"] + line.shown[0][match.end() :])


def _drop_dateline(line: LineFragments) -> LineFragments:
    """Delete "LONDON (CNN) --" or "(CNN)" at the start of a sentence."""
    match = None if line.cuts[0] else _DATELINE.match(line.shown[0])
    if not match:
        return line
    cuts = (match.group(), *line.cuts[1:])
    return _recut(line, cuts).with_start(line.shown[0][match.end() :])


def _recut(line: LineFragments, cuts: tuple[str, ...]) -> LineFragments:
    return replace(line, cuts=cuts, orphans=())


def _drop_short(line: LineFragments) -> LineFragments:
    """Delete a line of fewer than four tokens."""
    return DROPPED if len(_TOKEN.findall(line.text)) < 4 else line


def _drop_last_token(line: LineFragments) -> LineFragments:
    """Delete one comma, semicolon, hyphen or equals sign at the end."""
    last = line.shown[-1]
    return line.with_end(last[:-1]) if last.endswith((",", ";", "-", "=")) else line


def _drop_first_token(line: LineFragments) -> LineFragments:
    """Delete one comma, semicolon, hyphen, equals sign, stop or exclamation mark at the start."""
    first = line.shown[0]
    return line.with_start(first[1:]) if first.startswith((",", ";", "-", "=", ".", "!")) else line


def _drop_first_conjunction(line: LineFragments) -> LineFragments:
    """Delete "and", "or" or "but" at the start."""
    match = re.match(r"(?:and|or|but)\s+", line.shown[0], re.IGNORECASE)
    return line.with_start(line.shown[0][match.end() :]) if match else line


LEADING_PUNCTUATION = Repair("leading-punctuation", _drop_leading_punctuation)
LEADING_CONNECTIVE = Repair("leading-connective", _drop_leading_connective)
COMPLEMENTISER = Repair("complementiser", _drop_complementiser)
LONE_SUBORDINATOR = Repair("lone-subordinator", _drop_lone_subordinator)
TRAILING_CONNECTIVE = Repair("trailing-connective", _drop_trailing_connective)
FINAL_STOP = Repair("final-stop", _end_with_stop)
TRAILING_PUNCTUATION = Repair("trailing-punctuation", _drop_trailing_punctuation)
CAPITAL = Repair("capital", _capitalise)
HEADING_STOP = Repair("heading-stop", _end_as_sentence, whole=True, excerpt=True)
DISCOURSE_CONNECTIVE = Repair(
    "discourse-connective", _drop_discourse_connective, whole=True, excerpt=True
)
ALSO = Repair("also", _drop_also, whole=True, excerpt=True)
DATELINE = Repair("dateline", _drop_dateline, whole=True, excerpt=True)
PAPER_SHORT = Repair("paper-short", _drop_short, whole=True, once=True)
PAPER_LAST_TOKEN = Repair("paper-last-token", _drop_last_token, whole=True, once=True)
PAPER_FIRST_TOKEN = Repair("paper-first-token", _drop_first_token, whole=True, once=True)
PAPER_CONJUNCTION = Repair("paper-conjunction", _drop_first_conjunction, whole=True, once=True)
