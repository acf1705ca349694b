"""How fast the page answers when its slider moves, in Chromium with a service of its own.

    python -m benchmarks.slider [--words 1000] [--moves 60]

Needs Chromium and chromedriver. The slider is moved with keys, each after the answer to the last.
``written`` is the time from the browser's input event to the summary in the page, ``painted`` to
the end of the frame that shows it.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.service import running
from tests.webdriver import Browser, browser

from discobert.benchmark.texts import generated
from discobert.data.codecs.json_text import JsonObject

_RIGHT, _LEFT, _PAGE_UP, _PAGE_DOWN = "\ue014", "\ue012", "\ue00e", "\ue00f"
_KEYS = (_PAGE_UP, _RIGHT, _RIGHT, _PAGE_UP, _RIGHT, _PAGE_DOWN, _LEFT, _LEFT, _PAGE_DOWN, _LEFT)
_LISTEN = """
window.moves = [];
let asked = null;
document.getElementById("words").addEventListener("input", (event) => {
  asked = { input: event.timeStamp };
}, true);
new PerformanceObserver((list) => {
  for (const entry of list.getEntriesByName("discobert-answer")) {
    const move = asked;
    move.written = entry.startTime + entry.duration - move.input;
    requestAnimationFrame(() => {
      const channel = new MessageChannel(); // answers after the frame was painted
      channel.port1.onmessage = () => {
        move.painted = performance.now() - move.input;
        move.words = document.getElementById("facts").textContent.match(/\\d+/)[0];
        window.moves.push(move);
      };
      channel.port2.postMessage(null);
    });
  }
}).observe({ type: "measure" });
"""


def move(page: Browser, words: int, moves: int) -> list[dict[str, float]]:
    """Summarise a text and move the slider; return what the page has measured."""
    page.run(
        "document.getElementById('text').value = arguments[0];"
        "document.getElementById('go').click()",
        generated(words).text,
    )
    page.until("!document.getElementById('result').hidden")
    page.run(_LISTEN)
    page.run("document.getElementById('words').focus()")
    for number in range(moves):
        page.press(_KEYS[number % len(_KEYS)])
        page.until(f"window.moves.length === {number + 1}")
    found: list[dict[str, float]] = page.run("return window.moves")
    return found


def describe(moves: Sequence[dict[str, float]]) -> JsonObject:
    """Return median and percentiles in milliseconds."""
    figures: JsonObject = {"moves": len(moves), "lengths": len({each["words"] for each in moves})}
    for name in ("written", "painted"):
        times = sorted(each[name] for each in moves)
        figures[name] = {
            f"p{share}_ms": round(times[min(len(times) - 1, share * len(times) // 100)], 1)
            for share in (50, 95, 100)
        }
    return figures


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--words", type=int, default=1000)
    parser.add_argument("--moves", type=int, default=60)
    given = parser.parse_args(arguments)
    with (
        tempfile.TemporaryDirectory() as folder,
        running() as service,
        browser(Path(folder)) as page,
    ):
        page.open(f"http://127.0.0.1:{service.port}/")
        page.until("document.documentElement.classList.contains('live')")
        figures = describe(move(page, given.words, given.moves))
    sys.stdout.write(f"{json.dumps(figures, indent=2)}\n")


if __name__ == "__main__":
    main()
