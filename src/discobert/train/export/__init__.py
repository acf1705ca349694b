"""Trained weights to a bundle."""
