"""Games whose rules are in other programs."""
