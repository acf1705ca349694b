"""Each rule on its own."""

import pytest

from discobert.errors import InvalidValue
from discobert.writing import rules_edges, rules_inside
from discobert.writing.fragments import DROPPED, LineFragments, Repair, one_line
from discobert.writing.repairs import DEFAULT, NONE, PAPER, apply_repairs


def line(markup: str, *, n_edus: int = 1) -> LineFragments:
    """Build a line from shown text with {cuts}: ``{Cut,} shown {cut} shown.``."""
    shown, cuts = list[str](), [""]
    for part in markup.replace("{", "\n{").replace("}", "}\n").split("\n"):
        text = part.strip()
        if text.startswith("{"):
            cuts[-1] = text.strip("{}")
        elif text:
            shown.append(text)
            cuts.append("")
    return LineFragments(tuple(shown), tuple(cuts), (" ",) * (len(shown) - 1), n_edus=n_edus)


def after(repair: Repair, markup: str, *, n_edus: int = 1) -> str:
    return repair.apply(line(markup, n_edus=n_edus)).text


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("Clare Hines, {who lives in Brisbane,} was ill.", "Clare Hines was ill."),
        ("Clare Hines {, who lives in Brisbane,} was ill.", "Clare Hines was ill."),
        ("Clare Hines, {who lives in Brisbane} , was ill.", "Clare Hines was ill."),
        ("Clare Hines {, who lives in Brisbane} , was ill.", "Clare Hines was ill."),
        ("The app – {a free one –} works.", "The app works."),
        ("The app -- {a free one --} works.", "The app works."),
        ("The app {— a free one} — works.", "The app works."),
        ("The plan, {he said,} will work.", "The plan will work."),
        ("'The plan,' {he said,} will work.", "'The plan' will work."),
        ("On Monday, Smith, {who lives here,} was jailed.", "On Monday, Smith was jailed."),
        ("On Jan. 5, 2010, Smith, {who fled,} was jailed.", "On Jan. 5, 2010, Smith was jailed."),
        ("He met Ann, {who lives here,} and left.", "He met Ann and left."),
        ("He met Duke, {a dog,} and Rex.", "He met Duke and Rex."),
    ],
)
def test_commas_and_dashes_around_a_removed_clause_are_deleted(markup: str, expected: str) -> None:
    assert after(rules_inside.COMMA_PAIRS, markup) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("He came home, {which was far} and slept.", "He came home, and slept."),
        ("It was late, {he said,} but they came.", "It was late, but they came."),
        ("It was late {, he said} , but they came.", "It was late , but they came."),
        ("It was late, {he said,} and they came.", "It was late, and they came."),
        ("Smith, 45, {who lives here,} was jailed.", "Smith, 45, was jailed."),
        ("After the match, {which was long,} the team left.", "After the match, the team left."),
        ("On Monday, Smith, 45, {who fled,} was jailed.", "On Monday, Smith, 45, was jailed."),
        ('That alarms me, {since it is bad,"} he said.', "That alarms me, he said."),
        ("The app – {a free one,} works.", "The app – works."),
        ("It rained {and} it snowed.", "It rained it snowed."),
    ],
)
def test_a_comma_that_is_needed_stays(markup: str, expected: str) -> None:
    assert after(rules_inside.COMMA_PAIRS, markup) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("When he came home {from work,} he slept.", "When he came home, he slept."),
        ("They tried for years {to win,} but they lost.", "They tried for years, but they lost."),
        ("We are glad {to show our talent,”} she said.", "We are glad, she said."),
        ("He came {to see her mother, Ann,} and left.", "He came and left."),
        ("He came {to see her mother, Ann,} but left.", "He came, but left."),
        ("It takes time {to learn; as for us,} we wait.", "It takes time; we wait."),
        ("It takes time {to learn;} we wait.", "It takes time; we wait."),
        ("The man {who came,} is here.", "The man is here."),
        ("But {if it rains,} we stay.", "But we stay."),
        ("He came {, it seems,} late.", "He came late."),
        ("He came, {to win,} late.", "He came, late."),
        ("He came {to win,} , late.", "He came , late."),
        ("It grew, {it was said. ...} The end came.", "It grew. The end came."),
        ("It grew {in the U.S.} The end came.", "It grew The end came."),
        ("He ended. {He went on.} The end came.", "He ended. The end came."),
        ("He stayed {until noon} here.", "He stayed here."),
    ],
)
def test_a_fragment_inherits_the_punctuation_after_a_removed_clause(
    markup: str, expected: str
) -> None:
    assert after(rules_inside.INHERITED_PUNCTUATION, markup) == expected


