"""Reading and writing of files: model bundles, corpora, input files, settings, tree files."""
