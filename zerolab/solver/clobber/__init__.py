"""Clobber solved as a sum of components."""
