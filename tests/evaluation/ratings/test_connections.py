"""Groups of players that games connect."""

import numpy as np

from zerolab.evaluation.ratings.bradley_terry import Meeting, collect
from zerolab.evaluation.ratings.connections import connect
from zerolab.games.playing.score import Score

EVEN = Score(5, 0, 5)


def test_the_largest_group_comes_first_and_is_home():
    """0 and 1 have met; 2, 3 and 4 have met: the pair is the one that is cut off."""
    results = collect([Meeting(0, 1, EVEN), Meeting(2, 3, EVEN), Meeting(3, 4, EVEN)])
    found = connect(results, 5, None)
    assert [list(map(int, group)) for group in found.groups] == [[2, 3, 4], [0, 1]]
    assert np.flatnonzero(found.disconnected).tolist() == [0, 1]


def test_the_anchor_is_home():
    results = collect([Meeting(0, 1, EVEN), Meeting(2, 3, EVEN), Meeting(3, 4, EVEN)])
    assert np.flatnonzero(connect(results, 5, 0).disconnected).tolist() == [2, 3, 4]
