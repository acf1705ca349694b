"""Analyses as JSON objects with a format version, and back.

Dependencies and graphs, which ``render.described_analysis`` adds, are computed from the rest and
ignored when an analysis is read.
"""

from discobert.data.codecs.fields import FORMAT, Field, refused, versioned
from discobert.data.codecs.json_text import Json, JsonObject
from discobert.data.codecs.markup import decode_markup, encode_markup
from discobert.data.coref import Cluster, Mention
from discobert.data.cuts import Cut
from discobert.data.document import Document, Edu, Span
from discobert.data.markup import NO_MARKUP
from discobert.data.rst import Branch, Leaf, Nuclearity, RstTree, fold
from discobert.data.summary import Analysis, ModelId

_LONGEST_PATH = 60


def encode_analysis(analysis: Analysis) -> JsonObject:
    """Write an analysis as a JSON object; cuts and model only if there are any."""
    cuts: JsonObject = {"cuts": list(map(encode_cut, analysis.cuts))} if analysis.cuts else {}
    model: JsonObject = {"model": encode_model(analysis.model)} if analysis.model else {}
    return {
        "format": FORMAT,
        **encode_document(analysis.document),
        "tree": encode_tree(analysis.rst),
        "clusters": [
            [_encode_span(mention.span) for mention in cluster.mentions]
            for cluster in analysis.coref
        ],
        **cuts,
        **model,
    }


def encode_model(model: ModelId) -> Json:
    """Write name, version and language of a model."""
    return {"name": model.name, "version": model.version, "language": model.language}


def encode_document(document: Document) -> JsonObject:
    """Write a document as the members that an analysis of it begins with."""
    return {
        "id": document.id,
        "text": document.text,
        "sentences": [_encode_span(span) for span in document.sentences],
        "paragraphs": list(document.paragraphs),
        "edus": [_encode_edu(edu) for edu in document.edus],
        **({} if document.markup == NO_MARKUP else {"markup": encode_markup(document.markup)}),
    }


def _encode_span(span: Span) -> Json:
    return [span.start, span.end]


def _encode_edu(edu: Edu) -> Json:
    return {
        "start": edu.span.start,
        "end": edu.span.end,
        "sentence": edu.sentence,
        "has_subject": edu.has_subject,
    }


def encode_cut(cut: Cut) -> Json:
    """Write a cut as its EDUs and the probability that it does no harm."""
    return {"edus": list(cut.edus), "harmless": cut.harmless}


def encode_tree(tree: RstTree) -> JsonObject:
    """Write a tree as nested JSON objects, as deep as the tree."""

    def at_leaf(leaf: Leaf) -> JsonObject:
        return {"edu": leaf.edu}

    def at_branch(branch: Branch, left: JsonObject, right: JsonObject) -> JsonObject:
        nuclearity = branch.nuclearity.value
        return {"relation": branch.relation, "nuclearity": nuclearity, "left": left, "right": right}

    return fold(tree, at_leaf, at_branch)


def decode_analysis(value: Json) -> Analysis:
    """Read an analysis; whatever breaks the format is named by its path."""
    root = versioned(value, "analysis")
    document = decode_document(root)
    tree = decode_tree(root.member("tree").value)
    clusters = root.optional("clusters", []).items(_decode_cluster)
    cuts = root.optional("cuts", []).items(decode_cut)
    given = root.optional("model", None)
    model = None if given.value is None else decode_model(given)
    with refused(root):
        return Analysis(document, tree, clusters, cuts, model)


def decode_model(field: Field) -> ModelId:
    """Read a model; without a language it is English."""
    language = field.optional("language", "en").text()
    return ModelId(field.member("name").text(), field.member("version").text(), language)


def decode_document(root: Field) -> Document:
    """Read a document from the members of a larger object."""
    name, text = root.member("id").text(), root.member("text").text()
    sentences = root.member("sentences").items(_decode_span)
    edus = root.member("edus").items(_decode_edu)
    paragraphs = root.optional("paragraphs", [0]).items(Field.integer)
    markup = decode_markup(root.optional("markup", {}))
    with refused(root):
        return Document(name, text, sentences, edus, paragraphs, markup)


def _decode_span(field: Field) -> Span:
    with refused(field):
        return Span(*field.pair())


def _decode_edu(field: Field) -> Edu:
    start, end = field.member("start").integer(), field.member("end").integer()
    sentence = field.member("sentence").integer()
    has_subject = field.optional("has_subject", default=True).flag()
    with refused(field):
        return Edu(Span(start, end), sentence, has_subject)


def _decode_cluster(field: Field) -> Cluster:
    spans = field.items(_decode_span)
    with refused(field):
        return Cluster(tuple(map(Mention, spans)))


def decode_cut(field: Field) -> Cut:
    """Read a cut."""
    edus = field.member("edus").items(Field.integer)
    harmless = field.member("harmless").number()
    with refused(field):
        return Cut(edus, harmless)


def decode_tree(value: Json) -> RstTree:
    """Read a tree of any depth: ``{"edu"}`` or ``{"relation", "nuclearity", "left", "right"}``."""
    todo = [(Field(value, "tree"), False)]
    done: list[RstTree] = []
    while todo:
        node, children_done = todo.pop()
        if "edu" in node.object():
            done.append(Leaf(node.member("edu").integer()))
        elif children_done:
            right = done.pop()
            done.append(_decode_branch(node, done.pop(), right))
        else:
            left_and_right = (_shorten(node.member(side)) for side in ("right", "left"))
            todo += [(node, True), *((child, False) for child in left_and_right)]
    return done.pop()


def _shorten(field: Field) -> Field:
    """Keep the end of a path, which would otherwise grow with the depth of the tree."""
    path = field.path
    return field if len(path) < _LONGEST_PATH else Field(field.value, f"...{path[-40:]}")


def _decode_branch(node: Field, left: RstTree, right: RstTree) -> Branch:
    relation, nuclearity = node.member("relation").text(), node.member("nuclearity")
    with refused(nuclearity):
        return Branch(relation, Nuclearity(nuclearity.value), left, right)
