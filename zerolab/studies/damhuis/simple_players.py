"""damhuis: Random, Pick First and Monte Carlo on chequered Clobber boards (Tables 5.1 to 5.3).

L. Damhuis, "Using the Rectified Linear Unit activation function in Neural Networks for Clobber",
bachelor thesis, Leiden University, 2018. Black moves first and owns the top-left square; a board
"4x5" has 4 rows. The thesis does not say which colour Monte Carlo has: its numbers are
reproduced with Black, but not with White (docs/papers/damhuis.md).
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from zerolab.evaluation.matches.series import play_series
from zerolab.games.clobber import Clobber
from zerolab.games.notation import parse_size
from zerolab.studies.report import Cell, Report, compare_wins

Progress = Callable[[int, int], None]

SIZES_5_1 = ("4x4", "4x5", "5x5", "6x6", "7x7", "8x8", "9x9", "10x10")
BLACK_WINS_5_1 = {
    ("random", "random"): (51367, 56330, 54522, 50578, 52149, 50435, 51021, 50424),
    ("first", "random"): (34261, 50797, 47136, 33656, 32842, 27911, 26960, 24276),
    ("random", "first"): (47431, 61634, 68520, 66460, 71389, 72019, 75398, 75901),
    ("first", "first"): (0, 100_000, 0, 0, 100_000, 0, 100_000, 100_000),
}

SIZES_5_2 = ("4x4", "4x5", "6x6", "8x8")
PLAYOUTS_5_2 = (5, 10, 20, 50)
WINS_5_2 = (
    (915, 957, 969, 987),
    (916, 948, 958, 979),
    (904, 935, 947, 967),
    (878, 914, 944, 969),
)
WINS_5_3 = (
    (972, 973, 992, 999),
    (979, 984, 987, 988),
    (965, 987, 987, 994),
    (971, 981, 993, 997),
)


class Pairing(NamedTuple):
    """A cell of a table before it is run."""

    black: str
    white: str
    size: str
    paper_wins: int


def table_5_1(games: int | None, seed: int, on_progress: Progress) -> Report:
    """Random and Pick First against each other; `games` a cell, or the paper's own number."""
    pairings = [
        Pairing(black, white, size, wins)
        for (black, white), row in BLACK_WINS_5_1.items()
        for size, wins in zip(SIZES_5_1, row, strict=True)
    ]
    title = "Random and Pick First on different board sizes: games won by Black"
    return _run(title, pairings, 100_000, games, seed, on_progress)


def table_5_2(games: int | None, seed: int, on_progress: Progress) -> Report:
    """Monte Carlo against Random."""
    title = "Monte Carlo (Black) against Random: games won by Monte Carlo"
    return _run(title, list(_monte_carlo("random", WINS_5_2)), 1000, games, seed, on_progress)


def table_5_3(games: int | None, seed: int, on_progress: Progress) -> Report:
    """Monte Carlo against Pick First."""
    title = "Monte Carlo (Black) against Pick First: games won by Monte Carlo"
    return _run(title, list(_monte_carlo("first", WINS_5_3)), 1000, games, seed, on_progress)


def _monte_carlo(opponent: str, wins: tuple[tuple[int, ...], ...]) -> Iterator[Pairing]:
    for size, row in zip(SIZES_5_2, wins, strict=True):
        for playouts, paper_wins in zip(PLAYOUTS_5_2, row, strict=True):
            yield Pairing(f"mc:{playouts}", opponent, size, paper_wins)


def _run(
    title: str,
    pairings: list[Pairing],
    paper_games: int,
    games: int | None,
    seed: int,
    on_progress: Progress,
) -> Report:
    """Play every pairing; an interrupt ends the report with the cells that are complete."""
    games = games or paper_games
    cells: list[Cell] = []
    for index, (black, white, size, paper_wins) in enumerate(pairings):
        rows, cols = parse_size(size)

        def report_progress(so_far: int, done: int = index * games) -> None:
            on_progress(done + so_far, games * len(pairings))

        result = play_series(
            *(Clobber(rows, cols), (black, white), games, seed + index),
            on_progress=report_progress,
        ).result
        if result.games < games:
            break
        setting = (black, white, size)
        cells.append(Cell(setting, paper_wins, paper_games, result.black_wins, games))
    return compare_wins(title, ("black", "white", "board"), cells, len(pairings))
