"""The analyser against gold documents."""
