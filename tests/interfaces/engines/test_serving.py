"""The commands as processes: whole games with other programs, and every way a conversation ends."""

import subprocess
import sys

import pytest

from tests.evaluation.engines.real import GNU_GO, STOCKFISH, needs
from tests.interfaces.engines.referee import Program, play_game
from zerolab.evaluation.matches.series import play_series
from zerolab.games.clobber import Clobber
from zerolab.games.connect_four import ConnectFour
from zerolab.games.notation import format_halves
from zerolab.games.othello import Othello

ZEROLAB = [sys.executable, "-m", "zerolab"]
GTP = [*ZEROLAB, "gtp", "first", "--game", "clobber", "--size", "3x4"]
UCI = [*ZEROLAB, "uci", "first"]
COMMAND = f"'{sys.executable}' -m zerolab"
GNU_GO_OPTIONS = "--mode gtp --chinese-rules --positional-superko --level 1 --never-resign --seed 1"


@pytest.fixture(name="start")
def _start():
    """Starts programs, and ends them."""
    started = []

    def start(*command):
        started.append(Program(*command))
        return started[-1]

    yield start
    for program in started:
        program.kill()


def converse(command, data):
    """All that a command prints for these bytes, and its exit code."""
    done = subprocess.run(command, input=data, capture_output=True, timeout=300, check=False)
    assert b"Traceback" not in done.stderr
    return done.stdout.decode(), done.returncode


# Games


@needs(GNU_GO)
@pytest.mark.parametrize("is_black", [True, False])
def test_a_game_of_go_against_gnu_go(start, is_black):
    """Both accept every move of the other, and end with the same stones on their boards."""
    ours = start(*ZEROLAB, "gtp", "mcts:200", "--game", "go", "--size", "7x7")
    theirs = start(GNU_GO, *GNU_GO_OPTIONS.split())
    for program in (ours, theirs):
        for command in ("boardsize 5", "clear_board", "komi 6.5"):
            program.ask(command)
    black, white = (ours, theirs) if is_black else (theirs, ours)
    moves = play_game(black, white, 150)
    assert moves[-2:] == ["PASS", "PASS"]
    assert len(moves) > 10
    xs, os = (theirs.ask(f"list_stones {colour}").split() for colour in ("black", "white"))
    assert sorted(ours.ask("final_status_list alive").split()) == sorted(xs + os)
    assert ours.ask("showboard").count("X") == len(xs)
    assert ours.ask("get_komi") == format_halves(13)
    ours.close()


@needs(STOCKFISH)
@pytest.mark.parametrize("game", [Clobber(6, 5), Clobber(3, 4), Clobber(10, 10)])
def test_games_of_clobber_against_fairy_stockfish(game):
    """Through the bridge for UCI engines on both sides: our Black is their White."""
    ours, theirs = f"uci:{COMMAND} uci mcts:200@100nodes", f"uci:{STOCKFISH}@100nodes"
    for players in ((ours, theirs), (theirs, ours)):
        result = play_series(game, players, 1).result
        assert (result.games, result.unplayed) == (1, 0)


@pytest.mark.parametrize(
    ("name", "game"),
    [("clobber", Clobber(3, 4)), ("othello", Othello(4, 4)), ("connect-four", ConnectFour(4, 5))],
)
def test_the_bridge_for_gtp_engines(name, game):
    """The opposite of the engine: it sends the size, and reads the moves."""
    ours = f"gtp:{COMMAND} gtp mcts:20 --game {name}"
    result = play_series(game, (ours, "random"), 2, seed=1).result
    assert (result.games, result.unplayed) == (2, 0)


# Ends


def test_quit_ends_it():
    assert converse(GTP, b"1 quit\n2 name\n") == ("=1 \n\n", 0)
    assert converse(UCI, b"isready\nquit\nisready\n") == ("readyok\n", 0)


def test_the_end_of_the_input_ends_it():
    assert converse(GTP, b"name") == ("= zerolab\n\n", 0)
    assert converse(GTP, b"") == ("", 0)
    assert converse([*ZEROLAB, "uci", "mcts:10"], b"go infinite")[0].count("bestmove") == 1


def test_the_end_of_the_input_ends_an_analysis():
    out, code = converse([*GTP[:4], "mcts:5", *GTP[5:-1], "10x10"], b"lz-analyze 1000")
    assert out.startswith("=\ninfo move ")
    assert out.endswith("\n\n")
    assert code == 0


def test_quit_does_not_wait_for_a_player_that_cannot_be_stopped():
    out, code = converse([*ZEROLAB, "uci", "mc:100000000"], b"position startpos\ngo\nquit\n")
    assert (out, code) == ("", 0)


def test_any_bytes():
    data = bytes(range(256)) * 40 + b"\n" + b"\xff" * 200_000 + b"\n3 name\n"
    out, code = converse(GTP, data)
    assert out.endswith("=3 zerolab\n\n")
    assert code == 0
    assert converse(UCI, data + b"isready\n") == ("readyok\n", 0)


@pytest.mark.parametrize("command", [GTP, UCI], ids=["gtp", "uci"])
def test_a_reader_that_goes_away(command):
    """It ends although its input stays open."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, **pipes) as process:
        process.stdin.write(b"uci\n" if command is UCI else b"name\n")
        process.stdin.flush()
        assert process.stdout.readline()
        process.stdout.close()
        for _ in range(2):  # the first may fit into a buffer
            process.stdin.write(b"uci\n" if command is UCI else b"list_commands\n")
            process.stdin.flush()
        assert process.wait(300) == 0
        assert process.stderr.read() == b""


def test_a_closed_input():
    code = f"import os, sys; os.close(0); os.execv(sys.argv[1], {GTP!r})"
    done = subprocess.run(
        [sys.executable, "-c", code, sys.executable], capture_output=True, timeout=300, check=False
    )
    assert (done.stdout, done.returncode) == (b"", 0)


@pytest.mark.parametrize(
    ("command", "error"),
    [
        (["gtp", "nobody"], "'nobody' is not a player"),
        (["gtp", "human"], "human plays only in zerolab play"),
        (["gtp", "first", "--game", "chess"], "'chess' is not a game"),
        (["gtp", "first", "--size", "99x99"], "is not possible"),
        (["uci", "az:nowhere@5"], "there is no network 'nowhere'"),
    ],
)
def test_mistakes(capsys, command, error):
    from zerolab.interfaces.cli import main

    with pytest.raises(SystemExit) as stopped:
        main(command)
    assert stopped.value.code == 2
    assert error in capsys.readouterr().err
