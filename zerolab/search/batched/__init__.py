"""Search for networks: many trees at once, leaves of all of them rated in one call."""
