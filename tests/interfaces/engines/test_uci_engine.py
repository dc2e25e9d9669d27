"""UCI without a process: lines in, lines out. Rules and notation are those of pyffish."""

import re
import threading

import pyffish
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zerolab.errors import UsageError
from zerolab.evaluation.players.players import make_player
from zerolab.evaluation.players.uci import VARIANTS
from zerolab.games.base import GameError
from zerolab.games.clobber import Clobber
from zerolab.games.notation import Board, format_fen, parse_fen
from zerolab.games.position import Position
from zerolab.interfaces.engines.uci_engine import (
    MOST_CENTIPAWNS,
    PROVEN_CENTIPAWNS,
    UciEngine,
    centipawns,
    parse_go,
)
from zerolab.kernels.rng import random_below, stream
from zerolab.search.growing_search import UNLIMITED, Budget

START_MOVES = "position startpos moves b1a1"


class Talk:
    """An engine and what it says."""

    def __init__(self, player="first"):
        self.said = []
        self.engine = UciEngine(make_player(player), self.said.append)

    def ask(self, *lines):
        """What it says to these lines, up to the end of a search."""
        self.said.clear()
        for line in lines:
            self.engine.receive(line)
        self.engine.wait()
        return list(self.said)


@pytest.fixture(name="talk")
def _talk():
    """Makes engines, and ends their searches."""
    made = []

    def make(player="first"):
        made.append(Talk(player))
        return made[-1]

    yield make
    for each in made:
        each.engine.close()


# Positions, as Fairy-Stockfish has them


def test_variants_and_starts_are_those_of_pyffish():
    for variant, (rows, cols, _) in VARIANTS.items():
        start = Clobber(rows, cols).start()
        fields = pyffish.start_fen(variant).split()
        assert format_fen(start.text, start.turn).split()[:2] == fields[:2]


@pytest.mark.parametrize(("variant", "games"), [("clobber", 120), ("clobber10", 40)])
def test_moves_and_fen_agree_with_pyffish(variant, games):
    """In thousands of positions of random games: legal moves, FEN there and back, the end."""
    board = VARIANTS[variant]
    start, rng, seen = pyffish.start_fen(variant), stream(1), 0
    for _ in range(games):
        position, moves = Position.start(Clobber(board.rows, board.cols)), []
        while True:
            fen = format_fen(position.text, position.turn)
            theirs = pyffish.get_fen(variant, start, moves)
            assert fen.split()[:2] == theirs.split()[:2]
            assert pyffish.validate_fen(fen, variant) == pyffish.FEN_OK
            for each in (fen, theirs):
                assert parse_fen(each, board) == (position.text, position.turn)
            assert sorted(position.legal_moves) == sorted(pyffish.legal_moves(variant, fen, []))
            seen += 1
            if position.is_over:
                break
            move = position.legal_moves[random_below(rng, len(position.legal_moves))]
            position, moves = position.play(move), [*moves, move]
        outcome = position.outcome()
        lost = pyffish.game_result(variant, start, moves) < 0  # for the side to move
        assert lost == (outcome.winner != position.turn)
    assert seen > 2000


def test_the_engine_shows_its_position(talk):
    talk = talk()
    fen = pyffish.get_fen("clobber", pyffish.start_fen("clobber"), ["b1a1"])
    shown = talk.ask(START_MOVES, "d")[-1]
    assert shown.removeprefix("Fen: ").split()[:2] == fen.split()[:2]
    assert talk.ask(f"position fen {fen}", "d")[-1] == shown
    assert talk.ask("ucinewgame", "d")[-1].split()[1:3] == pyffish.start_fen("clobber").split()[:2]


@pytest.mark.parametrize(
    ("fen", "error"),
    [
        ("", "after the board comes w or b"),
        ("PpP/pPp", "after the board comes w or b"),
        ("PpP/pPp x", "after the board comes w or b"),
        ("PpP w", "1 rows, expected 2"),
        ("PpP/pPp/3 w", "3 rows, expected 2"),
        ("Pp/pPp w", "2 cells, expected 3"),
        ("PpP/pPp1 w", "4 cells, expected 3"),
        ("PpP/99 w", "99 cells, expected 3"),
        ("PpP/kPp w", "'kPp' is not a row"),
        ("PpP/0pPp w", "'0pPp' is not a row"),
    ],
)
def test_wrong_fen(fen, error):
    with pytest.raises(GameError, match=error):
        parse_fen(fen, Board(2, 3))


