from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.clocks import ticking
from zerolab.evaluation.matches.series import play_series
from zerolab.evaluation.players.players import (
    PLAYERS,
    PlayerError,
    make_compiled_player,
    make_player,
)
from zerolab.games.base import BLACK, WHITE
from zerolab.games.boards.stones import initial_state
from zerolab.games.clobber import Clobber
from zerolab.games.gobang import Gobang
from zerolab.games.notation import format_move, legal_list, parse_position
from zerolab.games.position import Position
from zerolab.kernels.rng import stream
from zerolab.search import uct_search


@pytest.mark.parametrize(
    "name",
    [
        "random",
        "first",
        "mc:1",
        "mc:50",
        "mcts:10",
        "mcts:9,c=1.4,rollouts=2",
        "mcts:20ms,reuse",
        "mcts:2MB",
        "mcts:50,exact=12",
        "mcts:20ms,exact",
        "solver",
        "solver:5000",
    ],
)
def test_names_round_trip(name):
    assert make_player(name).name == name


def test_the_page_tells_of_all_players():
    page = (Path(__file__).parents[3] / "docs" / "players.md").read_text("utf-8")
    for name in PLAYERS:
        assert f"| `{name}` |" in page


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("alice", "'alice' is not a player; expected random, first, mc:N"),
        ("", "'' is not a player"),
        ("random:3", "'random:3' is not a player"),
        ("mc", "'' in 'mc' is not a strength: expected a number from 1"),
        ("mc:0", "'0' in 'mc:0' is not a strength"),
        ("mc:-5", "'-5' in 'mc:-5'"),
        ("mc:1e3", "'1e3' in 'mc:1e3'"),
        ("mc:٣", "is not a strength"),
        ("mc:1000000000", "from 1 to 100,000,000"),
        ("mcts:", "is not a strength"),
        ("mcts:0ms", "'0' in 'mcts:0ms' is not a strength"),
        ("mcts:10,c=-1", "'c=-1' in 'mcts:10,c=-1' is not an option; expected c=NUMBER"),
        ("mcts:10,c=nan", "is not an option"),
        ("mcts:10,rollouts=0", "'0' in 'mcts:10,rollouts=0' is not a strength"),
        ("mcts:10,fast", "'fast' in 'mcts:10,fast' is not an option"),
        ("mcts:10,exact=x", "'x' in 'mcts:10,exact=x' is not a strength"),
        ("mcts:10,exact=", "'' in 'mcts:10,exact=' is not a strength"),
        ("mcts:10,exact=18/", "'' in 'mcts:10,exact=18/' is not a strength"),
        ("mcts:10,exact=18/9/13", "'exact=18/9/13' in .* expected .* with SMALL at most 12"),
        ("mcts:10,exact=18/9/8/1", "'exact=18/9/8/1' in .* is not a budget of leaves"),
        (
            "mcts:2MB,exact",
            "has no limit of time or simulations: expected exact=18",
        ),
        ("solver:0", "'0' in 'solver:0' is not a strength"),
        ("human", "human plays only in zerolab play"),
    ],
)
def test_a_wrong_name_says_what_is_allowed(name, complaint):
    with pytest.raises(PlayerError, match=complaint):
        make_player(name)


def test_first_takes_the_first_and_random_takes_each():
    game = Clobber(2, 2)
    state = parse_position(game, "xo|ox")
    assert (
        format_move(game, make_player("first").choose(Position(game, state), stream(0))) == "a2a1"
    )
    seen = {make_player("random").choose(Position(game, state), stream(0, i)) for i in range(100)}
    assert seen == set(legal_list(game, state))


