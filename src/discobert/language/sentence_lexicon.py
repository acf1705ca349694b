"""Word classes for sentence splitting: words before and after a full stop."""

from enum import Enum

from discobert.language.wordlists import words


class Before(Enum):
    """Class of the word that the full stop follows."""

    WORD = "an ordinary word or number"
    TITLE = "stands before a name: Dr."
    STREET = "stands before a name or ends one: St."
    NUMBERED = "stands before a number: No."
    INNER = "never ends a sentence: e.g."
    TIME = "p.m."
    MEASURE = "ends a list or a quantity: etc., lbs."
    NAME_END = "ends a name, or the sentence too: Inc., Jr., U.S."
    DATE = "Jan., Mon."
    STATE = "Calif."
    INITIAL = "one capital letter"
    MARKER = "a number or letter that opens a list item"


class After(Enum):
    """Class of the word that follows the full stop."""

    LOWER = "a small letter"
    OPENER = "a capital on a word that needs none, such as The or However"
    NAME = "any other capital, or a letter that has no case"
    CODE = "a program or identifier in lower case, such as npm"
    DATE = "a day, month or time zone"
    NUMBER = "a digit"
    QUOTE = "an opening quotation mark before a capital"
    OTHER = "a sign"


_KINDS = {
    Before.TITLE: words("""
        adm amb atty brig capt cmdr col comdr cpl cpt det dr drs fr gen gov hon insp lt maj messrs
        mlle mme mr mrs ms mt mx ft pfc pres prof pvt rep reps rev sen sens sgt ste supt
    """),
    Before.STREET: words("st"),
    Before.NUMBERED: words("""
        app art c ca ch chap cl ed eds eq eqs fig figs no nos p par pp ref sec sect vol vols
    """),
    Before.INNER: words("""
        approx assoc cf dept e.g eg esp est ext i.e ie incl lit nat natl op orig repr resp tel
        trans univ v viz vs
    """),
    Before.TIME: words("a.m p.m"),
    Before.MEASURE: words("etc kg km lb lbs mg min mph oz sq yds"),
    Before.NAME_END: words("""
        a.d al ave b.c bldg blvd bros co corp d.c d.phil esq hwy inc jr llc ltd m.d ph.d plc pty rd
        sr u.k u.n u.s u.s.a
    """),
    Before.DATE: words("""
        jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat
        sun
    """),
    Before.STATE: words("""
        ala ariz ark calif colo conn del fla ga ill ind kan ky la mass md mich minn miss mo mont
        neb nev okla ont ore pa penn que tenn tex va vt wash wis wyo
    """),
}

BEFORE: dict[str, Before] = {word: kind for kind, members in _KINDS.items() for word in members}

ALSO_WORDS = words("""
    app art c ch co col del det est ext fig gen hon ill ind la lit mar mass min miss mo mon nat no
    op ore pa par penn ref rep sat sec sun tex trans wash wed
""")
"""Abbreviations that are also words: in small letters they are taken for words."""

KEPT_IN_CAPITALS = frozenset({Before.TITLE, Before.STREET, Before.NUMBERED, Before.NAME_END})
"""Abbreviations that are ones in capitals too (MRS.); others are then words or names (LA, IE)."""

CONTINUATIONS = words("""
    and as at before between but by during except for from in of on or through till to until when
    while with
""")
"""Words that continue a sentence after an abbreviation where all letters are capitals."""

LOWER_CASE_NAMES = words("""
    apt cmake conda ffmpeg gcc git grep jq kubectl mypy nginx npm npx numpy pip pipx pnpm pytest rg
    ripgrep rsync scipy ssh sudo systemctl systemd tmux vim wget zsh
""")
"""Programs whose names keep their small letter where a sentence starts."""

EXCLAIMED_NAMES = words("jeopardy wham yahoo")
"""Names that are written with an exclamation mark."""

DOMAINS = words("biz co com edu gov info io net org tv uk us")

DATES = words("""
    monday tuesday wednesday thursday friday saturday sunday january february march april may june
    july august september october november december bst cdt cet cst ct edt est et gmt pdt pst pt
    utc
""")

OPENERS = words("""
    a about above according across actually additionally after afterwards again against ain all
    almost along already also although always am amid among an and another any anybody anyone
    anything apart apparently are aren around as asked at authorities basically be because been
    before behind being below besides between beyond both but by can certainly clearly consequently
    considering could couldn critics currently dear definitely depending despite did didn do does
    doesn don during each earlier eight either elsewhere especially even eventually every everybody
    everyone everything everywhere exactly experts few finally firefighters firstly five following
    for four from further furthermore generally given go going had hadn half has hasn have haven
    having he hence her here his how however hundreds i if imagine immediately in including indeed
    initially inside instead investigators is isn it its just last later lawyers less let like
    likewise listen look looking lots many maybe me meanwhile moreover most mostly much must my
    nearby nearly neither never nevertheless next nine no nobody none nonetheless nor not nothing
    now nowadays obviously of officials often okay on once one only or originally other others
    otherwise our out outside over overall particularly people perhaps please police presumably
    previously probably prosecutors rather really recently regardless reportedly reports
    researchers residents right said says scientists sadly see seven several she should similarly
    simply since six so some somebody somehow someone something sometimes somewhere soon sources
    speaking still such suddenly sure surely ten than thank thankfully thanks that the their then
    there thereafter therefore these they think this those though thousands three through
    throughout thus to today together tomorrow tonight too toward towards two ultimately under
    unfortunately unless unlike until upon usually various very was wasn we well were weren what
    whatever when whenever where whereas whether which while who whoever whose why will with within
    without witnesses won would yeah yes yesterday yet you your
""")
"""Words with a capital only at a sentence start: after an abbreviation they show a new sentence."""

REPORTING_VERBS = (
    "added|adds|answered|asked|asks|ask|called|continued|cried|exclaimed|explained|insisted|joked|recalled|replied"
    "|said|says|say|screamed|shouted|told|tweeted|whispered|writes|wrote|yelled"
)
