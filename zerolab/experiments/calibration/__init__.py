"""What a run costs on this machine, measured in seconds by a run in miniature."""
