"""Training: with nn, the only place that imports torch."""
