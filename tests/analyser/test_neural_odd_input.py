"""The shipped analyser on texts that nobody meant for it: a valid analysis with exact offsets."""

import json
from itertools import pairwise
from time import process_time

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from discobert import Summarizer
from discobert.analyser.load import neural_analyser
from discobert.analyser.neural import NeuralAnalyser
from discobert.benchmark.texts import generated
from discobert.data.codecs.analysis import decode_analysis, encode_analysis
from discobert.data.document import SourceText, Span
from discobert.data.rst import leaves, nodes
from discobert.data.summary import Analysis
from discobert.errors import InputError
from discobert.render.summaries.json import render_jsonl
from discobert.runtime.pieces import PieceLayout, lay_out
from discobert.store.bundle import SHIPPED, open_bundle

WORDS = (
    *(
        "the mayor",
        "She said",
        "he",
        "which",
        "Mr. Hall",
        "because of",
        "to go",
        "and",
        "U.S.",
        "it",
    ),
    *(
        ". ",
        ", ",
        "?",
        "!!",
        "...",
        "…",
        " – ",
        "—",
        "-",
        ": ",
        "; ",
        '"',
        "'",
        "(",
        ")",
        "[1]",
        "*",
    ),
    *(" ", "\n", "\n\n", "\r\n", "\r", "\t", "\xa0", "\u2028", "\u2029", "\x85", "\f", "\u3000"),
    *(
        "😀",
        "👩‍👩‍👧",
        "🇩🇪",
        "👍🏽",
        "é",
        "e\u0301",
        "\u0301",
        "ﬁ",
        "ǅ",
        "İ",
        "ß",
        "Å",
        "½",
        "①",
        "ⅷ",
    ),
    *("\0", "\x1b", "\x1c", "\u200b", "\u200d", "\ufeff", "\u2060", "\u202e", "\u00ad", "\ue000"),
    *("\ud800", "\udfff", "\ufffd", "\uffff", "\U0010ffff", "\U000e0041", "\u0378"),
    *("中文", "今日は雨です。", "나는", "नमस्ते।", "สวัสดี", "مرحبا؟", "שלום", "Привет", "Ελλάδα"),
    *("[CLS]", "[SEP]", "[PAD]", "##ing", "www.a.org/b?c=d", "1,000.50", "a" * 120, "ab-" * 20),
)
TEXTS = st.one_of(st.lists(st.sampled_from(WORDS), max_size=25).map("".join), st.text(max_size=60))

ODD = {
    "one word": "Yes",
    "one letter": "a",
    "one sentence": "The mayor, who was ill, resigned.",
    "no final stop": "It rained. Then it stopped",
    "only punctuation": "?! ... — – -- ,,, ;; () [] '\"",
    "one mark": ".",
    "emoji": "😀 👩‍👩‍👧 🇩🇪 👍🏽",
    "emoji among words": "Great 😀! Really 👍🏽, he said 🇩🇪. 😀",
    "mixed line endings": "One.\r\nTwo.\rThree.\n\nFour.\u2028Five.\u2029Six.\x85Seven.\fEight",
    "German": "Der Bürgermeister, der gestern zurücktrat, sagte, dass er müde sei. Er geht.",
    "Japanese": "今日は雨です。明日は晴れるでしょう。",
    "Korean": "나는 학교에 갔다. 너는 집에 왔다.",
    "Hindi": "यह एक वाक्य है। वह दूसरा है।",
    "Thai": "สวัสดีครับผมชื่อสมชาย",
    "right to left": "שלום עולם. מה שלומך? ذهب الولد إلى المدرسة. ثم عاد؟ \u202eabc\u202c.",
    "combining marks": "Cafe\u0301 ne\u0301e. Z" + 300 * "\u0301" + " went home.",
    "zero width": "He\u200bllo wor\u200dld.\ufeff Next\u2060 one, \u200b he said. \u200b",
    "NUL": "He\0llo \0 there.\0\0 Next\0one.",
    "nothing that BERT reads": "\0\u200b\x01",
    "paragraphs that BERT does not read": "\0\n\n" * 20 + "She left.\n\n" + "\u200b\n\n" * 20,
    "half a surrogate pair": "She \ud800 left\udfff, he said. \udc00",
    "private and unassigned": "\ue000\ue001 text \u0378, \U0010ffff said \uffff.",
    "special tokens": "[CLS] The [MASK] sat. [SEP] [PAD] [UNK] ##ing.",
    "a very long word": f"The {'ab' * 3000} fell.",
    "a very long line of dashes": f"Up {'-' * 300} and {'—' * 100} down.",
    "a very long word of Chinese": "中" * 300,
}

WORDLESS = {"only punctuation", "one mark", "emoji", "nothing that BERT reads"}
LONG = {name for name, text in ODD.items() if len(text) > 200}


@pytest.fixture(scope="session")
def analyser() -> NeuralAnalyser:
    bundle = open_bundle(SHIPPED / "en")
    return neural_analyser(bundle.read, dict(bundle.settings))


def analysed(analyser: NeuralAnalyser, text: str) -> Analysis:
    found = analyser.analyse(SourceText("odd", text))
    check(found, text)
    return found


