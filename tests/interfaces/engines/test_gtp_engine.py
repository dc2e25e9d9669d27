"""GTP without a process: lines in, lines out."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.sizes import ALL_GAMES, label
from zerolab.errors import UsageError
from zerolab.evaluation.players.players import make_player
from zerolab.games.clobber import Clobber
from zerolab.games.connect_four import ConnectFour
from zerolab.games.go import Go
from zerolab.games.notation import num_actions
from zerolab.games.othello import Othello
from zerolab.games.position import Position
from zerolab.interfaces.engines import gtp_engine
from zerolab.interfaces.engines.gtp_engine import Command, GtpEngine, parse_line
from zerolab.interfaces.engines.line_server import LONGEST_LINE
from zerolab.kernels.rng import stream

GAME = Clobber(3, 4)


def make(game=GAME, player="first"):
    return GtpEngine(game, make_player(player))


def ask(engine, line):
    """The whole answer as it is printed."""
    return "".join(text + "\n" for text in engine.answer(line))


def result(engine, line):
    """The text of an answer that succeeds."""
    answer = ask(engine, line)
    assert answer.startswith("= ")
    assert answer.endswith("\n\n")
    return answer[2:-2]


# Lines


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("name", Command("", "name", ())),
        ("12 play b d4", Command("12", "play", ("b", "d4"))),
        ("\tplay\t b   d4 \r # a comment # another", Command("", "play", ("b", "d4"))),
        ("na\x07me\x00", Command("", "name", ())),
        ("7", Command("7", "", ())),
        ("7name", Command("", "7name", ())),
        ("-1 name", Command("", "-1", ("name",))),
        ("", None),
        ("  \t\r", None),
        ("# only a comment", None),
    ],
)
def test_lines(line, command):
    assert parse_line(line) == command


def test_the_form_of_answers():
    engine = make()
    assert ask(engine, "protocol_version") == "= 2\n\n"
    assert ask(engine, "007 protocol_version # which?") == "=007 2\n\n"
    assert ask(engine, "clear_board") == "= \n\n"
    assert ask(engine, "no_such_thing") == "? unknown command\n\n"
    assert ask(engine, "5 no_such_thing") == "?5 unknown command\n\n"
    assert ask(engine, "5") == "?5 unknown command\n\n"
    assert ask(engine, "   ") == ""
    assert ask(engine, "Name") == "? unknown command\n\n"  # commands are case sensitive


def test_long_lines():
    long = "8 name " + " " * LONGEST_LINE
    assert ask(make(), long) == f"?8 the line is longer than {LONGEST_LINE} bytes\n\n"
    assert ask(make(), long[:LONGEST_LINE]) == "=8 zerolab\n\n"


@pytest.mark.parametrize(
    "line",
    ["play", "play black", "play black a1a2 now", "genmove", "boardsize", "quit now", "undo 2"],
)
def test_wrong_numbers_of_arguments(line):
    engine = make()
    assert ask(engine, line) == "? syntax error\n\n"
    assert not engine.has_quit


# Administration


def test_names():
    engine = make(player="mcts:20")
    assert result(engine, "name") == "zerolab"
    assert result(engine, "version").endswith("(mcts:20)")


def test_commands_are_those_that_apply():
    go, clobber = make(Go(5, 5), "mcts:5"), make()
    for engine in (go, clobber):
        listed = result(engine, "list_commands").split("\n")
        assert len(listed) == len(set(listed))
        assert all(result(engine, f"known_command {name}") == "true" for name in listed)
    required = "protocol_version name version known_command list_commands quit boardsize "
    required += "clear_board komi play genmove undo"
    assert set(required.split()) <= set(result(go, "list_commands").split("\n"))
    for name in ("komi", "final_score", "fixed_handicap", "lz-analyze"):
        assert result(go, f"known_command {name}") == "true"
        assert result(clobber, f"known_command {name}") == "false"


def test_quit():
    engine = make()
    assert result(engine, "quit") == ""
    assert engine.has_quit


def test_a_player_for_another_game():
    with pytest.raises(UsageError, match="UCI engines play normal Clobber"):
        make(Go(5, 5), "uci:fairy-stockfish@1nodes")


# Playing


@pytest.mark.parametrize("game", ALL_GAMES, ids=label)
def test_whole_games(game):
    """In all games: the engine plays both colours, and another one follows."""
    engine, follower = make(game, "random"), make(game, "random")
    position = Position.start(game)
    if "random" in game:
        return  # a follower has another start
    for _ in range(40):
        if position.is_over:
            break
        legal = result(engine, f"all_legal {position.turn}")
        assert legal.lower() == " ".join(position.legal_moves)
        move = result(engine, f"genmove {position.turn}")
        assert result(follower, f"play {position.turn[0].upper()} {move.swapcase()}") == ""
        position = position.play(move.lower())
    for each in (engine, follower):
        assert each._game.position == position
        board = result(each, "showboard")
        assert "\n\n" not in board
        assert board.isascii()
    if position.is_over and not isinstance(game, Go):
        assert ask(engine, f"genmove {position.turn}") == "? the game is over\n\n"


def test_it_plays_as_its_player_does():
    engine, player, rng = make(Clobber(4, 4), "mcts:50"), make_player("mcts:50"), stream(0)
    position = Clobber(4, 4).start()
    while not position.is_over:
        after = position.after(player.choose(position, rng))
        assert result(engine, f"genmove {position.turn}") == after.moves[-1]
        position = after


def test_the_moves_of_each_game():
    assert result(make(Go(9, 9)), "genmove b") == "A9"
    assert result(make(Go(1, 1)), "genmove b") == "pass"
    assert result(make(Clobber(5, 5)), "genmove b") == "a5a4"
    assert result(make(ConnectFour()), "genmove b") == "a"
    assert re.fullmatch("[a-h][1-8]", result(make(Othello(8, 8)), "genmove b"))


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("play black a1a1", "illegal move: 'a1a1' is not a move: a1 is not a neighbour of a1"),
        ("play black a3a2 ", ""),
        ("play white a3a2", "illegal move: it is black's turn"),
        ("play black a2a1", "illegal move: a2a1 is not legal here"),
        ("play green a1b1", "syntax error: 'green' is not a colour"),
        ("genmove white", "it is black's turn"),
        ("boardsize 27", "unacceptable size: "),
        ("boardsize x", "syntax error: 'x' is not a whole number"),
        ("undo", "cannot undo"),
        ("time_settings 1 2 -3", "syntax error: '-3' is not a whole number"),
        ("time_left b 1e9 0", "syntax error: '1e9' is not a time in seconds"),
        ("loadsgf nowhere.sgf", "cannot load file: there is no file 'nowhere.sgf'"),
    ],
)
def test_errors_change_nothing(line, error):
    engine = make(Clobber(3, 4))
    before = engine._game.position
    answer = ask(engine, line)
    if error:
        assert answer.startswith(f"? {error}")
        assert answer.count("\n") == 2
        assert engine._game.position == before
    else:
        assert answer == "= \n\n"


def test_boards():
    engine = make()
    result(engine, "boardsize 4")
    assert engine._game.game == Clobber(4, 4)
    result(engine, "rectangular_boardsize 6 2")
    assert engine._game.game == Clobber(2, 6)
    result(engine, "play b a2b2")
    result(engine, "clear_board")
    assert engine._game.position == Clobber(2, 6).start()


def test_undo():
    engine = make()
    result(engine, "genmove b")
    result(engine, "genmove w")
    assert result(engine, "undo") == result(engine, "undo") == ""
    assert engine._game.position == GAME.start()


def test_reg_genmove_plays_nothing_and_repeats_itself():
    engine = make(Clobber(4, 4), "random")
    assert len({result(engine, "reg_genmove b") for _ in range(5)}) == 1
    assert engine._game.position == Clobber(4, 4).start()


def test_showboard():
    engine = make(Go(3, 9))
    result(engine, "play b J1")
    result(engine, "play w A3")
    assert result(engine, "showboard") == (
        "\n  3 O . . . . . . . .\n  2 . . . . . . . . .\n  1 . . . . . . . . X"
        "\n    A B C D E F G H J\nblack to move"
    )
    engine = make(Clobber(1, 2))
    result(engine, "genmove b")
    assert result(engine, "showboard").endswith("a b\nthe game is over: black wins")


# Go


@pytest.mark.parametrize(
    ("komi", "half_komi"), [("6.5", 13), ("0", 0), ("7", 14), ("+05.50", 11), ("3.", 6)]
)
def test_komi(komi, half_komi):
    engine = make(Go(5, 5))
    result(engine, "play b c3")
    result(engine, f"komi {komi}")
    assert engine._game.game == Go(5, 5, half_komi)
    assert engine._game.position.moves == ("c3",)


def test_get_komi():
    assert result(make(Go(5, 5, half_komi=13)), "get_komi") == "6.5"


@pytest.mark.parametrize("komi", ["-1", "nan", "inf", "6.25", "6.05", "1e3", "9" * 30, ""])
def test_impossible_komi(komi):
    engine = make(Go(5, 5))
    assert ask(engine, f"komi {komi}").startswith("? ")
    assert engine._game.game == Go(5, 5)


def test_handicaps():
    engine = make(Go(9, 9))
    assert result(engine, "fixed_handicap 2") == "C3 G7"
    assert ask(engine, "fixed_handicap 2") == "? the board is not empty\n\n"
    result(engine, "undo")
    assert len(result(engine, "place_free_handicap 50").split()) == 9
    result(engine, "clear_board")
    assert ask(engine, "set_free_handicap a1") == "? syntax error\n\n"
    assert result(engine, "set_free_handicap A1 J9") == ""
    assert engine._game.position.turn == "white"
    engine = make(Go(5, 5))
    assert ask(engine, "fixed_handicap 2").startswith("? 2 handicap stones have no place")


def test_final_score_and_status():
    engine = make(Go(5, 5))
    for move in ("a1", "b1", "e5"):
        result(engine, f"play b {move}")
    assert result(engine, "final_score") == "B+17.5"
    assert result(engine, "final_status_list alive") == "E5\nA1 B1"
    assert result(engine, "final_status_list dead") == ""
    assert ask(engine, "final_status_list asleep").startswith("? syntax error")


# Files


def test_records(tmp_path):
    engine = make(Go(5, 5))
    for colour, move in [("b", "a1"), ("w", "b2"), ("b", "c3")]:
        result(engine, f"play {colour} {move}")
    text = result(engine, "printsgf")
    assert "\n\n" not in text
    path = tmp_path / "game.sgf"
    path.write_text(text)
    other = make(Go(9, 9))
    assert result(other, f"loadsgf {path}") == ""
    assert other._game.position == engine._game.position
    assert result(other, f"loadsgf {path} 3") == ""
    assert other._game.position.moves == ("a1", "b2")
    assert result(other, f"loadsgf {path} 0") == ""
    assert other._game.position.moves == ()
    assert result(other, "genmove b") == "A5"


@pytest.mark.parametrize("text", ["", "no game", "(;GM[3]SZ[8])", "(;SZ[5];B[aa];B[zz])", "(;SZ[2"])
def test_records_that_cannot_be_used(tmp_path, text):
    engine = make(Go(5, 5))
    path = tmp_path / "game.sgf"
    path.write_text(text)
    assert ask(engine, f"loadsgf {path}").startswith("? cannot load file: ")
    assert ask(engine, f"loadsgf {tmp_path}").startswith("? cannot load file: ")
    assert ask(engine, f"loadsgf {'x' * 5000}").startswith("? cannot load file: ")
    assert engine._game.position == Go(5, 5).start()


def test_records_of_another_game(tmp_path):
    path = tmp_path / "game.sgf"
    path.write_text(result(make(Clobber(3, 3)), "printsgf"))
    answer = ask(make(Go(5, 5)), f"loadsgf {path}")
    assert answer.startswith("? cannot load file: it is a game of clobber 3x3")


# Time


@pytest.fixture(name="budgets")
def _budgets(monkeypatch):
    """The budgets that searches get; their time does not pass."""
    asked = []

    def begin(player, position, rng, budget=None):
        asked.append(budget)
        return make_search(player, position, rng)

    make_search = gtp_engine.BudgetedPlayer.begin
    monkeypatch.setattr(gtp_engine.BudgetedPlayer, "begin", begin)
    monkeypatch.setattr(gtp_engine.time, "monotonic", lambda: 0.0)
    return asked


def test_the_clock_is_obeyed(budgets):
    engine = make(Go(9, 9), "mcts:5")  # 81 cells: 31 moves of Black are expected
    result(engine, "genmove b")
    result(engine, "time_settings 31 0 0")
    result(engine, "genmove w")
    result(engine, "time_left b 290 0")
    ask(engine, "kata-genmove_analyze b 1")
    result(engine, "time_left w 10 2")
    result(engine, "genmove w")
    result(engine, "time_settings 0 1 0")
    result(engine, "genmove b")
    assert budgets[0] is budgets[4] is None
    seconds = [budget.seconds for budget in budgets[1:4]]
    assert seconds == pytest.approx([31 / 30 - 0.03, 10 - 0.03, 5 - 0.03], rel=0.04)


def test_time_that_is_used_is_gone(budgets, monkeypatch):
    now = iter([0.0, 15.5, 20.0, 20.0])
    monkeypatch.setattr(gtp_engine.time, "monotonic", lambda: next(now))
    engine = make(Go(9, 9), "first")
    result(engine, "time_settings 31 0 0")
    result(engine, "genmove b")
    result(engine, "genmove b")
    assert budgets[0].seconds == pytest.approx(1 - 0.03)
    assert budgets[1].seconds == pytest.approx(0.5 - 0.03, rel=0.04)


# Analysis


def lines_of(engine, command, count):
    """So many lines of an analysis, and those that follow when it is interrupted."""
    seen = []
    for line in engine.answer(command, lambda: len(seen) >= count):
        seen.append(line)
    return seen


@pytest.mark.parametrize("command", ["lz-analyze 1", "kata-analyze b interval 1"])
def test_an_analysis_lasts_until_it_is_interrupted(command):
    engine = make(Go(9, 9), "mcts:5")
    first, *reports, last = lines_of(engine, f"3 {command}", 3)
    assert (first, last) == ("=3", "")
    assert len(reports) >= 3
    for report in reports:
        nothing, *moves = report.split("info move ")
        assert nothing == ""
        for order, each in enumerate(moves):
            assert re.match(r"([A-J][1-9]|pass) visits \d+ .* pv ", each)
            assert f" order {order} pv {each.split()[0]}" in each
    visits = [sum(map(int, re.findall(r"visits (\d+)", report))) for report in reports]
    assert visits[0] < visits[-1]
    assert engine._game.position == Go(9, 9).start()


def test_an_analysis_ends_by_itself_when_all_is_known():
    first, *reports, last = lines_of(make(Clobber(2, 3), "mcts:5"), "lz-analyze", 10**9)
    assert (first, last) == ("=", "")
    assert re.match(r"info move [abc][12][abc][12] visits \d+ winrate (10000|0) ", reports[-1])


def test_moves_with_analysis():
    engine = make(Clobber(4, 4), "mcts:50")
    first, *reports, move, last = engine.answer("9 lz-genmove_analyze b 1", lambda: True)
    assert (first, last) == ("=9", "")
    assert reports[-1].startswith(f"info move {move.removeprefix('play ')} visits ")
    assert engine._game.position.moves == (move.removeprefix("play "),)


def test_analyses_that_are_not_possible():
    engine = make(Clobber(1, 2), "mcts:5")
    assert ask(engine, "lz-analyze w") == "? it is black's turn\n\n"
    assert ask(engine, "lz-analyze avoid b a1b1 1").startswith("? syntax error")
    result(engine, "play b a1b1")
    assert ask(engine, "lz-analyze") == "? the game is over\n\n"


# Anything at all

WORDS = st.sampled_from(
    [
        *("play", "genmove", "undo", "boardsize", "rectangular_boardsize", "clear_board", "komi"),
        *("get_komi", "fixed_handicap", "place_free_handicap", "set_free_handicap", "final_score"),
        *("final_status_list", "showboard", "loadsgf", "printsgf", "time_settings", "time_left"),
        *("reg_genmove", "all_legal", "known_command", "list_commands", "name", "version"),
        *("b", "w", "black", "WHITE", "a1", "D4", "pass", "a1a2", "b2b1", "resign", "alive", "#"),
        *("0", "1", "2", "3", "5", "-1", "7.5", "99999999999999999999", "nan", "/dev/zero", ".."),
    ]
)
LINES = st.one_of(
    st.lists(WORDS, max_size=5).map(" ".join),
    st.text(max_size=30),
    st.binary(max_size=30).map(lambda data: data.decode("utf-8", "replace")),
)


@pytest.mark.parametrize("game", [Go(3, 3), Clobber(3, 3), Othello(4, 4)], ids=label)
@settings(max_examples=150)
@given(lines=st.lists(LINES, max_size=25))
def test_nothing_ends_it(game, lines):
    engine = make(game, "first")
    for line in lines:
        # Boards stay small here: the point is the protocol, not time.
        command = parse_line(line)
        if command is None:
            assert ask(engine, line) == ""
            continue
        answer = ask(engine, line)
        assert re.match(rf"[=?]{command.number} ", answer)
        assert answer.endswith("\n\n")
        assert "\n\n" not in answer[:-2]
    assert num_actions(engine._game.game) > 0
    assert ask(engine, "1 name") == "=1 zerolab\n\n"
