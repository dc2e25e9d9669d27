"""What games on boards share: the layout of stones, symmetries, lines."""
