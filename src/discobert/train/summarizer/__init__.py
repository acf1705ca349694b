"""Training the summariser."""
