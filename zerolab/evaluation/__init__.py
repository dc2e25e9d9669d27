"""Players, matches and what they prove."""
