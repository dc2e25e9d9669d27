"""What people see of training."""
