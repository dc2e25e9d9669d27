"""Networks: architectures, losses, checkpoints, and their evaluation at the machine's limit."""
