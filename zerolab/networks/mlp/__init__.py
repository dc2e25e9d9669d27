"""The small network of damhuis, which learns online."""
