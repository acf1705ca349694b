"""Scores to a selection of units: the problem, the search, and the reasons."""
