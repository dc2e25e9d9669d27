import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.evaluation.engines import fake_uci
from tests.evaluation.engines.real import STOCKFISH, needs
from zerolab.evaluation.matches.series import play_series
from zerolab.evaluation.matches.threads import GIVEN_UP, MOST_FAILURES
from zerolab.evaluation.matches.tournaments import Event, play_event
from zerolab.evaluation.players import engine_process as engine
from zerolab.evaluation.players import uci
from zerolab.evaluation.players.players import make_player
from zerolab.evaluation.players.protocol import EngineError, PlayerError, check_player, close_player
from zerolab.evaluation.players.uci import placements
from zerolab.games.base import BLACK, WHITE, player_to_move, step
from zerolab.games.boards.stones import initial_state
from zerolab.games.clobber import CANNIBAL, Clobber
from zerolab.games.notation import legal_list, parse_position
from zerolab.games.othello import Othello
from zerolab.games.perft_counts import perft
from zerolab.games.position import Position
from zerolab.kernels.rng import random_below, stream

SCRIPT = Path(fake_uci.__file__)
GAME = Clobber(4, 3)
needs_stockfish = needs(STOCKFISH)


@pytest.fixture(name="make")
def _make():
    """Makes players whose engine behaves in a given way, and ends them."""
    made = []

    def make(behaviour="well", limit="5ms"):
        made.append(make_player(f"uci:'{sys.executable}' '{SCRIPT}' {behaviour}@{limit}"))
        return made[-1]

    yield make
    for player in made:
        close_player(player)


def random_positions(game, count, seed=1):
    """Positions of all stages in which there is a move."""
    rng, found = stream(seed), []
    while len(found) < count:
        state = initial_state(game, rng)
        while legal := legal_list(game, state):
            found.append(state.copy())
            step(game, state, legal[random_below(rng, len(legal))])
    return [found[i] for i in np.random.default_rng(seed).permutation(len(found))[:count]]


def choose(player, game=GAME):
    return player.choose(Position(game, initial_state(game, stream(0))), stream(0))


# Where the stones go


@pytest.mark.parametrize(
    ("size", "variant", "on_side"),
    [
        ((6, 5), "clobber", False),
        ((5, 6), "clobber", True),
        ((5, 5), "clobber", False),
        ((1, 6), "clobber", True),
        ((6, 6), "clobber10", False),
        ((2, 10), "clobber10", False),
        ((10, 10), "clobber10", False),
    ],
)
def test_the_smallest_variant_that_fits(size, variant, on_side):
    best = placements(Clobber(*size))[0]
    assert (best.variant, best.on_side) == (variant, on_side)


def test_starts_are_those_of_the_engine():
    """As Fairy-Stockfish gives them for its variants."""
    start = "PpPpP/pPpPp/PpPpP/pPpPp/PpPpP/pPpPp w - - 0 1"
    for game in (Clobber(6, 5), Clobber(5, 6)):
        assert placements(game)[0].fen(game, initial_state(game, stream(0))) == start
    large = Clobber(10, 10)
    start = "/".join(["PpPpPpPpPp", "pPpPpPpPpP"] * 5) + " w - - 0 1"
    assert placements(large)[0].fen(large, initial_state(large, stream(0))) == start


def test_gaps_and_the_player_to_move():
    game = Clobber(2, 6)
    state = parse_position(game, "x..o.o|......", 1)
    assert placements(game)[0].fen(game, state) == "P4/5/5/p4/5/p4 b - - 0 1"
    assert placements(game)[1].fen(game, state) == "P2p1p4/10/10/10/10/10/10/10/10/10 b - - 0 1"


@pytest.mark.parametrize("size", [(6, 5), (5, 6), (3, 4), (2, 9), (10, 10)])
def test_moves_are_those_that_other_rules_find(size):
    game = Clobber(*size)
    for placement in placements(game):
        for state in random_positions(game, 30):
            names = placement.names(game, state)
            assert set(names) == set(fake_uci.moves(placement.fen(game, state)))
            assert sorted(names.values()) == legal_list(game, state)


# An engine that does what it should


def test_a_match(make):
    names = make().name, make(limit="depth3").name
    result = play_series(Clobber(5, 6), names, 4).result
    assert (result.games, result.unplayed) == (4, 0)


