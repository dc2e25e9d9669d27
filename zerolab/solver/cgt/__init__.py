"""The theory of short partizan games, in plain Python."""
