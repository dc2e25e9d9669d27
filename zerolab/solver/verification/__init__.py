"""Whether a file of settled positions proves what it claims, checked by plain rules."""
