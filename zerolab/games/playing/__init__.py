"""Playing games: openings, concurrent games, results."""
