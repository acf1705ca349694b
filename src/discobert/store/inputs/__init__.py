"""Input files of users: plain text, Markdown, HTML, PDF, stories and lines of JSON."""

from discobert.store.inputs.kinds import InputKind, recognise
from discobert.store.inputs.read import read_documents

__all__ = ["InputKind", "read_documents", "recognise"]
