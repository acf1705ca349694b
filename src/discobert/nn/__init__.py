"""Torch modules for training: tensors in, tensors out; no text, no files."""
