"""Sharded runs that resume, on processes of this machine or on Ray."""
