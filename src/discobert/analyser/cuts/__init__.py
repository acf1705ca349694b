"""Cuts inside sentences: features, and the head that scores them."""
