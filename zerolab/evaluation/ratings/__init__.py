"""What results say about strength, and with what certainty."""
