"""Search for networks: many trees at once, whose leaves are evaluated in one call."""
