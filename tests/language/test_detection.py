"""English is told from other languages, as far as a warning needs it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discobert.benchmark.texts import generated
from discobert.language.detection import looks_english

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


def test_a_long_text_is_judged_by_its_start_and_middle() -> None:
    english, german = generated(3_000, seed=1).text, FOREIGN[0]
    assert looks_english(f"{english} {german}")
    assert not looks_english(f"{german * 300} {english}")


@pytest.mark.parametrize("text", ["", "123 – 456", "Rote Brücke", "Liverpool 2 Chelsea 1"])
def test_short_texts_have_the_benefit_of_the_doubt(text: str) -> None:
    assert looks_english(text)


@given(st.lists(st.text(LATIN_LETTERS, min_size=1), max_size=19))
def test_fewer_than_twenty_words_are_not_judged(words: list[str]) -> None:
    assert looks_english(" ".join(words))
