"""From plain Python to compiled code: decorators, bits of words, random numbers."""
