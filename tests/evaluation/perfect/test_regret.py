"""Moves of whole games, judged by the solver and by looking at every line."""

import math
from statistics import stdev

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.evaluation.enumeration import Enumeration
from zerolab.errors import UsageError
from zerolab.evaluation.perfect.judge import Judge
from zerolab.evaluation.perfect.regret import judge_lines, play_lines
from zerolab.evaluation.players.players import make_player
from zerolab.evaluation.players.protocol import choose_all
from zerolab.evaluation.ratings.intervals import standard_error
from zerolab.games.base import BLACK
from zerolab.games.clobber import Clobber
from zerolab.games.connect_four import ConnectFour
from zerolab.games.gobang import Gobang
from zerolab.games.playing.openings import make_openings
from zerolab.games.position import Position
from zerolab.kernels.rng import stream

GAMES = [Clobber(2, 4), Clobber(3, 3), Gobang(3, 3, 3), ConnectFour(3, 3, 3)]


def by(name):
    player = make_player(name)
    return lambda positions, rngs: choose_all(player, positions, rngs)


def perfect(truth):
    return lambda positions, rngs: truth.choose(np.array([each.words for each in positions]))


def random_lines(game, count=12, seed=1, plies=1):
    random = by("random")
    return play_lines(game, (random, random), make_openings(game, count, stream(seed), plies), seed)


@pytest.fixture(scope="module", params=GAMES, ids=str, name="known")
def _known(request):
    """A game, all that enumeration knows of it, and a judge."""
    return request.param, Enumeration(request.param), Judge(request.param)


def twin(truth, lines):
    """Shares of kept values, in all and in critical positions, with errors; regret with error."""
    all_games, critical_games, regrets = [], [], []
    for line in lines:
        kept, critical, regret = [], [], 0
        for after in line.chosen:
            state, move = after.previous.words, after.action
            values = truth.moves(state)
            kept.append(values[move] == truth.value(state))
            regret += truth.value(state) - values[move]
            if len(set(values.values())) > 1:
                critical.append(kept[-1])
        all_games.append(kept)
        critical_games.append(critical)
        regrets.append(regret)

    def share(games):
        right, count = sum(map(sum, games)), sum(map(len, games))
        rate, played = right / count, [each for each in games if each]
        rest = sum((sum(each) - rate * len(each)) ** 2 for each in played)
        error = math.sqrt(rest * len(played) / (len(played) - 1)) / count
        return rate, count, max(error, standard_error(right, count))

    mean = sum(regrets) / len(regrets)
    return share(all_games), share(critical_games), mean, stdev(regrets) / math.sqrt(len(regrets))


def test_agrees_with_enumeration(known):
    game, truth, judge = known
    lines = random_lines(game)
    found, expected = judge_lines(game, lines, judge), twin(truth, lines)
    assert found.skipped == 0
    assert found.games == 12
    assert tuple(found.overall.keeps) == pytest.approx(expected[0])
    assert tuple(found.overall.critical) == pytest.approx(expected[1])
    assert found.overall[2:] == pytest.approx(expected[2:])
    assert found.overall.regret > 0


def test_stages_add_up(known):
    game, _, judge = known
    found = judge_lines(game, random_lines(game, plies=0), judge)
    assert list(found.stages) == ["early", "middle", "late"]
    assert sum(each.regret for each in found.stages.values()) == pytest.approx(found.overall.regret)
    for name in ("keeps", "critical"):
        parts = [getattr(each, name) for each in found.stages.values()]
        whole = getattr(found.overall, name)
        assert sum(part.positions for part in parts) == whole.positions
        right = sum(part.right * part.positions for part in parts if part.positions)
        assert right == pytest.approx(whole.right * whole.positions)


def test_perfect_play_has_no_regret(known):
    game, truth, judge = known
    openings = make_openings(game, 10, stream(2), 1)
    for side in (perfect(truth), by("solver")):
        measured = judge_lines(game, play_lines(game, (side, side), openings), judge).overall
        assert measured.keeps.right == 1 == measured.critical.right
        assert (measured.regret, measured.regret_error) == (0, 0)
        assert measured.keeps.error > 0  # a few games are no proof


