"""How the time of a game is divided."""

import pytest

from zerolab.games.clobber import Clobber
from zerolab.interfaces.engines.game_clock import (
    FEWEST_MOVES,
    LEAST_SECONDS,
    RESERVE_SECONDS,
    GameClock,
    TimeSettings,
    moves_to_come,
    time_for_move,
)

START = Clobber(10, 10).start()  # 100 cells: 75 plies are expected, 38 of them Black's


def test_moves_to_come():
    assert moves_to_come(START) == 38
    assert moves_to_come(START.after(START.legal_actions[0])) == 37
    assert moves_to_come(Clobber(2, 2).start()) == FEWEST_MOVES


@pytest.mark.parametrize(
    ("left", "moves", "increment", "seconds"),
    [
        (100, 20, 0, 5),  # a twentieth
        (100, 20, 2, 6.5),  # and three quarters of the increment
        (10, 1, 0, 10),  # the last move before the next time control
        (10, 20, 100, 5),  # never more than half of what is left
    ],
)
def test_time_for_a_move(left, moves, increment, seconds):
    assert time_for_move(left, moves, increment) == pytest.approx(seconds - RESERVE_SECONDS)


def test_there_is_always_some_time():
    assert time_for_move(0.0, 10) == LEAST_SECONDS


def seconds(clock, colour="black"):
    found = clock.seconds_for(START, colour)
    return None if found is None else found + RESERVE_SECONDS


def test_no_limit():
    clock = GameClock()
    clock.spend("black", 5)
    clock.restart()
    assert seconds(clock) is None
    clock.set(TimeSettings(0, 10, 0))  # GTP's way to say that there is no limit
    assert seconds(clock) is None


def test_absolute_time():
    clock = GameClock()
    clock.set(TimeSettings(76, 0, 0))
    assert seconds(clock) == pytest.approx(2)
    clock.spend("black", 38)
    assert seconds(clock) == pytest.approx(1)
    assert seconds(clock, "white") == pytest.approx(2)
    clock.tell("white", 19, 0)
    assert seconds(clock, "white") == pytest.approx(0.5)
    clock.spend("black", 1000)
    assert clock.seconds_for(START, "black") == LEAST_SECONDS
    clock.restart()
    assert seconds(clock) == pytest.approx(2)


def test_periods():
    """After the main time ten seconds for each two moves."""
    clock = GameClock()
    clock.set(TimeSettings(3, 10, 2))
    assert seconds(clock) == pytest.approx(5)  # more than the main time is needed for
    clock.spend("black", 2)
    assert seconds(clock) == pytest.approx(5)
    clock.spend("black", 4)  # one second of the main time, three of the first period
    assert seconds(clock) == pytest.approx(7)  # for its last move
    clock.spend("black", 6)
    assert seconds(clock) == pytest.approx(5)  # two moves of the next period
    clock.tell("black", 8, 1)
    assert seconds(clock) == pytest.approx(8)


def test_a_large_main_time_is_used_first():
    clock = GameClock()
    clock.set(TimeSettings(380, 10, 10))
    assert seconds(clock) == pytest.approx(10)


def test_periods_from_the_beginning():
    clock = GameClock()
    clock.set(TimeSettings(0, 10, 5))
    assert seconds(clock) == pytest.approx(2)
    clock.spend("black", 6)
    assert seconds(clock) == pytest.approx(1)


def test_what_the_controller_says_needs_no_settings():
    clock = GameClock()
    clock.tell("white", 38, 0)
    assert (seconds(clock), seconds(clock, "white")) == (None, pytest.approx(1))
