"""Corpora of articles with reference summaries."""
