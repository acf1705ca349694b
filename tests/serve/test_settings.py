"""Settings of the service."""

import pytest

from discobert.errors import UsageError
from discobert.serve.settings import ServiceSettings

EVERYWHERE = "0.0.0.0"  # noqa: S104 - nothing listens here


@pytest.mark.parametrize(
    ("given", "part"),
    [
        ({"queue": -1}, "queue must be at least 0, got -1"),
        ({"max_body": 0}, "max_body must be at least 1, got 0"),
        ({"deadline": float("nan")}, "deadline must be at least 0.001, got nan"),
        ({"token": ""}, "ASCII"),
        ({"token": "é"}, "ASCII"),
    ],
)
def test_values_out_of_range_are_refused(given: dict[str, float], part: str) -> None:
    with pytest.raises(UsageError, match=part):
        ServiceSettings(**given)  # type: ignore[arg-type]


def test_workers_are_counted_or_chosen() -> None:
    assert ServiceSettings(workers=7).n_workers == 7
    assert 1 <= ServiceSettings().n_workers <= 4


def test_service_for_this_machine_has_few_names() -> None:
    own = frozenset({"localhost", "127.0.0.1", "[::1]"})
    assert ServiceSettings().names == own
    assert ServiceSettings(host="localhost").names == own
    assert ServiceSettings(allowed_hosts=("Desk.example",)).names == own | {"desk.example"}


def test_service_for_others_has_any_name_unless_some_are_given() -> None:
    assert ServiceSettings(host=EVERYWHERE).names is None
    names = ServiceSettings(host=EVERYWHERE, allowed_hosts=("a.example",)).names
    assert names is not None
    assert "a.example" in names
    assert "b.example" not in names
    assert ServiceSettings(host="box.example").names is None
