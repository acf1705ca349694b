"""What a sharded run can do: prepare a corpus, summarise texts, describe a corpus."""
