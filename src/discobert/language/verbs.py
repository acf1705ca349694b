"""English verb forms: a test for finite verbs in a text, and one for single words.

``has_finite_verb`` separates clauses from phrases. It accepts forms that are finite verbs more
often than not; "-ed" is recognised by its ending. A form that is mostly a noun ("plans", "reports")
is left out: a phrase taken for a clause leaves half a sentence in a summary, a clause taken for a
phrase only brings its neighbour along.

``is_verb_form`` is the test of the rule-based segmenter. It accepts participles, too, and knows
fewer forms, since it has only the word and its position to go by.
"""

import re
from typing import Final

from discobert.language.wordlists import AUXILIARIES, SUBJECT_ONLY, words

_RARE_AUXILIARIES = words("am shall cannot")
_NEGATED_STEMS = words(
    "ain isn aren wasn weren hasn haven hadn don doesn didn won wouldn shouldn can couldn mustn"
)
"""What is left of negated auxiliaries where the apostrophe ends a word."""
_RARE_FINITE = words("ought wanna gonna shan mightn needn")

_PAST = words("""
arose ate awoke beat became began bent bit bled blew bore bought bound bred broke brought built
burst came caught chose clung cost crept dealt drank drew drove dug fed fell felt fled flew flung
forbade forgave forgot fought found froze gave got grew heard held hid hung kept knelt knew laid lay
leapt learnt led left lent lit lost made meant met mistook oversaw overtook overthrew paid ran rang
rewrote rode rose said sang sank sat saw sent shook shone shot shrank slept slid slung sold sought
spent spoke sprang spun stole stood strode strove struck stuck stung sung swam swept swore swung
taught thought threw told took tore undertook underwent upheld wept went woke wore won withdrew
withstood wrote
""")

_PRESENT = words("""
accepts accuses achieves adds admits adopts affects agrees alleges allows announces appears applies
argues arrives asks asserts assumes attracts avoids becomes begins believes belongs blames boasts
breaks brings builds buys calls captures carries catches celebrates chooses claims closes comes
completes concludes condemns confirms considers consists contains continues contributes costs covers
creates criticises criticizes cuts decides declares defeats defends delivers demands denies depends
depicts describes deserves dies differs disagrees discovers dismisses divides drives earns eats
emerges enables encourages ends enjoys ensures enters exists expects explains exposes expresses
extends faces fails falls feels fills finds finishes fits follows gathers gets gives goes grows
handles hangs happens hates helps highlights hits holds hopes hurts ignores illustrates includes
increases indicates informs insists inspires intends introduces investigates invites involves joins
keeps kills knows lacks lasts launches lays leads learns leaves lets lies likes lives looks loses
loves maintains makes manages means meets misses moves needs occurs offers opens operates opposes
owes owns pays performs picks plays poses possesses praises prefers prepares presents prevents
produces prohibits promises promotes proves provides publishes pulls pushes puts raises reaches
reacts reads realises realizes recalls receives reckons recognises recognizes recommends reduces
refers reflects refuses rejects remains remembers reminds removes replaces represents requires
resembles resigns responds reveals rises runs says scores secures seeks seems sees sells sends
serves shares shows sings sits sleeps speaks spends stands starts stays stops struggles suffers
suggests supports surrounds survives takes talks teaches tells tends thinks threatens throws
travels treats tries turns understands undergoes urges uses vows waits wants warns wears weighs
welcomes wins wishes wonders works writes yells
""")

_PLURAL = words("""
absorb accept accommodate accomplish achieve acknowledge acquire add adjust admit adopt advise
affect afford agree allege allow announce annoy apologise apologize appear apply appreciate approve
argue arise arrange arrive ask assess assign assist assume attach attend attract avoid await become
begin believe belong bless bother breathe bring build buy cancel carry catch cease choose circulate
climb collect combine come commit communicate compare compensate compete conclude confirm
congratulate consider consist contain continue contradict contribute convert convince cook create
decide declare defend define deliver demand demonstrate deny depend describe deserve destroy detect
determine develop die differ disagree disclose discover discuss distinguish donate draw eat
eliminate emerge enable encourage engage enhance enjoy ensure enter escape establish examine exceed
execute exist expand expect explain explore extend facilitate fail feel fight fill find fix fly
follow forget gather generate get give go grab grow handle hang happen hate hear hesitate hire hope
identify ignore imagine implement improve include indicate inform initiate insist install intend
interfere introduce invent invest investigate invite involve join keep kill know lack laugh learn
leave let lie listen live look loom lose maintain make manage marry mean meet melt mention monitor
multiply need notify observe obtain occur operate oppose organise organize owe own participate pass
pay perform pick plan pose pour pray predict prefer prepare preserve prevent proceed promote propose
protect prove provide publish pull pursue put raise reach react realise realize rebuild recall
receive reckon recognise recognize recommend recover reduce refer reflect refuse regret reject
relate relax rely remain remember remind remove repay repeat replace represent reproduce require
resemble reside respond retain reveal run satisfy save say see seek seem sell send serve settle
shake sit solve speak spend stand stay stop strengthen strive submit succeed suffer suggest suppose
surround survive sustain tackle take talk teach tell tend thank think thrive throw tolerate
transform translate trigger try understand vary verify wait want warn watch wear win wish worry
write
""")

