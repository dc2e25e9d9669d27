"""docs/adding-a-game.md: its code is examples/snort.py, and Snort is a game like any other.

A test for a game of your own looks like this one: the laws on several sizes, boards of more than 64
cells among them, and a slow, obvious twin.
"""

import json
import re
from collections.abc import Callable

import pytest

from tests.documentation import ROOT
from tests.games import laws
from zerolab.games.base import Game
from zerolab.games.boards.stones import initial_state
from zerolab.games.catalogue import make_game
from zerolab.games.perft_counts import perft
from zerolab.interfaces.cli import main
from zerolab.kernels.rng import stream

RULES = ROOT / "examples" / "snort.py"
LAWS = [function for name, function in sorted(vars(laws).items()) if name.startswith("law_")]


def snort(size: str) -> Game:
    return make_game(str(RULES), size)


def test_page_shows_the_file() -> None:
    page = (ROOT / "docs" / "adding-a-game.md").read_text("utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert [block for block in blocks if "class Snort" in block] == [RULES.read_text("utf-8")]


def test_there_are_nine_laws() -> None:
    assert len(LAWS) == 9


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("size", ["1x1", "3x3", "4x5", "9x8"])
def test_laws(law: Callable[[Game], None], size: str) -> None:
    law(snort(size))


@pytest.mark.parametrize("size", ["1x1", "1x4", "2x3", "3x3"])
def test_perft_agrees_with_twin(size: str) -> None:
    game = snort(size)
    state = initial_state(game, stream(0))
    for depth in range(1, game.rows * game.cols + 2):
        assert perft(game, state, depth) == count_lines({}, "x", game.rows, game.cols, depth)


def count_lines(stones: dict[complex, str], player: str, rows: int, cols: int, depth: int) -> int:
    """Perft on a dictionary from cells, column + row * 1j, to stones: slow and obvious."""
    if depth == 0:
        return 1
    other = "o" if player == "x" else "x"
    total = 0
    for cell in (col + row * 1j for row in range(rows) for col in range(cols)):
        neighbours = (stones.get(cell + way) for way in (1, -1, 1j, -1j))
        if cell not in stones and other not in neighbours:
            total += count_lines({**stones, cell: player}, other, rows, cols, depth - 1)
    return total


def test_match(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--size", "5x5", "--black", "mc:20", "--white", "random", "--games", "50"]
    main(["match", str(RULES), *options, "--json"])
    result = json.loads(capsys.readouterr().out)
    assert result["game"] == "snort 5x5"
    assert result["black_wins"] + result["white_wins"] == result["games"] == 50
    assert result["black_wins"] > 40
    assert result["mean_plies"] <= 25


def test_play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    typed = iter(["b2", "a1", "a2"])
    monkeypatch.setattr("builtins.input", lambda: next(typed))
    main(["play", str(RULES), "--size", "2x2", "--white", "human", "--json"])
    result = json.loads(capsys.readouterr().out)
    # Black takes b2; a1 lies across, so White may, and leaves no cell that touches no stone.
    assert (result["moves"], result["result"]) == (["b2", "a1"], "white wins")


@pytest.mark.parametrize("size", ["0x3", "3x27"])
def test_impossible_boards(size: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exited:
        main(["perft", str(RULES), "--size", size])
    assert exited.value.code == 2
    assert f"a board of {size} is not possible" in capsys.readouterr().err
