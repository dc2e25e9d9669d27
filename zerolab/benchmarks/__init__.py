"""What we claim about speed, with peers side by side."""
