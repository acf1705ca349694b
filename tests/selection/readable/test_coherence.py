"""Which sentences can follow which in a summary."""

import pytest
from tests.builders import cluster, doc

from discobert.data.document import Document
from discobert.discourse.references import References
from discobert.selection.readable.coherence import Coherence, opens_with_contrast

OPENING = "[Al Ray won the vote.] | [Rain fell on the town.]"


def follows(
    document: Document,
    sentence: int,
    shown: tuple[int, ...] = (),
    *clusters: tuple[str, ...],
    edus: tuple[int, ...] | None = None,
    is_news: bool = True,
) -> bool:
    """Ask about a sentence, or some EDUs of it, after whole sentences."""
    groups = document.edus_by_sentence()
    found = tuple(cluster(document, *mentions) for mentions in clusters)
    shown_edus = [edu for index in shown for edu in groups[index]]
    own = tuple(groups[sentence]) if edus is None else edus
    coherence = Coherence(document, found, is_news=is_news)
    return coherence.follows(sentence, own, shown, shown_edus)


def third(text: str, shown: tuple[int, ...] = (0,), *clusters: tuple[str, ...]) -> bool:
    """Ask whether a third sentence can follow the first one, or what else is shown."""
    return follows(doc(f"{OPENING} | [{text}]"), 2, shown, *clusters)


def test_a_sentence_that_refers_to_nothing_may_follow_anything() -> None:
    assert third("Crews closed the bridge.", ())
    assert third("Crews closed the bridge.", (0,))


@pytest.mark.parametrize(
    "text",
    [
        "But crews closed the bridge.",
        "However, crews closed the bridge.",
        "Meanwhile crews closed the bridge.",
        "“And crews closed the bridge,” Bo Lee said.",
        "As a result crews closed the bridge.",
        "That's why crews closed the bridge.",
        "That’s why crews closed the bridge.",
        "On the other hand, crews closed the bridge.",
        "The latter closed the bridge.",
        "Still, crews closed the bridge.",
        "Later, crews closed the bridge.",
        "Then, crews closed the bridge.",
        "NEVERTHELESS crews closed the bridge.",
    ],
)
def test_a_connective_opens_only_after_the_neighbour(text: str) -> None:
    assert not third(text, ())
    assert not third(text, (0,))
    assert third(text, (0, 1))
    assert third(text, (1,))


@pytest.mark.parametrize(
    "text",
    [
        "Later this week crews closed the bridge.",
        "Still waters run deep.",
        "Second place went to Bo Lee.",
        "Butter is dear.",
        "Andrew closed the bridge.",
        "Orders came to close the bridge.",
        "Crews, however, closed the bridge.",
    ],
)
def test_words_that_only_look_like_connectives_open_anywhere(text: str) -> None:
    assert third(text, (0,))


def test_a_connective_that_was_cut_does_no_harm() -> None:
    document = doc(f"{OPENING} | [But once more,] [crews closed the bridge.]")
    assert not follows(document, 2, (0,))
    assert follows(document, 2, (0,), edus=(3,))


@pytest.mark.parametrize(
    "text", ["He sang.", "“He sang,” said Bo Lee.", "His song was loud.", "He sang to the crowd."]
)
def test_an_opening_pronoun_needs_its_antecedent_in_the_sentence_shown_before(text: str) -> None:
    pronoun = "His" if text.startswith("His") else "He"
    document = doc(f"[Al Ray won the vote.] | [The mayor shook hands.] | [{text}]")
    ray = ("Al Ray", "The mayor", pronoun)
    assert follows(document, 2, (0,), ray)
    assert not follows(document, 2, (0,))
    assert not follows(document, 2, (), ray)


