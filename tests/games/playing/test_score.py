import numpy as np
import pytest

from zerolab.games.playing.score import Score


def test_games_are_counted_by_the_sign_of_their_value():
    assert Score.of([1, 0, -1, 0.5, -0.25, 1]) == Score(wins=3, draws=1, losses=2)
    assert Score.of(np.array([1.0, -1.0, -1.0])) == Score(wins=1, draws=0, losses=2)
    assert Score.of(value for value in ()) == Score()


def test_what_follows_from_the_counts():
    score = Score(wins=3, draws=2, losses=5)
    assert score.games == 10
    assert score.points == 4
    assert score.share == pytest.approx(0.4)
    assert score.mean == pytest.approx(-0.2)
    assert score.share_of_decided == pytest.approx(3 / 8)
    assert score.reversed == Score(wins=5, draws=2, losses=3)
    assert score + score.reversed == Score(8, 4, 8)


def test_without_games_there_is_no_share():
    assert (Score().share, Score().share_of_decided, Score().mean) == (None, None, 0)
    assert Score(draws=3).share_of_decided is None
