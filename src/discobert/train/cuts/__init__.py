"""Training the cut head."""
