"""Tasks of a sharded run: prepare a corpus, summarise texts; and statistics of a corpus."""
