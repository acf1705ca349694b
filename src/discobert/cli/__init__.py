"""The command line: one file per command; heavy modules are imported when a command runs."""
