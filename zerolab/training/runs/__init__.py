"""The directory of a run: settings, log, checkpoints, and warnings about it."""
