"""Runs systems over a corpus and says how good their summaries are, and how sure that is."""
