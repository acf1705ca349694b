"""Commands that prepare corpora, train, tune and export."""
