"""The paper's style: units by score, greedily or by rank."""