def test_all_sentences_between_a_pronoun_and_its_antecedent_must_be_about_it() -> None:
    assert not third("He sang.", (0,), ("Al Ray", "He"))  # rain fell between the two
    document = doc("[Al Ray won.] | [The mayor left.] | [Bo Lee left.] | [Snow fell.] | [He sang.]")
    ray = ("Al Ray", "The mayor", "He")
    assert not follows(document, 4, (0,), ray)
    assert not follows(document, 4, (0, 2), ray)
    assert follows(document, 4, (0, 3), ray)  # its neighbour


@pytest.mark.parametrize(
    "text",
    [
        "Crews closed this bridge.",
        "Crews praised these plans.",
        "Bo Lee had seen something like this.",
        "Crews came back during that period.",
        "Crews called such plans odd.",
        "Such plans are odd.",
        "The bridge has since been closed.",
        "Bo Lee holds similar views.",
        "Bo Lee then closed the bridge.",
        "Bo Lee was buried there.",
        "Crews praised the latter.",
        "Others closed the bridge.",
        "Other crews closed the bridge.",
        "Another crew closed the bridge.",
        "Both were closed.",
        "In the second case, crews closed the bridge.",
        "(Bo Lee closed the bridge.)",
    ],
)
def test_what_points_back_needs_the_neighbour(text: str) -> None:
    assert not third(text, ())
    assert not third(text, (0,))
    assert third(text, (0, 1))


def test_the_noun_of_an_opening_needs_the_sentence_that_brought_it_up() -> None:
    text = "[Al Ray won the vote.] | [A new series begins.] | [Rain fell.] | [The series is loud.]"
    document = doc(text)
    assert not follows(document, 3, (0,))
    assert follows(document, 3, (0, 1))
    assert follows(document, 3, (0, 2))  # its neighbour
    assert third("The series is loud.", (0,))  # nothing before has it


@pytest.mark.parametrize(
    "text",
    [
        "Crews closed the bridge this week.",
        "There is a bridge in town.",
        "There were no crews.",
        "Crews such as Bo Lee closed the bridge.",
        "Crews have views similar to those of Bo Lee.",
        "Then-mayor Bo Lee closed the bridge.",
        "Both Bo Lee and Cy Dow closed the bridge.",
        "Bo Lee said that crews closed the bridge.",
        "(CNN) Bo Lee closed the bridge.",
    ],
)
def test_what_only_looks_as_if_it_pointed_back_may_stand_anywhere(text: str) -> None:
    assert third(text, (0,))


@pytest.mark.parametrize("opening", ["It", "This", "These", "That", "Its", "Those"])
def test_things_are_pointed_at_from_the_next_sentence_alone(opening: str) -> None:
    text = f"{opening} surprised Bo Lee."
    assert not third(text, (0,), ("the vote", opening))
    assert third(text, (0, 1))


@pytest.mark.parametrize(
    "text",
    [
        "It is likely that rain falls.",
        "It was late.",
        "It seems that rain falls.",
        "This week rain fell.",
        "This guide tells how.",
        "These days rain falls.",
        "Those who came sang.",
    ],
)
def test_some_pronouns_point_nowhere(text: str) -> None:
    assert third(text, ())
    assert third(text, (0,))


@pytest.mark.parametrize(
    "text",
    [
        "Bo Lee said she sang.",
        "A man lost his dog.",
        "The crews said they were late.",
        "My aunt sold her car.",
    ],
)
def test_a_pronoun_after_a_name_in_its_own_sentence_is_resolved(text: str) -> None:
    assert third(text, ())
    assert third(text, (0,))


def test_a_pronoun_inside_a_sentence_that_names_nothing_needs_an_antecedent() -> None:
    text = "“I know him well.”"
    document = doc("[Al Ray won the vote.] | [The mayor sang.] | [I know him well.]")
    assert third(text, (0, 1))
    assert not follows(document, 2, (0,))
    assert follows(document, 2, (0,), ("Al Ray", "The mayor", "him"))
    assert not follows(document, 2, (), ("Al Ray", "The mayor", "him"))


