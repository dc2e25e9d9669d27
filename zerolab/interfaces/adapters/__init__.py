"""Our games in other libraries."""
