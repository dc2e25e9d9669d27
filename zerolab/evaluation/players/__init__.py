"""All players, by name."""