def test_only_the_pronouns_that_are_shown_count() -> None:
    document = doc(f"{OPENING} | [I sing] [as I shown_edus him.]")
    assert not follows(document, 2, (0,))
    assert follows(document, 2, (0,), edus=(2,))


def test_the_neighbour_may_always_follow() -> None:
    document = doc("[Al Ray won.] | [But he sang.] | [Bo Lee left.]")
    assert follows(document, 1, (0,))
    assert not follows(document, 1, ())
    assert follows(document, 2, (0, 1))


def test_a_description_of_what_is_not_shown_dangles() -> None:
    document = doc("[Al Ray won.] | [Rain fell.] | [Crews met the man.]")
    assert follows(document, 2, ())
    assert not follows(document, 2, (), ("Al Ray", "the man"))
    assert follows(document, 2, (0,), ("Al Ray", "the man"))


def test_only_its_own_references_count_against_a_sentence() -> None:
    document = doc(
        "[Al Ray won.] | [Snow fell.] | [Crews met the man.] | [Hail fell.] | [Bo left.]"
    )
    ray = ("Al Ray", "the man")
    assert follows(document, 4, (2,), ray)


def test_a_quotation_without_its_speaker_cannot_follow() -> None:
    document = doc("[Bo Lee spoke.] | [Rain fell.] | [“Every vote counts.”] | [Crews came.]")
    assert not follows(document, 2, (0,))
    assert follows(document, 2, (0, 1))
    spoken = doc("[Al Ray won.] | [Rain fell.] | [“Every vote counts,”] [Bo Lee said.]")
    assert follows(spoken, 2, (0,))
    assert not follows(spoken, 2, (0,), edus=(2,))


def test_references_that_are_known_already_are_used() -> None:
    document = doc("[Al Ray won.] | [Rain fell.] | [Crews met the man.]")
    ray = cluster(document, "Al Ray", "the man")
    known = References(document, [ray])
    assert not Coherence(document, [], known).follows(2, (2,), (), ())
    assert Coherence(document, []).follows(2, (2,), (), ())


@pytest.mark.parametrize(
    ("answer", "stands_alone"),
    [
        ("Only if the White House says so.", False),
        ("According to the White House, only if it says so.", False),
        ("The White House has to say so.", True),
        (" ".join(["Only crews closed the bridge"] * 5), True),
    ],
)
def test_an_elliptical_answer_needs_its_question(answer: str, stands_alone: bool) -> None:
    asked = doc(f"[Al Ray won the vote.] | [Is it a treaty?] | [{answer}]")
    assert follows(asked, 2, (0,)) is stands_alone
    assert follows(asked, 2, (0, 1))
    assert third(answer, (0,))


def test_an_age_stands_for_somebody_named_shortly_before() -> None:
    age = "Even if the 33-year-old travels, Yorkshire may win."
    assert not third(age, ())
    assert third(age, (0,))
    far = doc(f"{OPENING} | [Crews closed the bridge.] | [{age}]")
    assert not follows(far, 3, (0,))
    assert follows(far, 3, (0, 1))
    named = doc(f"{OPENING} | [Crews left.] | [Yorkshire say that the 33-year-old is hurt.]")
    assert follows(named, 3, (0,))


def test_a_description_needs_what_it_describes() -> None:
    assert not third("The controversial decision was unpopular.")
    assert third("The controversial decision was unpopular.", (0, 1))
    ruled = doc("[Judges ruled on Monday.] | [Rain fell.] | [The decision was unpopular.]")
    assert follows(ruled, 2, (0,))
    assert not follows(ruled, 2, ())
    assert third("The president was unpopular.")
    assert third("The Post reported on the case.")
    assert third("Some decisions were unpopular.")


def test_a_description_whose_beginning_was_cut_does_no_harm() -> None:
    document = doc(f"{OPENING} | [The decision came] [and crews closed the bridge.]")
    assert not follows(document, 2, (0,))
    assert follows(document, 2, (0,), edus=(3,))


