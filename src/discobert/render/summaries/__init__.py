"""Summaries as text, JSON, Markdown and HTML."""
