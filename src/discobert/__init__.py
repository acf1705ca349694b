"""Discourse-aware extractive summarisation: verbatim pieces of sentences, chosen by a network, with evidence."""

__version__ = "0.1.0"
