"""The method as pure functions over values."""
