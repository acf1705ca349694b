"""Cut heads against judged cuts."""
