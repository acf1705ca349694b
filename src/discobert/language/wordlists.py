"""Closed classes of English words, in lower case: pronouns, determiners, auxiliaries."""

from collections.abc import Iterable


def words(text: str) -> frozenset[str]:
    """Return the set of the words of a text."""
    return frozenset(text.split())


def any_of(options: Iterable[str]) -> str:
    """Return the alternatives of a regular expression; the pronoun "i" becomes a capital."""
    return "|".join("I" if word == "i" else word for word in sorted(options))


MASCULINE_PRONOUNS = words("he him his himself")
FEMININE_PRONOUNS = words("she her hers herself")
NEUTER_PRONOUNS = words("it its itself")
PLURAL_PRONOUNS = words("they them their theirs themselves")
I_PRONOUNS = words("i me my mine myself")
WE_PRONOUNS = words("we us our ours ourselves")
YOU_PRONOUNS = words("you your yours yourself yourselves")
RELATIVE_PRONOUNS = words("who whom whose which")
DEMONSTRATIVES = words("this that these those")

THIRD_PERSON = MASCULINE_PRONOUNS | FEMININE_PRONOUNS | NEUTER_PRONOUNS | PLURAL_PRONOUNS
ANAPHORIC_PRONOUNS = THIRD_PERSON | DEMONSTRATIVES
"""Pronouns that need an antecedent."""
OTHER_PRONOUNS = (
    I_PRONOUNS | WE_PRONOUNS | YOU_PRONOUNS | RELATIVE_PRONOUNS | words("what one there here")
)
"""Pronouns that are understood without an antecedent in an earlier clause."""

SUBJECT_FORMS = words("i he she it they we you")
OBJECT_FORMS = words("me him her it them us you")
SUBJECT_ONLY = SUBJECT_FORMS - OBJECT_FORMS
POSSESSIVE_DETERMINERS = words("my his her its their our your")
THIRD_PERSON_REFLEXIVES = words("himself herself itself themselves")

DEFINITE_DETERMINERS = DEMONSTRATIVES | {"the"}
INDEFINITE_DETERMINERS = words("a an some any every each no another")

AUXILIARIES = words(
    "is are was were has have had do does did will would can could may might must should"
)
"""Finite forms of auxiliaries and modal verbs; the rarer am, shall and cannot are left out."""

FUNCTION_WORDS = frozenset(
    """a about after all also an and any are as at be been but by can could did do does for from had
    has have he her his how i if in into is it its may more most no not of on or other our out over
    she should so some such than that the their them then there these they this to up was we were
    what when where which who why will with would you your""".split()
)
"""Words without content of their own, to compare texts without them."""
