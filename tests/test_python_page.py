"""docs/python.md: its examples run, one after the other, and what they assert holds."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import zerolab as zl
from tests.documentation import ROOT
from zerolab import api
from zerolab.errors import UsageError

PAGE = ROOT / "docs" / "python.md"


def test_the_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert len(blocks) == 6
    names: dict[str, object] = {}
    for block in blocks:
        exec(block, names)
    run = zl.load("runs/demo")
    assert run.config["max_simulations"] == 8
    assert [line["step"] for line in run.log] == [1, 2]
    assert [path.name for path in run.plot()] == ["plots.png", "plots.svg"]
    longer = zl.train(
        *("clobber 3x3", "runs/demo"),
        **{"steps": 3, "max_simulations": 8, "nn_width": 8, "nn_depth": 1},
        **{"replay_buffer_size": 64, "train_batch_size": 16, "actors": 0, "evaluators": 0},
    )
    assert longer.curves()["step"].tolist() == [1, 2, 3]


def test_nothing_heavy_is_imported_before_it_is_needed() -> None:
    """By the import nothing at all; by positions and players no PyTorch or Matplotlib."""
    code = """
import sys
import zerolab as zl
assert not {"numpy", "numba", "torch"} & set(sys.modules)
zl.Clobber(2, 2).start().legal_moves
zl.player("random").choose(zl.Clobber(2, 2).start())
assert not {"torch", "matplotlib", "onnxruntime"} & set(sys.modules), sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_all_that_is_offered_is_there() -> None:
    assert set(zl.__all__) <= set(dir(zl))
    for name in zl.__all__:
        assert getattr(zl, name) is getattr(api, name)
    with pytest.raises(AttributeError, match="has no attribute 'chess'"):
        _ = zl.chess


def test_games_and_positions_by_name() -> None:
    assert zl.game("clobber 4x5 variant=cannibal") == zl.game("clobber", "4x5", variant="cannibal")
    assert zl.game("clobber", "2x2", start="xo|.x").start().text == "xo|.x"
    assert zl.game("tic-tac-toe").start().text == "...|...|..."
    position = zl.position("clobber", "xo.|.ox", first="white")
    assert (position.turn, position.game) == ("white", zl.Clobber(2, 3))
    assert zl.position("clobber 2x3", "xo.|.ox") == zl.position(zl.Clobber(2, 3), "xo.|.ox")


def test_a_position_of_one_row_is_a_board_of_one_row() -> None:
    row = zl.position("clobber", "xxo.x")
    assert (row.game, row.text, row.legal_moves) == (zl.Clobber(1, 5), "xxo.x", ("b1c1",))
    assert zl.solve(zl.position("clobber", "xo", first="white")).winner == "white"
    assert zl.position("connect-four", "xo..").game == zl.ConnectFour(1, 4)
    assert zl.game("clobber", start="xo").start().text == "xo"
    ring = zl.position("graph-clobber", "xoxoxo")  # its boards have no rows
    assert ring.text == "xoxoxo"
    for board, text, words in (
        ("clobber", "", "1x0 is not possible"),
        ("clobber", "x", "1x1 is not possible"),
        ("clobber", "xq", "'q' in row 'xq' is not a cell"),
        ("clobber 2x2", "xo", "'xo' has 1 rows, expected 2"),
    ):
        with pytest.raises(UsageError, match=words):
            zl.position(board, text)


def test_solutions_name_the_winner_whoever_moves() -> None:
    lone = zl.position("clobber", "xo|..")
    assert zl.solve(lone).winner == "black"
    assert (zl.solve(lone).value, zl.solve(lone).line) == (1, ("a2b2",))
    other = zl.position("clobber", "xo|..", first="white")
    assert zl.solve(other).winner == "white"
    assert zl.solve(zl.game("tic-tac-toe").start()).winner is None
    assert zl.value(lone) == zl.value("xo|..")


def test_an_analysis_shows_itself_in_a_notebook() -> None:
    analysis = zl.player("mcts:50").analyze(zl.Clobber(2, 3).start())
    html = analysis._repr_html_()
    assert "<svg" in html
    assert f"<td>{analysis.moves[0].move}</td>" in html
    assert sum(move.visits for move in analysis.moves) <= analysis.simulations
    assert repr(zl.player("random")) == "<player random>"


def test_what_is_not_there_is_said() -> None:
    with pytest.raises(UsageError, match="holds no run"):
        zl.load("nowhere")
    with pytest.raises(UsageError, match="is not a player"):
        zl.player("chess")
    with pytest.raises(UsageError, match="exact leaves are for clobber"):
        zl.player("mcts:9,exact=5").choose(zl.Othello(4, 4).start())
