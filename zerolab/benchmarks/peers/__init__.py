"""Other programs that ours are measured against."""
