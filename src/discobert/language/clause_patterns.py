"""Regular expressions for the beginnings and ends of clauses."""

import re

from discobert.language.wordlists import (
    AUXILIARIES,
    POSSESSIVE_DETERMINERS,
    RELATIVE_PRONOUNS,
    SUBJECT_FORMS,
    any_of,
)

SUBJECT = (
    rf"(?:(?:{any_of(SUBJECT_FORMS)}|there|this|these|those|the|an?|{any_of(POSSESSIVE_DETERMINERS)}|"
    r"some|many|most|all|no|every|each|both|nobody|everyone|people)\b|(?!(?:And|But|Or|So|Yet)\b)[A-Z][\w.]|[$£€\d])"
)
"""Likely first words of a clause that has its own subject."""

PERSONAL_PRONOUN = rf"(?:{any_of(SUBJECT_FORMS)}|there)\b"
"""Subjects that start a new clause after "and"."""

AUXILIARY = re.compile(rf"(?:{any_of(AUXILIARIES)})\b")
"""Verbs that no comma separates from their subject."""

NEW_CLAUSE = (
    "but|so|yet|because|although|though|while|whereas|unless|until|if|when|which|who|whose|where"
)
"""Words before which a comma stays."""

CONNECTIVES = r"[Aa]nd|[Bb]ut|[Oo]r|[Hh]owever"
"""Connectives to the clause before, which may be cut."""

CONJUNCTS = (
    "Additionally|Also|As a result|Besides|By contrast|Consequently|For example|For instance|"
    "Furthermore|Hence|However|In addition|In contrast|Indeed|Instead|Likewise|Meanwhile|Moreover|"
    "Nevertheless|Nonetheless|On the other hand|Similarly|Still|That said|Then|Therefore|Thus"
)
"""Connectives to the sentence before, which may not be shown."""

PREPOSITION = (
    r"(?:about|after|although|as|at|because|before|by|despite|during|even|for|from|if|in|on|"
    r"more|nearly|once|only|over|since|that|then|under|unless|until|when|while|with|without)\b"
)
"""Words that may come between "that" and the subject of its clause."""

SUBORDINATORS = (
    r"(?:even\s+)?though|although|because|whereas|while|"
    rf"as(?=\s+(?:{any_of(SUBJECT_FORMS - {'i', 'you'})})\b)"
)
"""Words that make a clause subordinate without making it doubtful (as "if" would)."""

INTRODUCTION = re.compile(
    r"\W*(?:In|On|At|By|After|Before|Since|During|From|For|When|While|As|Until|With|Without|Under|"
    r"Among|Despite|Although|Though|If|Last|This|That|Next|Earlier|Later|Now|Then|Today|Yesterday|"
    r"Meanwhile|However|Also|Instead|But|And|So|Yet|Still|Once|Because|According|"
    r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)\b",
    re.IGNORECASE,
)
"""Start of a sentence whose first comma ends an introduction."""

QUESTION = re.compile(
    rf"\W*(?:(?:and|but|so|or)\s+)?(?:(?:{any_of(AUXILIARIES)}|shall)(?:n['’]t)?|"
    r"Won['’]t|Can['’]t|What|Who|Whom|Whose|Which|Why|How|Where)\b",
    re.IGNORECASE,
)
"""Start of a question."""

RELATIVE = re.compile(rf"[\W_]*(?:{any_of(RELATIVE_PRONOUNS)}|that)\b")
"""Start of a relative clause."""

SUBORDINATE = re.compile(
    r"[\W_]*(?:(?:just|even|only|shortly|soon|hours|days|weeks|months|years)\s+)?(?:after|as|before|"
    r"if|once|since|till|unless|until|when|whenever|where|wherever|while)\b",
    re.IGNORECASE,
)
"""Start of a clause that cannot be a sentence, and that no repair makes one."""

CONDITION = re.compile(
    r"[\W_]*(?:(?:and|but|or|only)\s+)?(?:if|unless|provided|providing|as\s+long\s+as|so\s+long\s+as|in\s+case)\b",
    re.IGNORECASE,
)
"""Start of a condition."""

PARALLEL = re.compile(
    r"[\W_]*(?:and|but|or|nor)\s+(?:(?:also|not|partly)\s+)?(?P<word>because|that|which|who|whose|whom|where|when|while|"
    r"whether|how|why|what|after|before|until|to)\b",
    re.IGNORECASE,
)
"""Start of a clause that continues one with the same first word: "and because it rained"."""

