"""What results say about strength, and how surely."""
