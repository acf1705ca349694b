"""Runs systems over a corpus and scores their summaries, with confidence intervals."""
