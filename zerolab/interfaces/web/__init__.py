"""The web page: a view of what the lower layers offer, served from this machine alone."""