def test_fen_of_small_boards():
    assert format_fen("x.o|...", "white") == "P1p/3 b - - 0 1"
    assert parse_fen("P1p/3 b - - 0 1", Board(2, 3)) == ("x.o|...", "white")
    assert parse_fen("10/4P5 w", Board(2, 10)) == ("..........|....x.....", "black")


# Conversation


def test_introduction(talk):
    said = talk("mcts:10").ask("uci")
    assert said[0].startswith("id name zerolab ")
    assert said[-1] == "uciok"
    options = [re.match(r"option name (\S+) type (spin|combo) ", line) for line in said[2:-1]]
    assert [option[1] for option in options] == ["UCI_Variant", "Threads", "Hash", "MultiPV"]
    assert said[2].endswith("default clobber var clobber var clobber10")


def test_it_is_ready(talk):
    assert talk().ask("isready", "isready") == ["readyok", "readyok"]


def test_a_search(talk):
    said = talk("mcts:300").ask(START_MOVES, "go")
    info = re.fullmatch(
        r"info depth (\d+) multipv 1 score cp -?\d+ nodes 300 nps \d+ time \d+ pv (.*)", said[-2]
    )
    line = info[2].split()
    assert int(info[1]) == len(line)
    assert said[-1] == f"bestmove {line[0]}"
    start = pyffish.start_fen("clobber")
    assert line[0] in pyffish.legal_moves("clobber", start, ["b1a1"])
    pyffish.get_fen("clobber", start, ["b1a1", *line])  # an error if a move is not legal


def test_it_plays_as_its_player_does(talk):
    position = Clobber(6, 5).start()
    player = make_player("mcts:77")
    move = position.after(player.choose(position, stream(0))).moves[-1]
    assert talk("mcts:77").ask("position startpos", "go")[-1] == f"bestmove {move}"


def test_nodes_replace_the_limit_of_the_name(talk):
    said = talk("mcts:10").ask("position startpos", "go nodes 123")
    assert " nodes 123 " in said[-2]


def test_several_lines(talk):
    said = talk("mcts:300").ask("setoption name MultiPV value 3", "position startpos", "go")
    assert [line.split()[4] for line in said[-4:-1]] == ["1", "2", "3"]


def test_the_large_board(talk):
    talk = talk("mcts:10")
    said = talk.ask("setoption name UCI_Variant value clobber10", "go nodes 20")
    move = said[-1].split()[1]
    assert move in pyffish.legal_moves("clobber10", pyffish.start_fen("clobber10"), [])


def test_players_without_a_search_say_only_their_move(talk):
    first = Clobber(6, 5).start().legal_moves[0]
    assert talk().ask("go infinite", "stop") == [f"bestmove {first}"]
    assert talk().ask("go movetime 5") == [f"bestmove {first}"]


def test_an_infinite_search_waits_for_stop(talk):
    """Even where everything is known: one stone of each colour."""
    talk = talk("mcts:10")
    talk.ask("isready")
    talk.said.clear()
    talk.engine.receive("position fen 5/5/5/5/5/Pp3 w - - 0 1")
    talk.engine.receive("go infinite")
    talk.engine.receive("isready")  # is answered while the search runs
    assert "readyok" in talk.said
    assert not any(line.startswith("bestmove") for line in talk.said)
    said = talk.ask("stop")
    assert said[-1] == "bestmove a1b1"


def test_a_search_can_be_stopped(talk):
    talk = talk("mcts:10")
    reported = threading.Event()
    talk.engine._say = lambda line: (talk.said.append(line), reported.set())
    talk.engine.receive("setoption name UCI_Variant value clobber10")
    talk.engine.receive("go infinite")
    assert reported.wait(300)  # the first report
    talk.engine.receive("stop")
    assert re.fullmatch("bestmove [a-j][0-9]+[a-j][0-9]+", talk.said[-1])


def test_another_search_ends_the_first(talk):
    said = talk("mcts:10").ask("go infinite", "go nodes 5")
    assert sum(line.startswith("bestmove") for line in said) == 2


def test_a_game_that_is_over(talk):
    over = ["info depth 0 score mate 0", "bestmove (none)"]
    assert talk("mcts:10").ask("position fen 5/5/5/5/5/5 w - - 0 1", "go nodes 5") == over


def test_a_player_that_fails(talk):
    said = talk("gtp:no-such-program").ask("isready", "go")
    assert said[0] == "readyok"
    assert said[-2].startswith("info string gtp:no-such-program: there is no program")
    assert said[-1] == "bestmove (none)"