FINITE: Final = (
    AUXILIARIES | _RARE_AUXILIARIES | _NEGATED_STEMS | _RARE_FINITE | _PAST | _PRESENT | _PLURAL
)
"""Forms that are finite verbs more often than not, "-ed" aside."""

AUXILIARY_FORMS: Final = (
    AUXILIARIES
    | _RARE_AUXILIARIES
    | {f"{stem}'t" for stem in _NEGATED_STEMS}
    | words(
        "be been being i'm i've i'd i'll he's he'd he'll she's she'd she'll it's it'd it'll we're "
        "we've we'd we'll you're you've you'd you'll they're they've they'd they'll that's there's"
    )
)
"""All forms of auxiliaries, contracted ones included."""

SPEECH_VERBS: Final = words(
    "said says say saying told tells tell added adds announced announces argued argues asked asks "
    "believed believes believe claimed claims confirmed confirms declared denied explained "
    "explains hoped hopes insisted insists noted notes recalled reported reports revealed showed "
    "shows stated states suggested suggests thinks thought tweeted warned warns wrote writes"
)
"""Verbs of saying and thinking, which introduce or follow a statement."""

_FREQUENT_FORMS = words(
    "ate became become becomes began begin begins bought breaks broke brings brought built buys "
    "came carries caught caused chose comes costs cut drew drives drove fell felt fight finds flew "
    "forgot fought found gave gets gives goes got grew grows happens held helps hit hurt keep "
    "keeps kept killed knew know knows lay leads learnt leave leaves led left lets lies lives "
    "looks lost loves made makes means meant meets met moves needs opens paid pays plays put ran "
    "read remains rose runs sang sat saw seem seems seen sees sells sends sent set sets shot shut "
    "sits slept sold speaks spent spoke spoken stands starts stays stole stood struck swam swore "
    "takes taken taught threw tries took turns understood wants went wins won wore work works"
)
_VERB_FORMS = AUXILIARY_FORMS | SPEECH_VERBS | _FREQUENT_FORMS

_ED_NOUNS = words("breed hundred indeed kindred")
_NOT_PAST = _ED_NOUNS | words("bed deed feed greed need red seed shed")
_NOT_PARTICIPLES = _ED_NOUNS | words(
    "exceed speed sacred naked wicked during anything everything nothing something morning evening "
    "building ceiling according including regarding king thing spring string wedding meeting being "
    "feeling ring wing"
)

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*|['’][^\W\d_]+")
_CLITICS = words("'re 've 'll 'd 'm ’re ’ve ’ll ’d ’m")
_CONTRACTED_IS = re.compile(
    r"\b(?:I|he|she|it|that|there|here|who|what|where|how|let)['’]s\b", re.IGNORECASE
)
_MAYBE_FINITE = FINITE | _CLITICS
_BEFORE_NOUN = words(
    "the a an his her its their our my your of any no each every first last only new other 's ’s to"
)


def has_finite_verb(text: str) -> bool:
    """Return whether a text is likely to contain the finite verb of a clause."""
    if ("'" in text or "’" in text) and _CONTRACTED_IS.search(text):
        return True
    found = [word.lower() for word in _WORD.findall(text)]
    if not SUBJECT_ONLY.isdisjoint(found[:-1]):
        return True
    return any(
        (word in _MAYBE_FINITE or word.endswith("ed")) and _is_finite(word, before)
        for before, word in zip(["", *found], found, strict=False)
    )


def _is_finite(word: str, before: str) -> bool:
    if word in _CLITICS:
        return True
    is_past = word.endswith("ed") and word not in _NOT_PAST and "-" not in word
    return (is_past or word in FINITE) and before not in _BEFORE_NOUN


def is_verb_form(word: str) -> bool:
    """Return whether a lower-case word is likely to be a verb, finite or a participle."""
    has_ending = len(word) > 4 and word.endswith(("ed", "ing"))
    return word in _VERB_FORMS or (has_ending and word not in _NOT_PARTICIPLES)