def check(found: Analysis, text: str) -> None:
    assert found.document.text == text
    check_units(found)
    check_tree(found)
    check_mentions(found)


def check_units(found: Analysis) -> None:
    """Require that EDUs tile sentences and these the text, with mere white space between."""
    document = found.document
    assert not _outside(document.text, document.sentences).strip()
    for sentence, edus in zip(document.sentences, document.edus_by_sentence(), strict=True):
        spans = [document.edus[edu].span for edu in edus]
        assert (spans[0].start, spans[-1].end) == (sentence.start, sentence.end)
        for span in (sentence, *spans):
            assert span.of(document.text) == span.of(document.text).strip() != ""
        for one, two in pairwise(spans):
            assert one.end <= two.start
            assert not document.text[one.end : two.start].strip()


def _outside(text: str, spans: tuple[Span, ...]) -> str:
    edges = [0, *(edge for span in spans for edge in (span.start, span.end)), len(text)]
    return "".join(text[low:high] for low, high in zip(edges[::2], edges[1::2], strict=True))


def check_tree(found: Analysis) -> None:
    """Require that the tree holds all EDUs in order, and every sentence as one subtree."""
    n_edus = len(found.document.edus)
    assert leaves(found.rst) == tuple(range(n_edus))
    subtrees = {(node.start, node.end) for node in nodes(found.rst)}
    for edus in found.document.edus_by_sentence():
        assert len(edus) == 1 or (edus.start, edus.stop) in subtrees


def check_mentions(found: Analysis) -> None:
    """Require that mentions are words of one sentence, and that no chain has but one."""
    document = found.document
    starts = np.array([sentence.start for sentence in document.sentences])
    for cluster in found.coref:
        assert len(cluster.mentions) > 1
        for mention in cluster.mentions:
            assert mention.span.of(document.text) == mention.span.of(document.text).strip() != ""
            place = int(np.searchsorted(starts, mention.span.start, side="right")) - 1
            assert mention.span in document.sentences[place]


def check_pieces(analyser: NeuralAnalyser, text: str, layout: PieceLayout) -> None:
    """Require that words stand in order and are spelled by their pieces."""
    chars = layout.word_chars
    assert bool((chars[:, 0] < chars[:, 1]).all())
    assert bool((chars[1:, 0] >= chars[:-1, 1]).all())
    for (start, end), (first, last) in zip(
        chars.tolist(), layout.word_pieces.tolist(), strict=True
    ):
        pieces = [str(analyser.tokenizer.id_to_token(int(i))) for i in layout.ids[first:last]]
        if "[UNK]" not in pieces:
            spelled = analyser.tokenizer.normalizer.normalize_str(text[start:end])
            assert "".join(piece.removeprefix("##") for piece in pieces) == spelled.strip()


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=TEXTS)
def test_any_text_has_a_valid_analysis_or_a_clear_error(
    analyser: NeuralAnalyser, text: str
) -> None:
    if text.strip():
        found = analysed(analyser, text)
        assert decode_analysis(encode_analysis(found)) == found
    else:
        with pytest.raises(InputError, match="odd: there is no text to analyse"):
            analyser.analyse(SourceText("odd", text))


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=TEXTS)
def test_pieces_spell_the_text_at_their_offsets(analyser: NeuralAnalyser, text: str) -> None:
    layout = analyser.splitter.split(text)
    if layout.sentences:
        readable = "".join("\ufffd" if "\ud800" <= sign <= "\udfff" else sign for sign in text)
        check_pieces(analyser, readable, lay_out(analyser.tokenizer, text, layout))


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_odd_texts_are_analysed(analyser: NeuralAnalyser, text: str) -> None:
    analysed(analyser, text)


def test_odd_texts_are_summarised_or_refused() -> None:
    summarizer = Summarizer.load()
    for name in WORDLESS:
        with pytest.raises(InputError, match="the text has no letters"):
            summarizer.summarize(ODD[name])
    for name in ODD.keys() - WORDLESS - LONG:
        summary = summarizer.summarize(ODD[name], words=20)
        assert json.loads(render_jsonl([summary]))["text"] == summary.text != ""


def test_a_sentence_of_5000_words_is_read_in_sections(analyser: NeuralAnalyser) -> None:
    found = analysed(analyser, "the man " * 2500)
    assert len(found.document.sentences) == 5
    assert found.document.paragraphs == (0,)


def test_hundreds_of_paragraphs_of_one_word(analyser: NeuralAnalyser) -> None:
    found = analysed(analyser, "Word\n\n" * 250)
    assert len(found.document.paragraphs) == len(found.document.edus) == 250


@pytest.mark.slow
def test_thousands_of_paragraphs_of_one_word(analyser: NeuralAnalyser) -> None:
    found = analysed(analyser, "Word\n\n" * 5000)
    assert len(found.document.paragraphs) == len(found.document.edus) == 5000


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_200000_words_cost_ten_times_20000(analyser: NeuralAnalyser) -> None:
    seconds = []
    for words in (20_000, 200_000):
        text = generated(words, seed=1).text
        start = process_time()
        analysed(analyser, text)
        seconds.append(process_time() - start)
    assert seconds[1] < 13 * seconds[0]