@pytest.mark.parametrize(
    "line",
    [
        *("position", "position fen", "position startpos b1a1", "position startpos moves a1a1"),
        *("position fen PpP w", "setoption", "setoption name Nonsense value 1"),
        *("setoption name UCI_Variant value chess", "setoption name MultiPV value 0"),
        *("go ponder", "go nodes", "go nodes many", "go searchmoves a1b1"),
    ],
)
def test_mistakes_are_remarked_upon_and_change_nothing(talk, line):
    talk = talk()
    before = talk.ask(START_MOVES, "d")
    (remark,) = talk.ask(line)
    assert remark.startswith("info string ")
    assert talk.ask("d") == before


@pytest.mark.parametrize("line", ["", "   ", "nonsense", "debug on", "x" * 100_000])
def test_what_is_ignored(talk, line):
    assert talk().ask(line) == []


def test_words_before_a_command_are_ignored(talk):
    assert talk().ask("joho isready") == ["readyok"]


def test_harmless_options(talk):
    assert talk().ask("setoption name Threads value 4", "setoption name Hash value 64") == []


def test_quit(talk):
    talk = talk()
    talk.ask("quit")
    assert talk.engine.has_quit


# Limits

POSITION = Clobber(10, 10).start()  # White of UCI moves; 38 moves are expected


@pytest.mark.parametrize(
    ("words", "budget"),
    [
        ("", None),
        ("depth 5", None),
        ("infinite", UNLIMITED),
        ("infinite nodes 5", UNLIMITED),
        ("nodes 500", Budget(500)),
        ("nodes 0", Budget(1)),
        ("movetime 250", Budget(seconds=0.25)),
        ("movetime 250 nodes 7", Budget(7, 0.25)),
        ("wtime 38000 btime 1", Budget(seconds=1 - 0.03)),
        ("wtime 38000 winc 1000 btime 1", Budget(seconds=1.75 - 0.03)),
        ("wtime 10000 movestogo 5", Budget(seconds=2 - 0.03)),
        ("wtime -100 btime 1000", Budget(seconds=0.005)),
        ("btime 1000", None),
    ],
)
def test_limits(words, budget):
    found = parse_go(words.split()).budget(POSITION)
    if budget is None or budget.seconds is None:
        assert found == budget
    else:
        assert found.simulations == budget.simulations
        assert found.seconds == pytest.approx(budget.seconds)


def test_the_clock_of_the_other_side():
    after = POSITION.after(POSITION.legal_actions[0])  # 37 moves are expected
    found = parse_go(["wtime", "1", "btime", "37000", "binc", "400"]).budget(after)
    assert found.seconds == pytest.approx(1.3 - 0.03)


def test_limits_that_are_not_understood():
    with pytest.raises(UsageError, match="'ponder' is not supported"):
        parse_go(["ponder"])


@pytest.mark.parametrize(
    ("value", "proven", "score"),
    [
        (0.0, False, 0),
        (9 / 11, False, 400),  # ten to one
        (-9 / 11, False, -400),
        (1.0, False, MOST_CENTIPAWNS),
        (-0.999999999, False, -MOST_CENTIPAWNS),
        (1.0, True, PROVEN_CENTIPAWNS),
        (-1.0, True, -PROVEN_CENTIPAWNS),
        (0.0, True, 0),
    ],
)
def test_scores(value, proven, score):
    assert centipawns(value, proven) == score


# Anything at all

WORDS = st.sampled_from(
    [
        *("uci", "isready", "ucinewgame", "setoption", "name", "value", "UCI_Variant", "clobber10"),
        *("position", "fen", "startpos", "moves", "b1a1", "a1b1", "go", "stop", "d", "nodes", "5"),
        *(
            "movetime",
            "0",
            "-7",
            "wtime",
            "w",
            "PpPpP/pPpPp/5/5/5/5",
            "10",
            "MultiPV",
            "searchmoves",
        ),
    ]
)
LINES = st.one_of(st.lists(WORDS, max_size=7).map(" ".join), st.text(max_size=30))


@settings(max_examples=150)
@given(lines=st.lists(LINES, max_size=20))
def test_nothing_ends_it(lines):
    talk = Talk()
    for line in lines:
        talk.engine.receive(line)
    searches = sum("go" in line.split() for line in lines)
    talk.engine.wait()
    talk.engine.receive("stop")
    assert sum(line.startswith("bestmove ") for line in talk.said) <= searches
    assert talk.ask("isready") == ["readyok"]
