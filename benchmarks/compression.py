"""Retrieved chunks made shorter: our adapters beside what needs no model hub either.

    pip install sumy summa scikit-learn langchain-community rank_bm25
    python -m benchmarks.compression [--ratio 0.5] [--runs 3]

CPU time is measured on generated chunks of 400 words that no system has seen before. Whether the
answer survives is counted over questions about the texts in examples/, of which each system gets
the first 400 words. Systems that are not installed are left out. LLMLingua, LLMChainExtractor,
EmbeddingsFilter and SentenceEmbeddingOptimizer need weights from a hub or a remote model.
"""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.rivals import OurSentences, split

from discobert.benchmark.costs import Cost, cost_of, mean_cost
from discobert.benchmark.run import machine
from discobert.benchmark.texts import generated
from discobert.render.tables import markdown_tables

Compress = Callable[[str, str], str]
"""Makes a text shorter, given a query."""
WORDS = 400
_CHUNKS = 20
_EXAMPLES = Path(__file__).parents[1] / "examples"
_QUERIES = ("Who was hurt?", "What will it cost?", "When does it open again?", "Why did it fail?")
QUESTIONS: Mapping[str, Mapping[str, str]] = {
    "harbour-bridge.txt": {
        "What did the repair cost?": "9.2 million",
        "Why was the bridge closed?": "deep cracks",
        "How far was the drive to the opposite bank?": "19-mile",
        "When may lorries cross the bridge again?": "December",
    },
    "interview.txt": {
        "How did the library begin?": "funeral",
        "How long does a bean live in a drawer?": "five years",
        "How many readers never return any seeds?": "a third",
        "How many varieties are kept in the customs house?": "2,300",
    },
    "minutes.txt": {
        "When will the footpath reopen?": "June",
        "How much would be saved if the lamps were switched off?": "£380",
        "Until when may walkers cross the meadow?": "end of May",
        "How much was the grant to the cricket club?": "£450",
    },
    "study.md": {
        "How much cooler was the soil near a hedge on hot days?": "3.1 °C",
        "How long was each of the hedgerows?": "150 metres",
        "How deep were the loggers buried?": "5 cm",
        "At which temperature of the soil do roots stop growing?": "27 °C",
    },
}


@dataclass(frozen=True, slots=True)
class Result:
    """What a system costs, and what it keeps."""

    cost: Cost
    kept: float
    """Share of the words."""
    answers: int


def by_langchain(ratio: float) -> Compress:
    """Use our compressor for LangChain."""
    from langchain_core.documents import Document

    from discobert.integrations.langchain import DiscobertCompressor

    compressor = DiscobertCompressor(ratio=ratio)
    return lambda text, query: (
        compressor.compress_documents([Document(text)], query)[0].page_content
    )


def by_llamaindex(ratio: float) -> Compress:
    """Use our postprocessor for LlamaIndex."""
    from llama_index.core.schema import NodeWithScore, TextNode

    from discobert.integrations.llamaindex import DiscobertPostprocessor

    postprocessor = DiscobertPostprocessor(ratio=ratio)

    def compress(text: str, query: str) -> str:
        nodes = [NodeWithScore(node=TextNode(text=text), score=1.0)]
        return postprocessor.postprocess_nodes(nodes, query_str=query)[0].node.get_content()

    return compress


def by_first_words(ratio: float) -> Compress:
    """Cut the text off."""

    def compress(text: str, query: str) -> str:
        words = text.split()
        return " ".join(words[: int(ratio * len(words))])

    return compress


def by_sumy(name: str, ratio: float) -> Compress:
    """Take the most central sentences by a summariser of sumy."""
    from sumy.parsers.plaintext import PlaintextParser
    from sumy.summarizers.lex_rank import LexRankSummarizer
    from sumy.summarizers.lsa import LsaSummarizer

    ranker = {"LexRank": LexRankSummarizer, "LSA": LsaSummarizer}[name]()

    def compress(text: str, query: str) -> str:
        document = PlaintextParser.from_string(text, OurSentences()).document
        return " ".join(map(str, ranker(document, f"{100 * ratio:g}%")))

    return compress


def by_summa(ratio: float) -> Compress:
    """Take the most central sentences by summa's TextRank."""
    from summa.summarizer import summarize

    return lambda text, query: str(summarize(text, ratio=ratio))