def test_a_comma_that_went_with_its_clause_is_not_inherited() -> None:
    rules = (rules_inside.COMMA_PAIRS, rules_inside.INHERITED_PUNCTUATION)
    assert (
        apply_repairs(line("The plan, {he said,} seems good."), rules).text
        == "The plan seems good."
    )


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ('"It is great," {he said,} "but late."', '"It is great, but late."'),
        ("“It is,” {he said,} “late.”", "“It is, late.”"),
        ('"It is great," {he said.} "We won."', '"It is great," "We won."'),
        ('It is "great" {and} late.', 'It is "great" late.'),
    ],
)
def test_a_quotation_split_by_its_source_becomes_one(markup: str, expected: str) -> None:
    assert after(rules_inside.SPLIT_QUOTATION, markup) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("He came, {and} , but left.", "He came , but left."),
        ("He came, {and} .", "He came ."),
        ("Why? {he said} , and left.", "Why? and left."),
        ("In the U.S. {he said} , he left.", "In the U.S. , he left."),
        ("In the U.S. {he said} . {cut} More.", "In the U.S. More."),
        ("They met, {he said} (again).", "They met (again)."),
        ("Oh! {he said} (again).", "Oh! (again)."),
        ("He came {and} left.", "He came left."),
    ],
)
def test_only_the_stronger_of_two_marks_stays(markup: str, expected: str) -> None:
    assert after(rules_inside.DOUBLED_PUNCTUATION, markup) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("He came {and} , but left.", "He came, but left."),
        ("The man {cut} 's hat", "The man's hat"),
        ('He said "no {cut} " twice', 'He said "no" twice'),
        ("He paid $ {about} 5.", "He paid $5."),
        ("They met ( {cut} again).", "They met (again)."),
        ("He came {and} left.", "He came left."),
    ],
)
def test_no_space_before_closing_and_after_opening_marks(markup: str, expected: str) -> None:
    assert after(rules_inside.SPACING, markup) == expected


@pytest.mark.parametrize(
    ("text", "orphans", "expected"),
    [
        ("'Johnny drowned,", ((0, 1),), "Johnny drowned,"),
        ('he " is fine', ((3, 4),), "he is fine"),
        ("he is fine '", ((11, 12),), "he is fine"),
        ("he (is) ``fine", ((3, 4), (6, 7), (8, 10)), "he is fine"),
    ],
)
def test_marks_without_partner_go(
    text: str, orphans: tuple[tuple[int, int], ...], expected: str
) -> None:
    cut = LineFragments((text,), ("", "cut."), orphans=(orphans,))
    assert rules_inside.ORPHAN_MARKS.apply(cut).text == expected


