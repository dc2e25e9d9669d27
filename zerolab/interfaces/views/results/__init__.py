"""What people see of games: matches, tournaments, ratings, exams."""