@pytest.mark.parametrize(
    "name", ["mcts:200", "mcts:20ms", "mcts:1MB", "mcts:200,reuse", "mcts:50,rollouts=4"]
)
@pytest.mark.parametrize(("colour", "best"), [(BLACK, "e1f1"), (WHITE, "c1b1")])
def test_uct_players_take_a_win(monkeypatch, name, colour, best):
    """Of two moves one wins.

    xxo is up: Black's move ends it (x.x), White's leaves xo, a star, in which either has a move.
    So x's e1f1 leaves up, which Black wins whoever begins; b1c1 leaves a star, whose last move is
    White's. And o's c1b1 leaves two stars, of which White gets the second; f1e1 leaves up.
    """
    monkeypatch.setattr(uct_search, "time", SimpleNamespace(perf_counter=ticking(0.001)))
    game = Clobber(1, 6)
    state = parse_position(game, "xxo.xo", colour)
    player = make_player(name)
    for seed in range(5):
        assert format_move(game, player.choose(Position(game, state), stream(seed))) == best


def test_the_solver_never_gives_a_win_away():
    """As first player of 4x4, which it wins, against random play."""
    game = Clobber(4, 4)
    series = play_series(game, ("solver", "random"), 20, seed=1)
    assert series.result.black_wins == 20
    assert {each.doubtful for each in series.played} == {None}


def test_the_solver_says_when_its_budget_does_not_suffice():
    game = Clobber(5, 6)
    state = initial_state(game, stream(0))
    player = make_player("solver:1")
    assert player.choose(Position(game, state), stream(0)) in legal_list(game, state)
    assert player.doubtful_moves == 1


def test_the_solver_suits_itself_to_the_position():
    """Late on a large board it can take the parts; at the start it cannot."""
    game = Clobber(9, 9)
    late = parse_position(game, "|".join(["xo.......", *["........."] * 8]))
    player = make_player("solver:10")
    for state in (late, initial_state(game, stream(0)), late):
        assert player.choose(Position(game, state), stream(0)) in legal_list(game, state)


def test_the_solver_prefers_a_draw_to_a_loss():
    game = Gobang(3, 3, 3)
    state = parse_position(game, "xx.|oo.|...")
    assert format_move(game, make_player("solver").choose(Position(game, state), stream(0))) == "c3"
    forced = parse_position(game, "xx.|o..|...", 1)
    assert (
        format_move(game, make_player("solver").choose(Position(game, forced), stream(0))) == "c3"
    )


def test_exact_leaves_make_uct_stronger():
    """4x4 is won for Black: one look at each move is enough to keep it so."""
    game = Clobber(4, 4)
    names = "mcts:30,exact=16", "mcts:20"
    assert play_series(game, names, 20, seed=2).result.black_wins == 20


@pytest.mark.parametrize("name", ["solver", "mcts:50ms", "mcts:10,reuse"])
def test_only_some_players_are_compiled(name):
    assert make_compiled_player("mcts:10") == make_player("mcts:10")
    with pytest.raises(PlayerError, match=f"'{name}' is not compiled"):
        make_compiled_player(name)


@pytest.mark.parametrize(
    ("name", "budget"),
    [
        ("mcts:100,exact=18", (18, 10_000, 0)),
        ("mcts:100ms,exact=18", (18, 10_000, 0)),
        ("mcts:100,exact=18/500", (18, 500, 0)),
        ("mcts:100,exact=18/500/12", (18, 500, 12)),
        ("mcts:100,exact", (19, 500, 0)),  # 100 nodes are about 1.5^11; five times as many at most
        ("mcts:100ms,exact", (26, 10_000, 0)),  # a twentieth of 40,000 nodes: about 1.5^18
        ("mcts:1000ms,exact", (32, 100_000, 0)),  # 20,000 nodes: about 1.5^24
    ],
)
def test_how_hard_a_leaf_may_be_follows_from_what_a_move_has(name, budget):
    player = make_player(name)
    assert player.limits.exact == budget
    search = player._ready(Clobber(4, 4))
    assert search.oracle.limits.tolist()[:2] == list(budget[:2])
    assert search.oracle.topology.methods.small == (budget[2] or 7)  # what suits a small board