def test_marks_with_partner_stay() -> None:
    whole = LineFragments(('"Yes"',), ("", ""), orphans=((),))
    assert rules_inside.ORPHAN_MARKS.apply(whole) is whole


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("{He came} , she left.", "she left."),
        ("{He came} – -- ... she left.", "she left."),
        ("{It fell to} -5 degrees.", "-5 degrees."),
        ("{It rose by} .5 per cent.", ".5 per cent."),
        (", she left.", ", she left."),
        ("- a bullet {cut}", "- a bullet"),
    ],
)
def test_punctuation_of_a_cut_beginning_goes(markup: str, expected: str) -> None:
    assert after(rules_edges.LEADING_PUNCTUATION, markup) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("{He came} and she left.", "she left."),
        ("{He came} but, for now, she stays.", "for now, she stays."),
        ("{He came,} and so she left.", "she left."),
        ("{He came,} so the dog left.", "the dog left."),
        ("{He came,} yet Ann left.", "Ann left."),
        ("{He ran,} so that she won.", "so that she won."),
        ("{He has} and/or had it.", "and/or had it."),
        ("{He saw} Orly and left.", "Orly and left."),
        ("But she left {because it rained.}", "But she left"),
    ],
)
def test_a_connective_to_a_cut_beginning_goes(markup: str, expected: str) -> None:
    assert after(rules_edges.LEADING_CONNECTIVE, markup) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("{They found} that she was ill.", "she was ill."),
        ("{He said} that on Monday it rained.", "on Monday it rained."),
        ('{He said} that "The end" came.', '"The end" came.'),
        ("{He said} that that a slump came.", "a slump came."),
        ("{a tumour} that had grown.", "that had grown."),
        ("That she was ill {was known.}", "That she was ill"),
    ],
)
def test_the_complementiser_of_a_cut_attribution_goes(markup: str, expected: str) -> None:
    assert after(rules_edges.COMPLEMENTISER, markup) == expected


@pytest.mark.parametrize(
    ("markup", "n_edus", "expected"),
    [
        ("{He left,} although it rained.", 1, "it rained."),
        ("{He left,} as it rained.", 1, "it rained."),
        ("{He left} as a winner.", 1, "as a winner."),
        ("{He left,} if it rained.", 1, "if it rained."),
        ("{He left,} although it rained, she stayed.", 1, "although it rained, she stayed."),
        ("{He left,} although it rained she stayed.", 2, "although it rained she stayed."),
        ("Although it rained, {he left.}", 1, "Although it rained,"),
    ],
)
def test_a_lone_clause_loses_its_subordinator(markup: str, n_edus: int, expected: str) -> None:
    assert after(rules_edges.LONE_SUBORDINATOR, markup, n_edus=n_edus) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("He came, and {she left.}", "He came"),
        ("He came and, {she left.}", "He came"),
        ("He came to land {and left.}", "He came to land"),
        ("He came and", "He came and"),
    ],
)
def test_a_connective_to_a_cut_end_goes(markup: str, expected: str) -> None:
    assert after(rules_edges.TRAILING_CONNECTIVE, markup) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("He came, {and left.}", "He came."),
        ("He came {and left!}", "He came."),
        ("Five dead in crash, {police say}", "Five dead in crash."),
        ('"It is great," {he said.}', '"It is great."'),
        ("'It is great,' {he said.}", "'It is great.'"),
        ("“It is great”, {he said.}", "“It is great”."),
        ('"Why?" {he asked.}', '"Why?"'),
        ('"Why?", {he asked.}', '"Why?"'),
        ("He lives in the U.S., {which is far.}", "He lives in the U.S."),
        ("He waited… {and left.}", "He waited…"),
        ("It was the players', {he said.}", "It was the players'."),
        ("Did he come, {since it rained?}", "Did he come?"),
        ("And what was it {that he saw?}", "And what was it?"),
        ("He came, {but did you?}", "He came."),
        ("{Yes,} did he come {or not?}", "did he come."),
        ("It was so. [3] {[4]}", "It was so. [3]"),
        ("He came {and} -- {left.}", "He came."),
        ("A headline, whole", "A headline, whole"),
    ],
)
def test_a_line_whose_end_was_cut_ends_with_a_stop(markup: str, expected: str) -> None:
    assert after(rules_edges.FINAL_STOP, markup) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("He came – {and left.}", "He came"),
        ('"He came," {she said.}', '"He came"'),
        ("He came {and left.}", "He came"),
        ("He said:", "He said:"),
    ],
)
def test_punctuation_before_a_cut_end_goes(markup: str, expected: str) -> None:
    assert after(rules_edges.TRAILING_PUNCTUATION, markup) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("{They say} she left.", "She left."),
        ("{They say} 'she left.'", "'She left.'"),
        ("{They say} élan vital.", "Élan vital."),
        ("{They say} iPhones sell.", "iPhones sell."),
        ("{They say} 20 people left.", "20 people left."),
        ("{They say} www.example.com is down.", "www.example.com is down."),
        ("{They say} @she left.", "@she left."),
        ("{They say} Ann left.", "Ann left."),
        ("{They say} ŉ left.", "ŉ left."),
        ("{They say} – !", "– !"),
        ("she left {again.}", "she left"),
    ],
)
def test_a_line_whose_beginning_was_cut_starts_with_a_capital(markup: str, expected: str) -> None:
    assert after(rules_edges.CAPITAL, markup) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("(CNN) -- five people left.", "five people left."),
        ("LONDON, England (CNN) -- Five left.", "Five left."),
        ("MOSCOW (AP) — Five left {again.}", "Five left"),
        ("The UN (founded in 1945) met.", "The UN (founded in 1945) met."),
        ("{Today,} (CNN) -- Five left.", "(CNN) -- Five left."),
        ("(CNN)Five people left.", "Five people left."),
        ("Des Moines, Iowa (CNN)Corn is everything.", "Corn is everything."),
        ("Hull (AP) Five left.", "Hull (AP) Five left."),
    ],
)
def test_datelines_are_deleted(markup: str, expected: str) -> None:
    assert after(rules_edges.DATELINE, markup) == expected


