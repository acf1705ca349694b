"""Raw text to sentences, EDUs, RST tree and coreference."""
