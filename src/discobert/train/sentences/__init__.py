"""Training of the network that scores whole sentences."""
