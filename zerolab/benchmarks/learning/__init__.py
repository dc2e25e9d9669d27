"""How fast networks learn, and what their checkpoints cost."""
