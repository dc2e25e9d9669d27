"""Where work is done: on this machine, or on a cluster of Ray."""
