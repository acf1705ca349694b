"""What the summariser learns from: targets, losses, ranking and risk."""
