"""Whole corpora on many processors, here or on a cluster; what is done stays done."""
