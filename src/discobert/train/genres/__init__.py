"""Training of the heads for texts that are no news."""