@given(seed=st.integers(0, 10**6), perfect_side=st.integers(0, 1))
def test_what_one_side_throws_away_the_other_gets(seed, perfect_side):
    """Values and results of a game add up, whichever colour errs."""
    game, truth, judge = _CHECKED
    sides = [by("random"), by("random")]
    sides[perfect_side] = perfect(truth)
    (opening,) = make_openings(game, 1, stream(seed), 2)
    (line,) = play_lines(game, tuple(sides), [opening], seed)
    sign = 1 if opening.player == BLACK else -1
    gained = line.end.outcome().value - sign * truth.value(opening.words)
    found = judge_lines(game, [line], judge).overall
    assert found.regret == (gained if perfect_side == BLACK else -gained)
    assert found.regret_error is None


_GAME = Gobang(3, 3, 3)
_CHECKED = _GAME, Enumeration(_GAME), Judge(_GAME)


def test_random_play_as_enumeration_expects():
    """From the start, so that chances are exact: kept and made moves, and regret, of a game."""
    game = Clobber(3, 3)
    truth, known = Enumeration(game), {}

    def expected(state):
        if (key := state.tobytes()) not in known:
            total = np.zeros(3)
            values = truth.moves(state)
            for action, value in values.items():
                lost = truth.value(state) - value
                total += np.array([lost == 0, 1, lost]) + expected(truth.after(state, action))
            known[key] = total / max(1, len(values))
        return known[key]

    lines = random_lines(game, 400, seed=3, plies=0)
    kept, made, regret = expected(lines[0].opening.words)
    found = judge_lines(game, lines, Judge(game)).overall
    assert abs(found.keeps.right - kept / made) < 4 * found.keeps.error
    assert abs(found.regret - regret) < 4 * found.regret_error
    assert found.regret_error < 0.2


def test_colours_make_no_difference():
    game = Clobber(3, 3)
    lines = random_lines(game)

    def swapped(line):
        """The same moves with the colours swapped."""
        black, white = line.opening.words[1], line.opening.words[2]
        words = np.array([line.opening.words[0] ^ np.uint64(1), white, black])
        opening = Position(game, line.opening.words)  # with as long a history
        for _ in line.opening.actions:
            opening = Position(game, words, opening, 0)
        end = opening = Position(game, words, opening.previous, opening.action)
        for after in line.chosen:
            end = end.play(after.action)
        return line._replace(opening=opening, end=end)

    turned = [swapped(line) for line in lines]
    found, expected = (judge_lines(game, each, Judge(game)) for each in (turned, lines))
    assert repr(found) == repr(expected)  # shares of nothing are NaN, which equals nothing


def test_positions_beyond_the_budget_are_skipped_and_counted():
    game = Clobber(4, 5)
    lines = random_lines(game, 5, plies=2)
    moves = sum(len(line.chosen) for line in lines)
    full, short = judge_lines(game, lines, Judge(game)), judge_lines(game, lines, Judge(game, 1))
    assert (full.skipped, full.overall.keeps.positions) == (0, moves)
    assert short.skipped > 0 < short.overall.keeps.positions
    assert short.skipped + short.overall.keeps.positions == moves
    assert short.overall.regret <= full.overall.regret
    assert "early" not in short.stages


def test_nothing_settled_is_no_error():
    game = Clobber(4, 5)
    start = make_openings(game, 2, stream(1), 0)
    lines = play_lines(game, (by("first"),) * 2, start)
    begun = [line._replace(end=line.chosen[0]) for line in lines]
    found = judge_lines(game, begun, Judge(game, 1))
    assert (found.skipped, found.stages) == (2, {})
    assert found.overall.keeps.positions == 0
    assert math.isnan(found.overall.keeps.right)


def test_each_game_has_random_numbers_of_its_own():
    game = Clobber(4, 4)
    many, few = random_lines(game, 6, seed=5), random_lines(game, 3, seed=5)
    assert [line.end.moves for line in many[:3]] == [line.end.moves for line in few]
    assert len({line.end.moves for line in many}) == 6
    assert all(line.end.is_over for line in many)
    assert all(line.chosen[0].previous is line.opening for line in many)


def test_wrong_players_and_no_games():
    game = Clobber(3, 3)
    openings = make_openings(game, 2, stream(1))

    def cheat(positions, rngs):
        return [0] * len(positions)

    with pytest.raises(ValueError, match="not legal"):
        play_lines(game, (cheat, cheat), openings)
    with pytest.raises(UsageError, match="no games"):
        judge_lines(game, [], Judge(game))
