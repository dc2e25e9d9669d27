"""From finished games to batches that a network learns from."""