def by_tfidf(ratio: float) -> Compress:
    """Take the sentences nearest to the query by TF-IDF."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    def compress(text: str, query: str) -> str:
        sentences = split(text)
        vectors = TfidfVectorizer(stop_words="english").fit_transform([*sentences, query])
        scores = (vectors[:-1] @ vectors[-1].T).toarray()[:, 0]
        best = sorted(range(len(sentences)), key=lambda place: -scores[place])
        return _in_order(sentences, best, ratio)

    return compress


def by_bm25(ratio: float) -> Compress:
    """Take the sentences that LangChain's BM25 retriever finds for the query."""
    import rank_bm25  # noqa: F401 - the retriever imports it when it is used
    from langchain_community.retrievers import BM25Retriever

    def compress(text: str, query: str) -> str:
        sentences = split(text)
        places = [{"place": place} for place in range(len(sentences))]
        retriever = BM25Retriever.from_texts(sentences, places, k=len(sentences))
        best = [found.metadata["place"] for found in retriever.invoke(query)]
        return _in_order(sentences, best, ratio)

    return compress


def _in_order(sentences: Sequence[str], best: Sequence[int], ratio: float) -> str:
    """Return the best sentences that fit, as they stand in the text."""
    left = ratio * sum(len(sentence.split()) for sentence in sentences)
    chosen = set()
    for place in best:
        words = len(sentences[place].split())
        if words <= left:
            left -= words
            chosen.add(place)
    return " ".join(sentences[place] for place in sorted(chosen))


SYSTEMS: Mapping[str, Callable[[float], Compress]] = {
    "discobert, LangChain": by_langchain,
    "discobert, LlamaIndex": by_llamaindex,
    "first words": by_first_words,
    "sumy LexRank": partial(by_sumy, "LexRank"),
    "sumy LSA": partial(by_sumy, "LSA"),
    "summa TextRank": by_summa,
    "TF-IDF with the query (scikit-learn)": by_tfidf,
    "BM25 with the query (LangChain)": by_bm25,
}


def load_systems(ratio: float) -> dict[str, Compress]:
    """Load all whose libraries are installed."""
    found: dict[str, Compress] = {}
    for name, load in SYSTEMS.items():
        with suppress(ImportError):
            found[name] = load(ratio)
    return found


def first_words(text: str, words: int = WORDS) -> str:
    """Return the start of a text as it stands, up to so many words."""
    end = 0
    for _ in range(words):
        rest = text[end:].lstrip()
        if not rest:
            break
        end = len(text) - len(rest) + len(rest.split(maxsplit=1)[0])
    return text[:end]


def measure(systems: Mapping[str, Compress], runs: int) -> dict[str, Result]:
    """Let all systems shorten a chunk before the next, so that other load affects all of them."""
    costs: dict[str, list[list[Cost]]] = {name: [] for name in systems}
    kept: dict[str, list[float]] = {name: [] for name in systems}
    for compress in systems.values():
        compress(generated(WORDS, seed=-1).text, _QUERIES[0])  # loads what is loaded on demand
    for chunk in range(_CHUNKS):
        query = _QUERIES[chunk % len(_QUERIES)]
        for each in costs.values():
            each.append([])
        for run in range(runs):
            text = f"Report {run}. {generated(WORDS, seed=chunk).text}"
            for name, compress in systems.items():
                made: list[str] = []
                cost = cost_of(lambda: made.append(compress(text, query)))  # noqa: B023 - at once
                costs[name][-1].append(cost)
                kept[name].append(len(made[0].split()) / len(text.split()))
    return {
        name: Result(mean_cost(costs[name]), sum(kept[name]) / len(kept[name]), n_answers(compress))
        for name, compress in systems.items()
    }


def n_answers(compress: Compress) -> int:
    """Count the questions whose answer is still there."""
    found = 0
    for file, questions in QUESTIONS.items():
        text = first_words((_EXAMPLES / file).read_text(encoding="utf-8"))
        for question, answer in questions.items():
            if answer not in text:
                raise ValueError(f"{file} has no answer to {question!r}")
            found += answer in " ".join(compress(text, question).split())
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table as Markdown."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--ratio", type=float, default=0.5, help="share of the words to keep")
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args(arguments)
    results = measure(load_systems(given.ratio), given.runs)
    n_questions = sum(map(len, QUESTIONS.values()))
    header = ("system", "CPU ms a chunk", "words kept", f"answers kept of {n_questions}")
    rows = [
        (
            name,
            f"{1000 * result.cost.cpu:.1f}",
            f"{100 * result.kept:.0f} %",
            str(result.answers),
        )
        for name, result in results.items()
    ]
    title = f"{_CHUNKS} chunks of {WORDS} words, best of {given.runs} ({machine()})"
    sys.stdout.write(markdown_tables({title: (header, rows)}))


if __name__ == "__main__":
    main()
