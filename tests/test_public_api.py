"""The public names are what ``__all__`` says, and no others."""

import pytest

import discobert

PUBLIC = [
    "Analysis",
    "BundleError",
    "DiscobertError",
    "Document",
    "Edu",
    "InputError",
    "Span",
    "Summarizer",
    "Summary",
    "SummaryWarning",
    "Unit",
    "UsageError",
    "__version__",
    "analyze",
    "analyze_all",
    "summarize",
    "summarize_all",
]


def test_public_names_are_these() -> None:
    assert discobert.__all__ == PUBLIC


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_exists_and_is_listed(name: str) -> None:
    assert getattr(discobert, name) is not None
    assert name in dir(discobert)


def test_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'discobert' has no attribute 'Nothing'"):
        _ = discobert.Nothing


def test_version_is_the_installed_one() -> None:
    from importlib.metadata import version

    assert discobert.__version__ == version("discobert")