def test_what_a_dateline_hid_gets_its_capital() -> None:
    cut = line("(CNN) -- five people left {again.}")
    assert apply_repairs(cut, DEFAULT).text == "Five people left."
    assert apply_repairs(line("(CNN) -- Five people left."), DEFAULT).text == "Five people left."


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("But he did leave ,", "he did leave"),
        (", and he left today", "he left today"),
        ("and he left today", "he left today"),
        ("he left home today.", "he left home today."),
        ("he left.", ""),
    ],
)
def test_the_papers_own_rules(markup: str, expected: str) -> None:
    assert apply_repairs(line(markup), PAPER).text == expected


def test_a_dropped_line_is_dropped_for_good() -> None:
    assert apply_repairs(line("he left."), (*PAPER, *DEFAULT)) == DROPPED


@pytest.mark.parametrize(("text", "expected"), [("–", "–"), ("and", "And."), ("…", "…")])
def test_no_rule_leaves_a_line_without_letters(text: str, expected: str) -> None:
    assert apply_repairs(LineFragments((text,), ("He came", "she left.")), DEFAULT).text == expected


def test_rules_that_never_agree_come_to_an_end() -> None:
    swap = Repair("swap", lambda line: line.with_start(line.shown[0].swapcase()))
    assert apply_repairs(line("{cut} shown"), (swap,)).text in {"shown", "SHOWN"}


def test_a_whole_sentence_stays_as_it_is() -> None:
    odd = ', and "so it goes -'
    assert apply_repairs(line(odd), DEFAULT).text == odd


def test_a_fragment_that_becomes_empty_counts_as_cut() -> None:
    three = line("{a} one {b} two {c} three {d}").with_shown(("one", " ", "three"))
    assert three == LineFragments(("one", "three"), ("a", "b c", "d"), (" ",))
    assert three.with_shown(("", "three")) == LineFragments(("three",), ("a b c", "d"))
    assert three.with_shown(("one", "")) == LineFragments(("one",), ("a", "b c d"))


def test_line_breaks_and_runs_of_spaces_become_spaces() -> None:
    assert one_line(" one \r\n two\x0b\n\nthree  \tfour ") == "one two three four"
    assert one_line("a  b") == "a b"


def test_rules_can_be_left_out() -> None:
    kept = tuple(rule for rule in DEFAULT if rule.name not in {"capital", "final-stop"})
    assert apply_repairs(line("{They say} she left, {again.}"), kept).text == "she left"
    assert len(kept) == len(DEFAULT) - 2


def test_names_are_unique() -> None:
    for rules in (DEFAULT, PAPER, NONE):
        assert len({repair.name for repair in rules}) == len(rules)


def test_a_line_with_a_wrong_number_of_cuts_is_refused() -> None:
    with pytest.raises(InvalidValue, match="got 1 cuts and 0 joints"):
        LineFragments(("one",), ("",))
