"""Documents as arrays, and cached features of the network's frozen part."""
