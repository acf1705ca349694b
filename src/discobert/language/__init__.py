"""English at the level of characters and words: sentences, quotes, verbs, word lists."""
