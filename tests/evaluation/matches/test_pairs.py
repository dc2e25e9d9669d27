"""Pairs of games, and threads that play them."""

import threading
from types import SimpleNamespace

import pytest

from tests.clocks import ticking
from tests.evaluation.guests import (
    Batched,
    Dead,
    Engine,
    Starting,
    guests,  # noqa: F401
    hold_after,
)
from zerolab.evaluation.matches import pairs, threads
from zerolab.evaluation.matches.pairs import Seats, plan_pair, play_chunk
from zerolab.evaluation.matches.threads import deal, is_given_up, play_planned, prepare
from zerolab.evaluation.players.players import make_player
from zerolab.evaluation.players.protocol import PlayerError
from zerolab.games.base import BLACK, step
from zerolab.games.boards.stones import initial_state
from zerolab.games.catalogue import make_game
from zerolab.games.clobber import RANDOM, Clobber
from zerolab.games.notation import legal_list, parse_move, parse_position
from zerolab.games.othello import Othello
from zerolab.games.playing.openings import make_openings
from zerolab.games.position import Position
from zerolab.games.solitaire import Solitaire
from zerolab.kernels.rng import stream
from zerolab.search.playouts import value_for

pytestmark = pytest.mark.usefixtures("guests")

GAMES = [Clobber(3, 4), Clobber(3, 3, setup=RANDOM), Othello(4, 4), make_game("tic-tac-toe")]


def plan(game, names, pairs, seed=1):
    openings = make_openings(game, pairs, stream(seed))
    return [
        planned
        for pair, opening in enumerate(openings)
        for planned in plan_pair(names, 0, 1, pair, opening, seed)
    ]


def play(game, names, pairs, threads=1, seed=1):
    games = []

    def on_games(news):
        games.extend(news)
        return False

    assert play_planned(game, names, plan(game, names, pairs, seed), threads, on_games)
    return games


def without_times(games):
    return sorted((each._replace(seconds=(0.0, 0.0)) for each in games), key=str)


@pytest.mark.parametrize("game", GAMES, ids=str)
@pytest.mark.parametrize("names", [("random", "mcts:5"), ("batched", "mc:2")])
def test_games_follow_the_rules_to_the_end(game, names):
    """Replayed from their text alone."""
    games = play(game, names, 5)
    assert len(games) == 10
    for each in games:
        state = initial_state(game, stream(0))
        if each.start is not None:
            state = parse_position(game, each.start)
        for text in (each.opening + " " + each.moves).split():
            step(game, state, parse_move(game, state, text))
        assert legal_list(game, state) == []
        assert each.result == value_for(game, state, BLACK)
        assert each.plies == len((each.opening + " " + each.moves).split())
        assert sum(each.chosen) == len(each.moves.split())


@pytest.mark.parametrize("names", [("random", "mcts:5"), ("batched", "batched too")])
def test_each_opening_is_played_with_both_colours(names):
    pairs = {}
    for each in play(Clobber(4, 4), names, 7):
        pairs.setdefault(each.pair, []).append(each)
    assert len(pairs) == 7
    for one, other in pairs.values():
        assert one.opening == other.opening != ""
        assert {(one.first, one.second), (other.first, other.second)} == {names, names[::-1]}
    assert len({one.opening for one, _ in pairs.values()}) == 7


@pytest.mark.parametrize(
    "names",
    [
        ("random", "mcts:20"),
        ("batched", "mc:2"),
        ("batched", "batched too"),
        ("mcts:10,reuse", "batched"),
        ("engine", "batched"),
        ("random", "random"),
    ],
    ids=str,
)
def test_games_do_not_depend_on_threads(names):
    game = Clobber(4, 4)
    one, two, many = (without_times(play(game, names, 20, threads)) for threads in (1, 2, 5))
    assert one == two == many
    assert len({each.seed for each in one}) == 40
    assert without_times(play(game, names, 20, 2, seed=2)) != one


@pytest.mark.parametrize("names", [("random", "mcts:20"), ("batched", "mc:2")], ids=str)
def test_games_do_not_depend_on_who_is_named_first(names):
    game = Clobber(4, 4)
    assert without_times(play(game, names, 10)) == without_times(play(game, names[::-1], 10))


def test_games_do_not_depend_on_those_beside_them():
    game, names = Clobber(4, 4), ("batched", "batched too")
    together = play(game, names, 20)
    for planned in plan(game, names, 20)[::7]:
        alone = list(play_chunk(Seats(game, names), [planned]))
        assert without_times(alone)[0] in without_times(together)


def test_networks_are_asked_about_many_positions_at_once():
    play(Clobber(4, 4), ("batched", "random"), 16)
    assert max(Batched.sizes) == 32
    Batched.sizes.clear()
    play(Clobber(4, 4), ("batched", "mcts:10,reuse"), 16)
    assert set(Batched.sizes) == {1}  # whoever keeps a tree plays one game after the other


