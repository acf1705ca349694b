"""English is told from other languages, as far as a warning needs it."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobert.benchmark.texts import generated
from discobert.language.detection import looks_english, looks_like_prose

TEXTS = Path(__file__).parents[1] / "golden" / "texts"
FOREIGN = (
    "Die Stadt wird am Samstag ihre Brücke wieder öffnen. Nach vierzehn Monaten endet damit der "
    "Umweg, der den Händlern am Hafen fast alle Kunden genommen hat.",
    "La ville rouvrira samedi son pont tournant, ce qui met fin à quatorze mois de détours. On a "
    "fermé le pont en septembre après que des plongeurs eurent trouvé des fissures.",
    "La ciudad volverá a abrir el puente el sábado. Con ello terminan catorce meses de rodeos que "
    "casi vaciaron el puerto. No se sabe si los comerciantes han vuelto.",
    "De stad zal zaterdag de brug weer openen. Daarmee komt een einde aan veertien maanden "
    "omrijden. De brug was in september gesloten nadat duikers scheuren hadden gevonden.",
    "Byen åbner broen igen på lørdag, og dermed slutter fjorten måneders omveje for de handlende. "
    "Broen blev lukket i september, efter at dykkere havde fundet revner.",
    "Miasto ponownie otworzy most w sobotę. To kończy czternaście miesięcy objazdów. Most "
    "zamknięto we wrześniu, gdy nurkowie znaleźli pęknięcia. Nie wiadomo, czy to pomogło.",
    "Город в субботу вновь откроет мост.",
    "市は土曜日に橋を再び開く。",
    "ستعيد المدينة فتح الجسر يوم السبت.",
)
LATIN_LETTERS = st.characters(max_codepoint=127, categories=["Ll"])


@pytest.mark.parametrize("text", FOREIGN)
def test_other_languages_are_told(text: str) -> None:
    assert not looks_english(text)


@pytest.mark.parametrize("seed", range(5))
def test_english_is_known(seed: int) -> None:
    assert looks_english(generated(60, seed=seed).text)


def test_names_and_quotations_in_other_languages_are_no_matter() -> None:
    text = "She said that the song “Freude, schöner Götterfunken” was sung by the choir of Köln."
    assert looks_english(f"{text} {text}")
    assert looks_english(f"{text} The sign read 東京大学, which she had not seen before.")


def test_addresses_are_no_words() -> None:
    links = "Write to <help@example.org> or see <https://example.org/faq> and www.example.org/a/b/c"
    assert looks_english(f"{links}. We answer letters within two days. No office opens on Sunday.")


def test_a_long_text_is_judged_by_its_start_and_middle() -> None:
    english, german = generated(3_000, seed=1).text, FOREIGN[0]
    assert looks_english(f"{english} {german}")
    assert not looks_english(f"{german * 300} {english}")


@pytest.mark.parametrize("text", ["", "123 – 456", "Rote Brücke", "Liverpool 2 Chelsea 1"])
def test_short_texts_have_the_benefit_of_the_doubt(text: str) -> None:
    assert looks_english(text)


@given(st.lists(st.text(LATIN_LETTERS, min_size=1), max_size=4))
def test_fewer_than_five_words_are_not_judged(words: list[str]) -> None:
    assert looks_english(" ".join(words))


CODE = (
    """def read(path, limit=10):
    rows = [line.split(",") for line in open(path)]
    return {row[0]: row[1:] for row in rows[:limit]}
"""
    * 3
)
ROWS = "\n".join(f"Anna {row},{row + 20},Oslo,{row * 3.14:.2f}" for row in range(40))
TICKETS = "\n".join(f"{row};Fix the bug number {row};open;Tom" for row in range(40))
RECORDS = ",\n".join(f'{{"id": {row}, "name": "A {row}", "score": 0.{row}1}}' for row in range(20))
LOG = "\n".join(
    f"2024-01-02 10:07:{row} ERROR db: lost the connection ({row})" for row in range(20)
)


@pytest.mark.parametrize("text", [CODE, ROWS, TICKETS, RECORDS, LOG])
def test_data_code_and_logs_are_no_prose(text: str) -> None:
    assert not looks_like_prose(text)


@pytest.mark.parametrize("path", sorted(TEXTS.iterdir()), ids=lambda path: path.stem)
def test_golden_texts_are_prose(path: Path) -> None:
    assert looks_like_prose(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("text", FOREIGN)
def test_other_languages_are_prose(text: str) -> None:
    assert looks_like_prose(text)


def test_few_words_are_prose() -> None:
    assert looks_like_prose('{"a": 1}')


@pytest.mark.parametrize(
    ("text", "is_english"),
    [
        ("Der Hund lief schnell über die Wiese und bellte laut.", False),
        ("Le chien est dans la rue.", False),
        ("Der Spiegel wrote about the die that was cast.", True),
        ("Los Angeles, La Paz", True),
        ("Rain fell on Monday.", True),
    ],
)
def test_short_texts_with_foreign_function_words_are_not_english(
    text: str, is_english: bool
) -> None:
    assert looks_english(text) is is_english
