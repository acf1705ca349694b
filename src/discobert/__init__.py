"""Discourse-aware extractive summarisation: verbatim pieces of sentences, with evidence."""

__version__ = "0.1.0"
