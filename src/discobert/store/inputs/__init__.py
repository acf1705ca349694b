"""Texts in the forms that people have them in: what they are, and what they say."""

from discobert.store.inputs.kinds import InputKind, recognise
from discobert.store.inputs.read import Named, read_documents

__all__ = ["InputKind", "Named", "read_documents", "recognise"]
