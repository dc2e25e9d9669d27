"""What games on boards share: where stones are, symmetries, lines."""
