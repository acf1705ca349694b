"""Prepared documents on disk: all that training reads."""