def test_games_are_dealt_out_in_chunks():
    game = Clobber(4, 4)
    for names, size in ((("batched", "random"), 32), (("mcts:5", "random"), 2)):
        planned = plan(game, names, 40)
        chunks = deal(names, planned)
        assert len(chunks[0]) == size
        assert sorted(str(each) for chunk in chunks for each in chunk) == sorted(map(str, planned))


def test_an_engine_that_fails_spoils_its_game_and_nothing_else():
    game = Clobber(4, 4)
    games = play(game, ("weak", "random"), 20)
    assert len(games) == 40
    failed = [each for each in games if each.failed]
    assert 0 < len(failed) < 40
    for each in games:
        assert (each.result is None) == (each.failed == "weak: it died")
        assert each.failed in (None, "weak: it died")
    assert Engine.closed >= len(failed)


def test_a_move_that_is_not_legal_spoils_the_game():
    games = play(Clobber(4, 4), ("cheat", "random"), 2)
    assert {each.failed for each in games} == {"cheat: action 1000000 is not legal"}
    assert {each.result for each in games} == {None}


def test_engines_are_closed_in_every_thread():
    play(Clobber(3, 3), ("engine", "random"), 8, threads=3)
    assert 1 <= Engine.closed <= 3


@pytest.mark.parametrize("threads_", [1, 3])
def test_who_fails_three_times_in_a_row_is_given_up(monkeypatch, threads_):
    """The games of others go on."""
    monkeypatch.setattr(threads, "MOST_FAILURES", 3)
    monkeypatch.setattr(Dead, "asked", 0)
    game, names = Clobber(3, 3), ("random", "dead", "first")
    planned = [
        each
        for pair, opening in enumerate(make_openings(game, 10, stream(1)))
        for one, other in ((0, 1), (0, 2), (1, 2))
        for each in plan_pair(names, one, other, pair, opening, 1)
    ]
    games = []
    assert play_planned(game, names, planned, threads_, lambda news: games.extend(news))
    assert sorted(each.seed for each in games) == sorted(each.seed for each in planned)
    for each in games:
        assert (each.failed is not None) == ("dead" in (each.first, each.second))
    died = [each for each in games if each.failed == "dead: it never lived"]
    given_up = [each for each in games if is_given_up(each)]
    assert 3 <= len(died) == Dead.asked < 3 + threads_
    assert len(given_up) == 40 - len(died)
    assert {each.failed for each in given_up} == {f"dead: {threads.GIVEN_UP}"}
    assert {each.result for each in given_up} == {None}


def test_failures_must_be_in_a_row(monkeypatch):
    """Whoever is the opponent; and who is given up stays so."""
    monkeypatch.setattr(threads, "MOST_FAILURES", 3)
    good = play(Clobber(3, 3), ("plain", "random"), 1)[0]
    bad = good._replace(result=None, failed="plain: it sleeps")
    for order in ("bbgbbgb", "ggbbgbb", "bbgg"):
        patience = threads._Patience()
        for sign in order:
            patience.note(good if sign == "g" else bad)
        assert patience.lost_with("plain", "random") is None
    patience.note(bad._replace(first="first", second="plain"))
    patience.note(bad)
    assert patience.lost_with("plain", "random") is None
    patience.note(bad)
    patience.note(good)
    assert patience.lost_with("random", "plain") == "plain"
    assert patience.lost_with("random", "first") is None


def test_an_error_in_a_player_ends_it_all():
    before = set(threading.enumerate())
    with pytest.raises(RuntimeError, match="broken"):
        play(Clobber(3, 3), ("random", "broken"), 8, threads=2)
    assert set(threading.enumerate()) <= before


def test_an_error_in_one_thread_does_not_lose_the_games_of_another(monkeypatch):
    """A game that ends after the error was told, but before all threads have stopped."""
    told, names = threading.Event(), ("random", "plain")

    def work(work):
        if threading.current_thread() is not first[0]:
            told.wait(60)
            work.messages.put(kept)
            work.messages.put(None)
        else:
            work.messages.put(RuntimeError("broken"))
            work.stop.wait(60)
            told.set()

    first, games, start = [], [], threading.Thread.start
    kept = play(Clobber(3, 3), names, 1)[0]
    monkeypatch.setattr(threads, "_work", work)
    monkeypatch.setattr(
        threading.Thread, "start", lambda thread: (first.append(thread), start(thread))
    )

    def on_games(news):
        games.extend(news)
        return False

    with pytest.raises(RuntimeError, match="broken"):
        play_planned(Clobber(3, 3), names, plan(Clobber(3, 3), names, 4), 2, on_games)
    assert games == [kept]