def test_a_number_of_people_needs_their_names() -> None:
    assert not third("It is unclear whether the three were late.")
    assert third("Bo Lee is unsure whether the three were late.")
    assert third("It is unclear whether three were late.")


def test_yes_needs_a_question() -> None:
    asked = doc("[Will Hull sign him?] | [‘Yes, we will,’ Bo Lee said.]")
    assert follows(asked, 1, (0,))
    told = doc("[Hull will sign him.] | [‘Yes, we will,’ Bo Lee said.]")
    assert not follows(told, 1, (0,))


def test_headings_and_captions_between_two_sentences_do_not_count() -> None:
    document = doc("[Bo Lee won.] || [Lee celebrates] || [But he fell.]")
    groups = document.edus_by_sentence()
    plain, skipping = Coherence(document, ()), Coherence(document, (), neighbours=(None, 0, 0))
    assert not plain.follows(2, tuple(groups[2]), (0,), tuple(groups[0]))
    assert skipping.follows(2, tuple(groups[2]), (0,), tuple(groups[0]))


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [("But he fell.", True), ("“However, he fell.", True), ("Butter melted.", False)],
)
def test_contrasts_are_found_at_the_start(sentence: str, expected: bool) -> None:
    assert opens_with_contrast(sentence) is expected


@pytest.mark.parametrize(
    ("text", "stands_alone"),
    [
        ("This review covers bridges.", True),
        ("This special issue covers bridges.", True),
        ("Nobody in this study was paid.", True),
        ("This bridge was closed.", False),
        ("Nobody on this bridge was paid.", False),
    ],
)
def test_what_is_no_news_may_name_itself(text: str, stands_alone: bool) -> None:
    document = doc(f"{OPENING} | [{text}]")
    assert follows(document, 2, (0,), is_news=False) is stands_alone


@pytest.mark.parametrize("before", ["Wang et al. built robots.", "Robots fail (Wang, 2017)."])
def test_this_study_after_another_one_may_be_that(before: str) -> None:
    document = doc(f"[Clouds help robots.] | [{before}] | [This study compares clouds.]")
    assert not follows(document, 2, (0,), is_news=False)
    assert follows(document, 2, (0, 1), is_news=False)


def test_a_reason_alone_needs_what_it_is_the_reason_for() -> None:
    assert not third("Because it rained in the hills.")
    assert third("Because the river rose, crews closed the road.")


def test_a_sentence_without_its_beginning_needs_the_one_before() -> None:
    assert not third(", the capital of the county, is worth a visit.")


def test_an_i_does_not_say_of_whom_a_pronoun_speaks() -> None:
    document = doc("[I grew up in Hull.] | [Hull grew.] | [She won the race.]")
    assert not follows(document, 2, (0,), ("I", "She"))
    named = doc("[Jo Ray grew up in Hull.] | [Jo Ray ran.] | [She won the race.]")
    assert follows(named, 2, (0,), ("Jo Ray", "Jo Ray", "She"))


@pytest.mark.parametrize("opening", ["He has an army", "At night he sleeps", "It has an army"])
def test_a_pronoun_whose_antecedent_is_in_furniture_may_not_follow(opening: str) -> None:
    document = doc(f"[You have a plan.] | [A king rules.] | [{opening}.]")
    pronoun = "It" if "It" in opening else "He" if "He" in opening else "he"
    clusters = (cluster(document, "A king", pronoun),)
    skipping = Coherence(document, clusters, neighbours=[None, None, 0])
    assert not skipping.follows(2, (2,), (0,), (0,))
    assert Coherence(document, (), neighbours=[None, None, 0]).follows(2, (2,), (0,), (0,))
    known = (cluster(document, "a plan", pronoun),)
    assert Coherence(document, known, neighbours=[None, None, 0]).follows(2, (2,), (0,), (0,))
