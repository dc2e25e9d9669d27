"""How a parameter shrinks with the study."""

import pytest

from zerolab.studies.wang.effort import EFFORTS, EVENING, FULL, QUICK, TINY
from zerolab.studies.wang.paper import PARAMETERS

BY_NAME = {each.setting: each for each in PARAMETERS}


@pytest.mark.parametrize(
    ("scale", "setting", "values"),
    [
        # The paper has 20, 40 and 100 games: half of the default, and two and a half times it.
        (FULL, "arena_games", (20, 40, 100)),
        (EVENING, "arena_games", (10, 20, 50)),
        (QUICK, "arena_games", (4, 8, 20)),
        (TINY, "arena_games", (2, 2, 6)),  # pairs of games: 1 is too few, 5 is not even
        (QUICK, "retrain_window", (1, 4, 8)),  # a twentieth of the default is less than one
        (TINY, "epochs", (1, 2, 3)),
        (QUICK, "uct_c", (0.5, 1.0, 2.0)),  # costs no time, so it stays
    ],
)
def test_values_shrink_with_the_default_and_stay_possible(scale, setting, values):
    assert EFFORTS[scale].values(BY_NAME[setting]) == values