def test_who_is_stopped_stops_between_boards():
    """Of 32 games side by side, on those where a slow player is to move."""
    game, names, asked = Clobber(4, 4), ("batched", "plain"), []
    seats = Seats(game, names)
    seats.player(1).choose = lambda position, rng: asked.append(1) or position.legal_actions[0]
    games = list(play_chunk(seats, plan(game, names, 16), lambda: len(asked) == 5))
    assert (len(asked), games) == (5, [])


def test_an_interrupt_keeps_what_was_played(monkeypatch):
    hold_after(monkeypatch, 10)
    before = set(threading.enumerate())
    games, names = [], ("random", "first")

    def on_games(news):
        games.extend(news)
        if len(games) == len(news):
            raise KeyboardInterrupt
        return False

    planned = plan(Clobber(5, 5), names, 500)
    assert not play_planned(Clobber(5, 5), names, planned, 2, on_games)
    assert 0 < len(games) <= 20
    assert set(threading.enumerate()) <= before


def test_enough_is_enough(monkeypatch):
    hold_after(monkeypatch, 10)
    games, names = [], ("random", "first")

    def on_games(news):
        games.extend(news)
        return len(games) >= 5

    assert play_planned(Clobber(5, 5), names, plan(Clobber(5, 5), names, 500), 2, on_games)
    assert 5 <= len(games) <= 20


def test_a_game_may_be_over_before_it_begins():
    game = Clobber(1, 3, setup="x.x")
    opening = make_openings(game, 1, stream(1), plies=0)[0]
    for names in (("random", "first"), ("batched", "mcts:5")):
        games = list(play_chunk(Seats(game, names), plan_pair(names, 0, 1, 0, opening, 1)))
        assert [(each.result, each.plies) for each in games] == [(-1, 0), (-1, 0)]


def test_moves_that_are_chosen_together_share_their_time(monkeypatch):
    """By a clock that goes on by 12 s at each look: so much for all boards of a call."""
    monkeypatch.setattr(pairs, "time", SimpleNamespace(thread_time=ticking(12)))
    games = play(Clobber(3, 3), ("batched", "random"), 3)
    seconds = {"batched": 0.0, "random": 0.0}
    for each in games:
        for side, name in enumerate((each.first, each.second)):
            seconds[name] += each.seconds[side]
    assert max(Batched.sizes) > 1
    assert seconds["batched"] == pytest.approx(12 * len(Batched.sizes))
    alone = sum(each.chosen[each.second == "random"] for each in games)
    assert seconds["random"] == pytest.approx(12 * alone)


def test_who_cannot_play_is_told_before():
    start = Position.start(Clobber(3, 3))
    with pytest.raises(PlayerError, match="knows chess only"):
        prepare(start, ["random", "elsewhere"])
    with pytest.raises(PlayerError, match="two-player game"):
        prepare(Position.start(Solitaire()), ["random", "first"])
    prepare(start, ["random", "weak", "engine", "mcts:10,reuse"])


def test_time_is_counted_for_the_one_who_thinks_and_getting_ready_is_not_thinking(monkeypatch):
    """Nor is it to start again after a failure.

    An engine takes 1 s a move by the clock on the wall; others look at the clock of their thread,
    which goes on by 10 s whenever it is looked at.
    """
    clock = SimpleNamespace(perf_counter=lambda: Starting.clock, thread_time=ticking(10))
    monkeypatch.setattr(pairs, "time", clock)
    monkeypatch.setattr(Starting, "clock", 0.0)
    games = play(Clobber(3, 3), ("starting", "random"), 3)
    for each in games:
        side = each.second == "starting"
        assert each.seconds[side] == each.chosen[side]
        assert each.seconds[not side] == 10 * each.chosen[not side]
    failures = sum(each.failed is not None for each in games)
    assert failures > 0
    assert Starting.clock >= 100 * failures


@pytest.mark.parametrize(
    "name", ["random", "mc:3", "mcts:20", "mcts:20,reuse", "mcts:20,exact=6", "solver"]
)
def test_warming_up_changes_nothing(name):
    game = Clobber(3, 4)
    position = Position.start(game)
    fresh, warm = make_player(name), make_player(name)
    warm.warm_up(position, 1)
    while not position.is_over:
        action = fresh.choose(position, stream(2))
        assert warm.choose(position, stream(2)) == action
        position = position.play(action)


def test_warming_up_is_cheaper_than_a_move():
    """Moves of an hour or more."""
    names = ["mcts:9000000ms", "mcts:9000000ms,reuse", "mcts:99999999", "mc:99999999"]
    prepare(Position.start(Clobber(5, 5)), [*names, "solver:99999999"])


def test_doubts_are_counted_for_each_game():
    names = ("solver:1", "random")
    games = play(Clobber(5, 6), names, 2)
    for each in games:
        side = int(each.second == names[0])
        assert each.doubtful[side] > 0 == each.doubtful[1 - side]
        assert each.doubtful[side] <= each.chosen[side]
    assert {each.doubtful for each in play(Clobber(3, 3), ("solver", "random"), 2)} == {None}
