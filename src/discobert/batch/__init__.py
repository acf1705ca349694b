"""Runs over whole corpora, on processes of this machine or on a cluster, which can be resumed."""