OPEN_END = re.compile(
    r"(?<![^\s(\"“'‘-])(?:an?|the|his|her|its|their|my|your|our|of|to|at|from|with|into|for|than|"
    r"awaiting|including|involving|regarding|containing|featuring|during|between|among|against|without|"
    rf"per|via|amid|despite|{any_of(AUXILIARIES)}|be|been|being|"
    r"not|and|or|but|as|that|whether|if|because|such|very|"
    r"sa(?:y|ys|id)|insist(?:s|ed)?|believe[sd]?|think|thinks|thought|claim(?:s|ed)|admit(?:s|ted)?|"
    r"confirm(?:s|ed)?|reveal(?:s|ed)?|announce[sd]|realise[sd]?|realize[sd]?|feel|feels|fear(?:s|ed)|"
    r"know|knows|knew|hope[sd]|warn(?:s|ed)|suggest(?:s|ed)?|argue[sd]?|explain(?:s|ed)?|seem(?:s|ed)?)$",
    re.IGNORECASE,
)
"""Words that seldom end a sentence."""

OPEN_BEFORE_CLAUSE = re.compile(
    r"\b(?:(?:sort|kind|type|form|level|number|amount|part|one|some|many|most|all|each|any|those)"
    r"\s+of\s+(?:[\w’'-]+\s+){0,4}[\w’'-]+|(?:any|every|some|no)(?:thing|one|body|where)|those|"
    r"the\s+(?:first|last|only|same|very|man|woman|person|people|way|fact|moment|day|time|place|"
    r"thing|reason|point|idea|news|one|ones)(?:\s+[\w’'-]+)?|(?:so|such|too|as|more|less|rather)\s+[\w’'-]+|"
    r"(?:allegation|belief|call|claim|fear|hope|report|rumour|rumor|sign|suggestion|suspicion|"
    r"warning)s?|evidence|proof|no\s+(?:evidence|doubt|sign|idea|way|reason|plan|plans|need|intention)|enough|"
    r"something\s+[\w’'-]+)$",
    re.IGNORECASE,
)
"""Ends that expect a relative clause or another restrictive clause."""

OPEN_BEFORE_INFINITIVE = re.compile(
    r"\b(?:able|unable|allow(?:s|ed)?|appear(?:s|ed)?|ask(?:s|ed)|attempt(?:s|ed)?|bid|bound|chance|decide[sd]|"
    r"decision|desire|due|eager|effort|efforts|enable[sd]?|encourage[sd]?|expected|fail(?:s|ed)?|"
    r"first|forced|free|going|happy|helped|hope|hopes|hoping|instructed|intend(?:s|ed)|invited|known|last|"
    r"leave|left|likely|unlikely|made|manage[sd]?|meant|need(?:s|ed)?|obliged|offer(?:s|ed)?|only|ordered|"
    r"permission|permitted|persuade[sd]?|plan(?:s|ned)?|prepared|prompt(?:s|ed)|proud|ready|refuse[sd]?|refusal|"
    r"reluctant|required|right|said|scheduled|seek(?:s|ing)?|set|sought|struggle[sd]?|supposed|"
    r"tempted|thought|told|tr(?:y|ies|ied|ying)|urge[sd]?|vow(?:s|ed)?|want(?:s|ed)?|willing|wish(?:es|ed)?|"
    r"continue[sd]?|beg(?:in|ins|an)|start(?:s|ed)|cho(?:ose|oses|se)|agree[sd]?|promise[sd]?|threaten(?:s|ed)?|"
    r"too\s+[\w’'-]+|enough(?:\s+[\w’'-]+)?|seem(?:s|ed)?|tend(?:s|ed)?|used|ha(?:s|ve|d)|forward)$",
    re.IGNORECASE,
)
"""Ends that expect an infinitive."""

FIRST_PERSON = re.compile(r"(?<![\w.])(?:I|[Ww]e|[Mm]y|[Oo]ur|me|us|myself|ourselves)(?![\w.-])")
"""Pronouns of the speaker."""

DOUBT = re.compile(
    r"\b(?:no|nobody|none|nothing|not|never|nor|neither|whether|if|false|falsely|wrong|wrongly|unclear|unsure|unlikely|"
    r"accus(?:e|es|ed|ing)|alleg(?:e|es|ed|edly|ing)|ask(?:s|ed|ing)?|assum(?:e|es|ed)|belie(?:f|ve|ves|ved)|"
    r"claim(?:s|ed|ing)?|den(?:y|ies|ied|ying)|disput(?:e|es|ed)|doubt(?:s|ed)?|fear(?:s|ed)?|"
    r"guess(?:es|ed)?|hop(?:e|es|ed|ing)|imagin(?:e|es|ed)|pretend(?:s|ed|ing)?|refus(?:e|es|ed|ing)|"
    r"reject(?:s|ed)?|rumou?r(?:s|ed)?|speculat\w+|suppos\w+|suspect(?:s|ed)?|think|thinks|thought|"
    r"wish(?:es|ed)?|wonder(?:s|ed|ing)?)\b|n['’]t\b",
    re.IGNORECASE,
)
"""Words of an attribution that deny, doubt or weaken the statement."""
