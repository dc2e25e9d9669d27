"""wang-correlation: a shrunken run, and regressions whose answer is known."""

import itertools
import math

import numpy as np
import pytest

from zerolab.games.othello import Othello
from zerolab.studies.wang.correlation import Effect, Player, beats, compare, effects
from zerolab.studies.wang.effort import EFFORTS, FULL, TINY
from zerolab.studies.wang.paper import CORRELATED

NAMES = tuple(CORRELATED)


def invented(elo, seconds):
    """The 81 players of Table 2, with a rule for Elo and one for time."""
    found = []
    for values in itertools.product(*CORRELATED.values()):
        settings = dict(zip(NAMES, values, strict=True))
        found.append(
            Player(settings, elo(*values), 0.25 * seconds(*values), 0.75 * seconds(*values))
        )
    return found


def test_full_has_the_settings_of_table_2():
    assert EFFORTS[FULL].correlated == CORRELATED


def test_effects_are_found_again():
    """Elo gains 60 for twice the iterations and 20 for twice the epochs; time is their product."""
    players = invented(
        lambda i, e, m, ep: 60 * math.log2(i) + 20 * math.log2(ep) + 5,
        lambda i, e, m, ep: 0.1 * i * e * m * ep**0.5,
    )
    found = {each.setting: each for each in effects(players)}
    assert found["iterations"].elo == pytest.approx((60, 60, 60))
    assert found["epochs"].elo == pytest.approx((20, 20, 20))
    assert found["episodes"].elo == pytest.approx((0, 0, 0), abs=1e-6)
    assert found["epochs"].time == pytest.approx((0.5, 0.5, 0.5))
    assert found["iterations"].gain == pytest.approx((60, 60, 60))
    assert found["epochs"].gain == pytest.approx((40, 40, 40))


def test_noise_widens_the_intervals():
    noise = iter(np.random.default_rng(1).normal(0, 50, 81))
    players = invented(
        lambda i, e, m, ep: 60 * math.log2(i) + float(next(noise)),
        lambda i, e, m, ep: i * e * m * ep,
    )
    low, middle, high = next(each for each in effects(players) if each.setting == "iterations").elo
    assert low < middle < high
    assert 10 < high - low < 80  # about 4 standard errors of 50 / sqrt(81) / 0.66
    assert low < 60 < high


def effect(low, middle, high):
    return Effect("x", (0, 0, 0), (1, 1, 1), (low, middle, high))


def test_who_beats_whom():
    assert beats(effect(50, 60, 70), effect(10, 20, 30)) is True
    assert beats(effect(10, 20, 30), effect(50, 60, 70)) is False
    # Standard errors of 10 / 1.96 each: a difference of 14.1 is just not sure.
    assert beats(effect(10, 20, 30), effect(24, 34, 44)) is None
    assert beats(effect(10, 20, 30), effect(24.3, 34.3, 44.3)) is False


def test_a_shrunken_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = []
    report = compare(TINY, 1, lambda *done: told.append(done), Othello(5, 5), workers=1)
    assert report.is_complete
    assert [line[0] for line in report.rows] == list(NAMES)
    players = [each for each in report.values if "elo" in each and "settings" in each]
    assert len(players) == 16
    assert len({each["elo"] for each in players}) > 1
    assert all(each["playing"] > 0 and each["learning"] > 0 for each in players)
    grids, charts = report.charts[:4], report.charts[4:]
    assert [grid.title for grid in grids] == [f"Elo, I={i}, E={e}" for i in (1, 2) for e in (2, 3)]
    first = {tuple(each["settings"].values()): each["elo"] for each in players}
    assert grids[1].values[0][1] == first[1, 3, 3, 1]  # [ep][m]
    assert [len(chart.curves[0].x) for chart in charts] == [16, 4, 4, 4]
    assert told[-1] == (1, 1)
