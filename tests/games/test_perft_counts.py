"""Known numbers of lines of play, kept in tests/perft: 'NAME SIZE: leaves at depth 1, 2, ...'."""

from pathlib import Path

import pytest

from tests.games.sizes import label
from tests.games.twins import start_text, twin_of
from zerolab.games import perft_counts as perft_module
from zerolab.games.base import Game
from zerolab.games.boards.stones import initial_state
from zerolab.games.catalogue import make_game
from zerolab.games.clobber import CANNIBAL, IMPARTIAL, Clobber
from zerolab.games.go import Go
from zerolab.games.graph_clobber import GraphClobber
from zerolab.games.perft_counts import perft
from zerolab.games.solitaire import Solitaire
from zerolab.kernels.rng import stream

KNOWN = [
    line
    for path in sorted((Path(__file__).parent.parent / "perft").glob("*.txt"))
    for line in path.read_text().splitlines()
    if not line.startswith("#")
]


def test_there_are_known_counts() -> None:
    assert {line.split()[0] for line in KNOWN} == {
        "clobber",
        "connect-four",
        "go",
        "othello",
        "tic-tac-toe",
    }


@pytest.mark.parametrize("line", KNOWN, ids=lambda line: line.partition(":")[0])
def test_known_counts(line: str) -> None:
    title, _, counts = line.partition(":")
    game = make_game(*title.split())
    state = initial_state(game, stream(1))
    expected = [int(count) for count in counts.split()]
    assert [perft(game, state, depth) for depth in range(1, len(expected) + 1)] == expected


def twin_leaves(game: Game, moves: tuple[str, ...], depth: int) -> int:
    """Leaves below a line of play, by the slow twin, which starts afresh for each."""
    twin = twin_of(game, start_text(game))
    for move in moves:
        twin.play(move)
    legal = twin.legal()
    if depth == 1:
        return len(legal)
    return sum(twin_leaves(game, (*moves, move), depth - 1) for move in legal)


@pytest.mark.parametrize(
    "game",
    [
        Clobber(2, 3, CANNIBAL),
        Clobber(2, 3, IMPARTIAL),
        Clobber(9, 8),
        Solitaire(3, 3),
        Solitaire(3, 3, alternate=False),
        GraphClobber(),
        Go(2, 2),
        Go(2, 3, history=1),
    ],
    ids=label,
)
def test_the_slow_twin_counts_the_same(game: Game) -> None:
    depths = (1, 2) if len(start_text(game)) > 64 else (1, 2, 3)
    counts = [perft(game, initial_state(game, stream(1)), depth) for depth in depths]
    assert counts == [twin_leaves(game, (), depth) for depth in depths]


def test_counting_leaves_the_state_alone() -> None:
    state = initial_state(Clobber(3, 3), stream(1))
    before = state.tolist()
    perft(Clobber(3, 3), state, 3)
    assert state.tolist() == before


def test_at_depth_zero_the_position_itself_is_the_leaf(monkeypatch: pytest.MonkeyPatch) -> None:
    # In plain Python, where an index out of bounds is an error and not a wild write.
    plain = getattr(perft_module._count_leaves, "py_func", perft_module._count_leaves)
    monkeypatch.setattr(perft_module, "_count_leaves", plain)
    assert perft(Clobber(2, 3), initial_state(Clobber(2, 3), stream(1)), 0) == 1
