"""What people have open: a game, a position under analysis, a game of a run."""
