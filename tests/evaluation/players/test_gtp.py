import pickle
import sys
from pathlib import Path

import pytest

from tests.evaluation.engines import fake_gtp
from tests.evaluation.engines.real import GNU_GO, needs
from zerolab.evaluation.matches.series import play_series
from zerolab.evaluation.players import engine_process as engine
from zerolab.evaluation.players.players import make_player
from zerolab.evaluation.players.protocol import (
    EngineError,
    PlayerError,
    ResignationError,
    check_player,
    close_player,
)
from zerolab.experiments.game_session import GameSession
from zerolab.games.base import BLACK, WHITE
from zerolab.games.boards.stones import initial_state
from zerolab.games.clobber import RANDOM, Clobber
from zerolab.games.connect_four import ConnectFour
from zerolab.games.gobang import Gobang
from zerolab.games.graph_clobber import GraphClobber
from zerolab.games.notation import format_position, parse_position
from zerolab.games.othello import Othello
from zerolab.games.position import Position
from zerolab.kernels.rng import random_below, stream

SCRIPT = Path(fake_gtp.__file__)
GAME = Clobber(3, 4)


@pytest.fixture(name="make")
def _make():
    """Makes players whose engine behaves in a given way, and ends them."""
    made = []

    def make(behaviour="well", game="clobber", limit=""):
        made.append(make_player(f"gtp:{sys.executable} {SCRIPT} {game} {behaviour}{limit}"))
        return made[-1]

    yield make
    for player in made:
        close_player(player)


def after(game, plies, seed):
    """A position after some random moves."""
    rng, position = stream(seed), Position.start(game)
    for _ in range(plies):
        legal = position.legal_actions
        position = position.after(legal[random_below(rng, len(legal))])
    return position


@pytest.mark.parametrize(
    ("name", "game"),
    [
        ("clobber", GAME),
        ("othello", Othello(4, 4)),
        ("connect-four", ConnectFour(4, 5)),
    ],
)
def test_matches(make, name, game):
    """Several games in one engine, and two engines against each other."""
    engine = make(game=name).name
    result = play_series(game, (engine, "random"), 3, seed=1).result
    assert (result.games, result.unplayed) == (3, 0)
    assert play_series(game, (engine, engine), 1).result.games == 1


def test_positions_in_any_order(make):
    """As openings of a tournament have it: a few moves on, back, on in another game."""
    player = make()
    for plies, seed in [(3, 1), (0, 0), (4, 2), (2, 3), (2, 3)]:
        position = after(GAME, plies, seed)
        assert player.choose(position, stream(0)) in position.legal_actions


def test_the_engine_is_told_only_the_moves_that_it_does_not_know(make):
    player = make()
    position, said = Position.start(GAME), []
    tell = type(player)._ask
    player._ask = lambda command: said.append(command) or tell(player, command)
    for _ in range(2):
        position = position.play(player.choose(position, stream(0)))
        position = position.play(position.legal_actions[0])
    own, answers = position.moves[::2], position.moves[1::2]
    assert said[-3:] == ["genmove black", f"play white {answers[0]}", "genmove black"]
    assert not any(f"play black {move}" in said for move in own)
    other = after(GAME, 3, 1)
    player.choose(other, stream(0))
    plays = [f"play {colour} {move}" for colour, move in zip("bwb", other.moves, strict=True)]
    plays = [each.replace("b ", "black ").replace("w ", "white ") for each in plays]
    assert said[-6:] == ["rectangular_boardsize 4 3", "clear_board", *plays, "genmove white"]


def test_a_position_that_no_game_leads_to(make):
    with pytest.raises(EngineError, match=r"GTP cannot set up xxxx\|oooo\|xxx\."):
        make().choose(Position(GAME, parse_position(GAME, "xxxx|oooo|xxx.", 1)), stream(0))


@pytest.mark.parametrize(
    ("behaviour", "complaint"),
    [
        ("crash", "it ended with exit code 1: RuntimeError: no idea"),
        ("hang", r"it gave no answer within 0\.5 s"),
        ("cheat", r"it answered 'a1a1', which is not a legal move in xoxo\|oxox\|xoxo"),
    ],
)
def test_a_failure_in_a_game_says_who_and_why(make, monkeypatch, behaviour, complaint):
    monkeypatch.setattr(engine, "PARTING_SECONDS", 0.1 if behaviour == "hang" else 60)
    player = make(behaviour, limit="@50s")
    check_player(player, GAME)
    assert player.seconds == 50
    player.seconds = 0.5 if behaviour == "hang" else 50
    with pytest.raises(EngineError, match=complaint) as caught:
        player.choose(Position(GAME, initial_state(GAME, stream(0))), stream(0))
    assert caught.value.engine == player.name
    assert player._engine is None


