import pytest

from discobert.data.limits import TextLimits
from discobert.errors import InputError, TooLarge, UsageError

LIMITS = TextLimits(max_chars=1_000, max_edus=20, max_sentence_pieces=30)


def test_what_is_at_a_limit_passes() -> None:
    LIMITS.check_chars("a.txt", 1_000)
    LIMITS.check_bytes("a.txt", 4_004)
    LIMITS.check_edus("a.txt", 20)
    LIMITS.check_sentence("a.txt", 3, 30)


def test_errors_name_size_limit_and_option() -> None:
    with pytest.raises(TooLarge) as chars:
        LIMITS.check_chars("a.txt", 1_001)
    assert str(chars.value) == (
        "a.txt: 1,001 characters, but the limit is 1,000; split the text, or raise the limit with "
        "--max-chars (in Python: TextLimits(max_chars=…))"
    )
    with pytest.raises(TooLarge, match=r"8,008 bytes, at least 2,002 characters.*--max-chars"):
        LIMITS.check_bytes("a.txt", 8_008)
    with pytest.raises(TooLarge, match=r"21 EDUs or more, but the limit is 20.*--max-edus"):
        LIMITS.check_edus("a.txt", 21)
    with pytest.raises(InputError, match=r"31 word pieces in sentence 3.*--max-sentence-pieces"):
        LIMITS.check_sentence("a.txt", 3, 31)


def test_a_limit_is_at_least_one() -> None:
    with pytest.raises(UsageError, match="max_edus must be at least 1, got 0"):
        TextLimits(max_edus=0)
