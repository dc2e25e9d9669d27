"""Speed, measured beside other programs."""