def test_an_engine_that_resigns_stays_ready(make):
    player = make("resign")
    start = Position.start(GAME)
    for _ in range(2):
        with pytest.raises(ResignationError) as caught:
            player.choose(start, stream(0))
        assert str(pickle.loads(pickle.dumps(caught.value))) == f"{player.name}: it resigns"
    assert player._engine is not None


def test_who_resigns_has_lost(make):
    """With either colour, and the next game goes on in the same engine."""
    engine = make("stubborn").name
    for names in ((engine, "random"), ("random", engine)):
        series = play_series(GAME, names, 10, seed=1)
        assert not series.failures
        resigned = [each for each in series.played if each.resigned is not None]
        assert len(resigned) > 3
        for each in resigned:
            assert each.resigned == engine
            assert each.result == (-1 if each.first == engine else 1)
            assert each.plies == sum(each.chosen)
        assert series.result.games == 10
        assert series.result.unplayed == 0


@pytest.mark.parametrize("colour", ["black", "white"])
def test_a_person_wins_if_the_engine_resigns(make, colour):
    engine = make("resign").name
    names = ("human", engine) if colour == "black" else (engine, "human")
    game = GameSession(Position.start(GAME), names, stream(0))
    if colour == "black":
        game.play(game.position.legal_moves[0])
    plies = len(game.moves)
    game.reply()
    assert game.is_over
    assert (game.result, len(game.moves)) == (f"{colour} wins", plies)
    game.close()


@pytest.mark.parametrize(
    ("behaviour", "complaint"),
    [
        ("old", "it speaks GTP version '1', expected 2"),
        ("small", r"it answered '\? unacceptable size' to 'rectangular_boardsize 4 3'"),
    ],
)
def test_a_failure_before_the_game(make, behaviour, complaint):
    with pytest.raises(EngineError, match=complaint):
        check_player(make(behaviour), GAME)


@pytest.mark.parametrize(
    "game", [Clobber(3, 3, setup=RANDOM), Clobber(setup="xo|ox"), GraphClobber()]
)
def test_starts_that_gtp_does_not_know(make, game):
    with pytest.raises(PlayerError, match="GTP engines play only from usual starts, not"):
        check_player(make(), game)


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("gtp:", "names no command"),
        ("gtp:'x", "quotes in .* do not match"),
    ],
)
def test_a_wrong_name_says_what_is_allowed(name, complaint):
    with pytest.raises(PlayerError, match=complaint):
        make_player(name)


def test_missing_programs():
    with pytest.raises(EngineError, match="there is no program 'no-such-engine'"):
        check_player(make_player("gtp:no-such-engine user@host"), GAME)


# GNU Go itself. It believes that it plays Go: its moves are legal in Gobang too, as long as it
# takes no stones, and games of three in a row are over before that.


@pytest.fixture(name="gnu_go")
def _gnu_go():
    player = make_player(f"gtp:{GNU_GO} --mode gtp --level 1 --never-resign --seed 1")
    yield player
    close_player(player)


def stones_by_name(game, state, colour):
    """As GTP names them: column letter, row number from the bottom."""
    lines = format_position(game, state).split("|")
    return {
        f"{'ABCDEFGH'[col]}{game.rows - row}"
        for row, line in enumerate(lines)
        for col, stone in enumerate(line)
        if stone == "xo"[colour]
    }


@needs(GNU_GO)
@pytest.mark.parametrize("colour", [BLACK, WHITE])
@pytest.mark.parametrize("size", [7, 8])
def test_gnu_go_plays_whole_games_and_sees_the_same_stones(gnu_go, colour, size):
    game, other = Gobang(size, size, 3), make_player("random")
    for seed in range(3):
        rng = stream(seed)
        position = seen = Position.start(game)
        while not position.is_over:
            is_its_turn = position.player == colour
            action = (gnu_go if is_its_turn else other).choose(position, rng)
            position = position.after(action)
            if is_its_turn:
                seen = position
        for name, stones in (("black", BLACK), ("white", WHITE)):
            answer = gnu_go._ask(f"list_stones {name}").split()
            assert set(answer) == stones_by_name(game, seen.words, stones)
            assert len(answer) > 1


@needs(GNU_GO)
def test_gnu_go_in_a_match(gnu_go):
    result = play_series(Gobang(6, 6, 3), (gnu_go.name, "random"), 4, seed=1).result
    assert (result.games, result.unplayed) == (4, 0)


@needs(GNU_GO)
def test_gnu_go_has_square_boards_only(gnu_go):
    with pytest.raises(EngineError, match=r"'\? unknown command' to 'rectangular_boardsize 6 5'"):
        check_player(gnu_go, Gobang(5, 6))
