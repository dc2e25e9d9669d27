"""Players compared with perfect play."""
