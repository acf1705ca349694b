"""Disk: model bundles, corpora, configuration, tree files."""
