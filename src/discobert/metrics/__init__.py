"""How good analyses and summaries are: ROUGE, oracles, parsing, coreference, statistics."""
