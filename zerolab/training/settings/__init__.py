"""The settings of a run: everything except game, time and seed."""
