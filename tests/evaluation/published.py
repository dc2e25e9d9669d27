"""Data sets with published estimates, to check ratings against what others computed."""

from zerolab.evaluation.ratings.bradley_terry import Meeting
from zerolab.games.playing.score import Score

_TEAMS = ["Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore"]
_AT_HOME = """
    -   4-3 4-2 4-3 6-1 4-2 6-0
    3-3 -   4-2 4-3 6-0 6-1 4-3
    2-5 4-3 -   2-4 4-3 4-2 6-0
    3-3 5-1 2-5 -   4-3 4-2 6-1
    5-1 2-5 3-3 4-2 -   5-2 6-0
    2-5 3-3 3-4 4-3 4-2 -   2-4
    2-5 1-5 1-6 2-4 1-6 3-4 -
"""
# Agresti, Categorical Data Analysis (2nd ed. 2002), Table 10.10: American League East, 1987.
# Row: the team at home, with its wins and losses.
BASEBALL = [
    Meeting(home, away, Score(int(cell[0]), 0, int(cell[2])))
    for home, row in zip(_TEAMS, _AT_HOME.split("\n")[1:8], strict=True)
    for away, cell in zip(_TEAMS, row.split(), strict=True)
    if cell != "-"
]

# Davidson (1970), example 2: comparisons of chocolate puddings. Wins, ties, losses.
PUDDINGS = [
    Meeting("1", "2", Score(19, 16, 22)),
    Meeting("1", "3", Score(16, 12, 19)),
    Meeting("2", "3", Score(19, 10, 19)),
    Meeting("1", "4", Score(18, 13, 23)),
    Meeting("2", "4", Score(23, 9, 19)),
    Meeting("3", "4", Score(19, 15, 20)),
    Meeting("1", "5", Score(13, 18, 19)),
    Meeting("2", "5", Score(16, 12, 20)),
    Meeting("3", "5", Score(16, 17, 15)),
    Meeting("4", "5", Score(17, 16, 14)),
    Meeting("1", "6", Score(18, 12, 21)),
    Meeting("2", "6", Score(22, 12, 20)),
    Meeting("3", "6", Score(13, 10, 18)),
    Meeting("4", "6", Score(14, 18, 19)),
    Meeting("5", "6", Score(11, 12, 21)),
]
