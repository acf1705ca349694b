"""The reproduction report: the paper's tables beside ours, from result files."""
