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

CONNECTIVES = r"[Aa]nd|[Bb]ut|[Oo]r"
"""Words that tie a clause to the one before, which may be gone."""

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
