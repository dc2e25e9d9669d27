"""Experiments: one module per paper."""
