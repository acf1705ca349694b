"""The 18 classes of relations of the RST Discourse Treebank (Carlson and Marcu, 2001)."""

CLASSES: dict[str, str] = {
    "attribution": "attribution attribution-negative",
    "background": "background circumstance",
    "cause": "cause cause-result result consequence",
    "comparison": "comparison preference analogy proportion",
    "condition": "condition hypothetical contingency otherwise",
    "contrast": "contrast concession antithesis",
    "elaboration": "elaboration example definition",
    "enablement": "purpose enablement",
    "evaluation": "evaluation interpretation conclusion comment",
    "explanation": "evidence explanation-argumentative reason",
    "joint": "list disjunction",
    "manner-means": "manner means",
    "same-unit": "same-unit",
    "summary": "summary restatement",
    "temporal": "temporal sequence inverted-sequence",
    "textual-organization": "textualorganization textual-organization",
    "topic-change": "topic-shift topic-drift",
    "topic-comment": (
        "topic-comment comment-topic problem-solution question-answer statement-response "
        "rhetorical-question"
    ),
}
TREEBANK_RELATIONS = tuple(CLASSES)

_CLASS_OF = {fine: name for name, members in CLASSES.items() for fine in members.split()}


def treebank_class(relation: str) -> str:
    """Return the class of a fine relation of the treebank; an unknown one is returned as it is.

    Suffixes of a name describe how a relation was annotated (``-e`` embedded, ``-n`` and ``-s``
    which side is the nucleus), and ``elaboration-…`` and ``temporal-…`` have many kinds: none of
    them changes the class.
    """
    name = relation.lower()
    while name not in _CLASS_OF and "-" in name:
        name = name.rpartition("-")[0]
    return _CLASS_OF.get(name, relation)
