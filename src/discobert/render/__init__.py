"""Values to strings, nothing else."""
