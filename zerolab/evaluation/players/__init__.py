"""Whoever can choose a move, by name."""
