"""What networks see of a position."""
