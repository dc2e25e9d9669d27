"""Games between players: matches, pairs, tournaments, the ladder."""