def test_a_new_game_is_announced(make):
    player = make()
    first, second = initial_state(GAME, stream(0)), initial_state(GAME, stream(0))
    step(GAME, second, legal_list(GAME, second)[0])
    said = []
    for state in (first, second, first, first):
        player.choose(Position(GAME, state), stream(0))
        said.append(player.ask(GAME, state, "ucinewgame", "info string")[-1])
    # One of ours before each: the second position goes on with the game of the first.
    assert [line.split()[-1] for line in said] == ["2", "3", "5", "7"]


def test_options(make):
    assert choose(make(limit="5ms,Skill Level=3")) in range(48)
    with pytest.raises(EngineError, match="no option 'Hash'; its options: UCI_Variant, Skill"):
        choose(make(limit="5ms,Hash=3"))


def test_limits():
    def limit(text):
        return make_player(f"uci:x@{text}").limit

    assert limit("250ms") == ("go movetime 250", 0.25 + uci.GRACE_SECONDS)
    assert limit("1000nodes").go == "go nodes 1000"
    assert limit("depth8").go == "go depth 8"


# Engines that do not


@pytest.mark.parametrize(
    ("behaviour", "complaint"),
    [
        ("crash", "it ended with exit code 139: Segmentation fault, as it were"),
        ("hang", r"it gave no answer within 0\.5 s"),
        ("close", "it closed its output"),
        ("cheat", r"it answered 'bestmove .*', which is not a legal move in xox\|oxo\|xox\|oxo"),
        ("nonsense", "it answered 'bestmove resign now"),
        ("none", r"it answered 'bestmove \(none\)"),
    ],
)
def test_a_failure_in_a_game_says_who_and_why(make, monkeypatch, behaviour, complaint):
    monkeypatch.setattr(uci, "GRACE_SECONDS", 0.495 if behaviour == "hang" else 60)
    monkeypatch.setattr(engine, "PARTING_SECONDS", 0.1 if behaviour in ("close", "hang") else 60)
    player = make(behaviour)
    check_player(player, GAME)
    for _ in range(2):  # the engine is started anew
        with pytest.raises(EngineError, match=complaint) as caught:
            choose(player)
        assert caught.value.engine == player.name
    assert player._engine is None


@pytest.mark.parametrize(
    ("behaviour", "complaint"),
    [
        ("silent", r"it gave no answer within 0\.5 s"),
        ("chess", "it cannot play clobber 4x3: it offers no variant clobber or clobber10"),
        ("picky", "it ended with exit code 3: no such option"),
    ],
)
def test_a_failure_before_the_game(make, monkeypatch, behaviour, complaint):
    monkeypatch.setattr(uci, "START_SECONDS", 0.5 if behaviour == "silent" else 60)
    monkeypatch.setattr(engine, "PARTING_SECONDS", 60)
    with pytest.raises(EngineError, match=complaint):
        check_player(make(behaviour), GAME)


def test_a_variant_that_is_not_offered(make):
    with pytest.raises(EngineError, match="clobber 6x6: it offers no variant clobber10"):
        check_player(make(), Clobber(6, 6))
    with pytest.raises(EngineError, match="clobber 3x11: no variant is so large"):
        check_player(make(), Clobber(3, 11))


@pytest.mark.parametrize("game", [Othello(8, 8), Clobber(6, 5, variant=CANNIBAL)])
def test_other_games(make, game):
    with pytest.raises(PlayerError, match="UCI engines play normal Clobber, not"):
        check_player(make(), game)


def test_missing_programs():
    with pytest.raises(EngineError, match=r"there is no program '/no/such'"):
        check_player(make_player("uci:/no/such engine@5ms"), GAME)


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("uci:fairy-stockfish", "has no limit: expected uci:COMMAND@100ms"),
        ("uci:x@fast", "'fast' in .* is not a limit; expected 100ms, 1000nodes or depth8"),
        ("uci:x@0ms", "'0' in .* is not a strength"),
        ("uci:x@5ms,Hash", "'Hash' in .* is not an option; expected NAME=VALUE"),
        ("uci:@5ms", "names no command"),
        ("uci:'x@5ms", "quotes in .* do not match"),
    ],
)
def test_a_wrong_name_says_what_is_allowed(name, complaint):
    with pytest.raises(PlayerError, match=complaint):
        make_player(name)


