"""The output of training."""
