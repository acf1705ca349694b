"""Readable summaries: whole sentences, safe cuts only, nothing that refers to what is not shown."""