def test_an_engine_that_always_fails_ends_the_match(make):
    series = play_series(GAME, (make("cheat").name, "random"), 100, threads=1)
    assert (series.result.games, series.result.unplayed) == (0, MOST_FAILURES)
    assert all("not a legal move in" in each.failed for each in series.failures)
    assert GIVEN_UP in series.given_up


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except FileNotFoundError:
        return False


def test_engines_are_ended(make, monkeypatch):
    for behaviour in ("well", "stay"):
        player = make(behaviour)
        choose(player)
        process = player._engine._process
        close_player(player)
        assert process.returncode is not None
        choose(player)  # it begins anew


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks into /proc")
def test_no_engine_outlives_the_program():
    program = (
        "from zerolab.evaluation.players.players import make_player\n"
        "from zerolab.games.clobber import Clobber\n"
        f"player = make_player('''uci:'{sys.executable}' '{SCRIPT}' stay@5ms''')\n"
        "player.check(Clobber(3, 3))\n"
        "print(player._engine._process.pid)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert not is_running(int(done.stdout))


# Fairy-Stockfish itself


@pytest.fixture(name="stockfish")
def _stockfish():
    player = make_player(f"uci:{STOCKFISH}@2000nodes")
    yield player
    close_player(player)


@needs_stockfish
@pytest.mark.parametrize(
    ("size", "depth"),
    [((6, 5), 4), ((5, 6), 4), ((4, 4), 5), ((3, 3), 7), ((7, 6), 3), ((10, 10), 3)],
)
def test_stockfish_counts_as_many_lines_of_play(stockfish, size, depth):
    game = Clobber(*size)
    state = initial_state(game, stream(0))
    *_, total = stockfish.ask(game, state, f"go perft {depth}", "Nodes searched")
    assert int(total.split()[-1]) == perft(game, state, depth)


@needs_stockfish
@pytest.mark.parametrize("size", [(6, 5), (5, 6), (3, 7), (8, 8), (10, 10)])
def test_stockfish_finds_the_same_moves(stockfish, size):
    game = Clobber(*size)
    placement = placements(game)[0]
    for state in random_positions(game, 60):
        lines = stockfish.ask(game, state, "go perft 1", "Nodes searched")
        theirs = {line.split(":")[0] for line in lines if line.endswith(": 1")}
        assert theirs - {"Nodes searched"} == set(placement.names(game, state))


@needs_stockfish
def test_stockfish_beats_random_play_and_repeats_itself(stockfish):
    game = Clobber(5, 5)
    results = [
        play_series(game, (stockfish.name, "random"), 6, seed=1).result,
        play_series(game, (stockfish.name, "random"), 6, seed=1).result,
    ]
    assert results[0] == results[1]
    assert results[0].black_wins >= 5


@needs_stockfish
@pytest.mark.parametrize("size", [(6, 5), (5, 6), (4, 3), (7, 6), (10, 10)])
@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_stockfish_plays_to_the_end_and_agrees_that_it_is_one(stockfish, size, colour):
    """In either variant, on its side, in a corner of a larger board."""
    game, rng = Clobber(*size), stream(3)
    state, other = initial_state(game, rng), make_player("random")
    while legal_list(game, state):
        player = stockfish if player_to_move(state) == colour else other
        step(game, state, player.choose(Position(game, state), rng))
    *_, total = stockfish.ask(game, state, "go perft 1", "Nodes searched")
    assert total == "Nodes searched: 0"


@needs_stockfish
def test_stockfish_in_a_tournament():
    names = (f"uci:{STOCKFISH}@500nodes", f"uci:{STOCKFISH}@depth2", "random")
    games, is_complete = play_event(Event(Clobber(5, 5), names, 2, seed=1), threads=2)
    assert is_complete
    assert len(games) == 12
    assert [each.failed for each in games if each.failed] == []


@needs_stockfish
def test_stockfish_finds_what_the_solver_finds():
    """4x4 is won for Black, and 20,000 nodes see that."""
    game = Clobber(4, 4)
    names = f"uci:{STOCKFISH}@20000nodes", "solver"
    assert play_series(game, names, 1).result.black_wins == 1
