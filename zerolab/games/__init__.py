"""The rules. One file per game; base.py states the laws that every game obeys."""
