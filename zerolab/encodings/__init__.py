"""The input of networks."""
