"""Weights that a run begins with, and those that its actors play with."""
