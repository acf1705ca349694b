"""What a summary costs: CPU time by stage, growth with length, memory, cold start, disk."""
