"""What follows from the discourse structure of a text: dependencies, graphs, mentions."""
