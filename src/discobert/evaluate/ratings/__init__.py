"""Blind ratings of summaries by readers."""
