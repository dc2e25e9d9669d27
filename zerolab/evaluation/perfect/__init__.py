"""Players beside perfect play."""
