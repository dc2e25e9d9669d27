"""Sweeps: the same experiment under many settings, asked for and remembered by Optuna."""
