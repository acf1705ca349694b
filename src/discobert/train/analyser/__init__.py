"""Training the analyser."""
