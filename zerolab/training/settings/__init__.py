"""What a run depends on besides game, time and seed."""
