"""Selected units to readable lines: verbatim fragments, then named repair rules."""
