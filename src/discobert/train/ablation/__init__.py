"""The paper's ablation table."""
