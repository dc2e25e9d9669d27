"""The directory of a run: settings, log, checkpoints, and what looks wrong with it."""
