"""The output of matches, tournaments, ratings and exams."""
