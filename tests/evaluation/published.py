"""Data sets with published estimates, to check ratings against what others computed."""

from zerolab.evaluation.ratings.bayesian_elo import Tally

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
    Tally(home, away, int(cell[0]), 0, int(cell[2]))
    for home, row in zip(_TEAMS, _AT_HOME.split("\n")[1:8], strict=True)
    for away, cell in zip(_TEAMS, row.split(), strict=True)
    if cell != "-"
]

# Davidson (1970), example 2: comparisons of chocolate puddings. Wins, ties, losses.
PUDDINGS = [
    Tally("1", "2", 19, 16, 22),
    Tally("1", "3", 16, 12, 19),
    Tally("2", "3", 19, 10, 19),
    Tally("1", "4", 18, 13, 23),
    Tally("2", "4", 23, 9, 19),
    Tally("3", "4", 19, 15, 20),
    Tally("1", "5", 13, 18, 19),
    Tally("2", "5", 16, 12, 20),
    Tally("3", "5", 16, 17, 15),
    Tally("4", "5", 17, 16, 14),
    Tally("1", "6", 18, 12, 21),
    Tally("2", "6", 22, 12, 20),
    Tally("3", "6", 13, 10, 18),
    Tally("4", "6", 14, 18, 19),
    Tally("5", "6", 11, 12, 21),
]
