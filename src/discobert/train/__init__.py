"""Training: the only place, with nn, that knows torch."""
