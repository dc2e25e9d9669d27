"""Players, games between them, and what the results prove."""
