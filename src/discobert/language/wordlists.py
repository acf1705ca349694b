"""Closed classes of English words that the repairs know."""

import re

SUBJECT = (
    r"(?:(?:I|he|she|it|they|we|you|there|this|these|those|the|an?|his|her|its|their|our|my|your|"
    r"some|many|most|all|no|every|each|both|nobody|everyone|people)\b|(?!(?:And|But|Or|So|Yet)\b)[A-Z][\w.]|[$£€\d])"
)
"""What a clause with a subject of its own is likely to start with."""

PERSONAL_PRONOUN = r"(?:I|he|she|it|they|we|you|there)\b"
"""What makes a new clause of what follows "and"."""

FINITE_VERB = re.compile(
    r"(?:is|are|was|were|has|have|had|will|would|can|could|may|might|must|should|do|does|did)\b"
)
"""What no comma parts from its subject."""

NEW_CLAUSE = (
    "but|so|yet|because|although|though|while|whereas|unless|until|if|when|which|who|whose|where"
)
"""Words before which a comma stays."""

CONNECTIVES = r"[Aa]nd|[Bb]ut|[Oo]r|[Hh]owever"
"""Words that tie a clause to the one before, which may be gone."""

CONJUNCTS = (
    "Additionally|Also|As a result|Besides|By contrast|Consequently|For example|For instance|"
    "Furthermore|Hence|However|In addition|In contrast|Indeed|Instead|Likewise|Meanwhile|Moreover|"
    "Nevertheless|Nonetheless|On the other hand|Similarly|Still|That said|Then|Therefore|Thus"
)
"""Words that tie a sentence to the one before, which may not be shown."""

PREPOSITION = (
    r"(?:about|after|although|as|at|because|before|by|despite|during|even|for|from|if|in|on|"
    r"more|nearly|once|only|over|since|that|then|under|unless|until|when|while|with|without)\b"
)
"""What may stand between "that" and the subject of its clause."""

SUBORDINATORS = (
    r"(?:even\s+)?though|although|because|whereas|while|as(?=\s+(?:he|she|it|they|we)\b)"
)
"""Words that make a clause subordinate without making it doubtful (as "if" would)."""

INTRODUCTION = re.compile(
    r"\W*(?:In|On|At|By|After|Before|Since|During|From|For|When|While|As|Until|With|Without|Under|"
    r"Among|Despite|Although|Though|If|Last|This|That|Next|Earlier|Later|Now|Then|Today|Yesterday|"
    r"Meanwhile|However|Also|Instead|But|And|So|Yet|Still|Once|Because|According|"
    r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)\b",
    re.IGNORECASE,
)
"""How a sentence starts whose first comma ends an introduction."""

QUESTION = re.compile(
    r"\W*(?:(?:and|but|so|or)\s+)?(?:(?:Is|Are|Was|Were|Do|Does|Did|Has|Have|Had|Can|Could|Will|Would|Should|Shall|Must|"
    r"May|Might)(?:n['’]t)?|Won['’]t|Can['’]t|What|Who|Whom|Whose|Which|Why|How|Where)\b",
    re.IGNORECASE,
)
"""How a sentence starts that is a question from its first word on."""

RELATIVE = re.compile(r"[\W_]*(?:who|whom|whose|which|that)\b")
"""How a clause starts that modifies something before it."""

SUBORDINATE = re.compile(
    r"[\W_]*(?:(?:just|even|only|shortly|soon|hours|days|weeks|months|years)\s+)?(?:after|as|before|"
    r"if|once|since|till|unless|until|when|whenever|where|wherever|while)\b",
    re.IGNORECASE,
)
"""How a clause starts that cannot be a sentence, and that no repair makes one."""

CONDITION = re.compile(
    r"[\W_]*(?:(?:and|but|or|only)\s+)?(?:if|unless|provided|providing|as\s+long\s+as|so\s+long\s+as|in\s+case)\b",
    re.IGNORECASE,
)
"""How a clause starts on which another one depends for its truth."""

PARALLEL = re.compile(
    r"[\W_]*(?:and|but|or|nor)\s+(?:(?:also|not|partly)\s+)?(?P<word>because|that|which|who|whose|whom|where|when|while|"
    r"whether|how|why|what|after|before|until|to)\b",
    re.IGNORECASE,
)
"""How a clause starts that continues one with the same word before it: "and because it rained"."""

OPEN_END = re.compile(
    r"(?<![^\s(\"“'‘-])(?:an?|the|his|her|its|their|my|your|our|of|to|at|from|with|into|for|than|"
    r"awaiting|including|involving|regarding|containing|featuring|during|between|among|against|without|"
    r"per|via|amid|despite|is|are|was|were|be|been|being|has|have|had|will|would|can|could|may|might|must|should|does|"
    r"did|do|not|and|or|but|as|that|whether|if|because|such|very|"
    r"sa(?:y|ys|id)|insist(?:s|ed)?|believe[sd]?|think|thinks|thought|claim(?:s|ed)|admit(?:s|ted)?|"
    r"confirm(?:s|ed)?|reveal(?:s|ed)?|announce[sd]|realise[sd]?|realize[sd]?|feel|feels|fear(?:s|ed)|"
    r"know|knows|knew|hope[sd]|warn(?:s|ed)|suggest(?:s|ed)?|argue[sd]?|explain(?:s|ed)?|seem(?:s|ed)?)$",
    re.IGNORECASE,
)
"""Words that no sentence ends with, most of the time."""

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
"""Ends that promise a relative clause, or another clause that limits what they say."""

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
"""Ends that an infinitive completes."""

FIRST_PERSON = re.compile(r"(?<![\w.])(?:I|[Ww]e|[Mm]y|[Oo]ur|me|us|myself|ourselves)(?![\w.-])")
"""Words that mean the one who speaks."""

DOUBT = re.compile(
    r"\b(?:no|nobody|none|nothing|not|never|nor|neither|whether|if|false|falsely|wrong|wrongly|unclear|unsure|unlikely|"
    r"accus(?:e|es|ed|ing)|alleg(?:e|es|ed|edly|ing)|ask(?:s|ed|ing)?|assum(?:e|es|ed)|belie(?:f|ve|ves|ved)|"
    r"claim(?:s|ed|ing)?|den(?:y|ies|ied|ying)|disput(?:e|es|ed)|doubt(?:s|ed)?|fear(?:s|ed)?|"
    r"guess(?:es|ed)?|hop(?:e|es|ed|ing)|imagin(?:e|es|ed)|pretend(?:s|ed|ing)?|refus(?:e|es|ed|ing)|"
    r"reject(?:s|ed)?|rumou?r(?:s|ed)?|speculat\w+|suppos\w+|suspect(?:s|ed)?|think|thinks|thought|"
    r"wish(?:es|ed)?|wonder(?:s|ed|ing)?)\b|n['’]t\b",
    re.IGNORECASE,
)
"""Words of a source that make what it says more or less than a fact."""
