"""The report of a study: the paper's numbers, ours, and the verdict."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from zerolab.evaluation.ratings.intervals import z_score

AGREES_WITHIN = 3.0  # standard errors; by chance alone one cell in 370 lies outside


class HeatMap(NamedTuple):
    """A table for drawing, with rows and columns: shares from 0 to 1, the paper's and ours."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    axes: tuple[str, str]
    """Names of rows and columns."""
    paper: tuple[tuple[float, ...], ...]
    ours: tuple[tuple[float | None, ...], ...]
    """None where it is missing."""
    marks: tuple[tuple[str, ...], ...]
    """A remark on a cell of ours, or nothing."""


class Curve(NamedTuple):
    """A line of a chart, or its points."""

    label: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    errors: tuple[float, ...] = ()
    """Of y, where they are known."""
    is_line: bool = True
    texts: tuple[str, ...] = ()
    """Beside the points."""


class Chart(NamedTuple):
    """Curves over a common axis."""

    title: str
    axes: tuple[str, str]
    """What is on x and on y."""
    curves: tuple[Curve, ...]
    ticks: tuple[str, ...] = ()
    """What x = 0, 1, 2, ... stand for, if they are no numbers."""


class ColourGrid(NamedTuple):
    """A number for each row and column, as colours."""

    title: str
    axes: tuple[str, str]
    """What columns and rows are."""
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]
    """[rows][columns]."""


class Report(NamedTuple):
    """A reproduced table."""

    title: str
    headings: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    """As text."""
    values: list[dict[str, Any]]
    """The rows as records for JSON."""
    verdict: str
    """The verdict, in a sentence."""
    is_complete: bool
    """Whether no row is missing."""
    reproduced: bool | None = None
    """Whether the paper's finding holds here; None where there is no paper."""
    runs: tuple[Path, ...] = ()
    """Training runs whose curves belong to it."""
    heat_map: HeatMap | None = None
    picture: Path | None = None
    """Where to draw that, or the charts."""
    charts: tuple[Chart | ColourGrid, ...] = ()


class Cell(NamedTuple):
    """Games won in a paper's table, and ours."""

    setting: tuple[str, ...]
    paper_wins: int
    paper_games: int
    wins: float
    games: int

    @property
    def difference(self) -> float:
        """Our number minus the paper's, in standard errors of the difference."""
        return z_score(self.wins, self.games, self.paper_wins, self.paper_games)

    @property
    def agrees(self) -> bool:
        """Whether chance alone explains the difference."""
        return abs(self.difference) <= AGREES_WITHIN


def compare_wins(title: str, columns: tuple[str, ...], cells: list[Cell], expected: int) -> Report:
    """A table of games won; `columns` are those of a cell's setting."""
    agreeing = sum(cell.agrees for cell in cells)
    is_complete = len(cells) == expected
    verdict = f"{agreeing} of {expected} agree within 3 standard errors"
    if not is_complete:
        verdict += f"; stopped after {len(cells)} cells"
    if cells:
        verdict += f"; {cells[0].games:,} games a cell"
    rows, values = [], []
    for cell in cells:
        paper, ours = cell.paper_wins / cell.paper_games, cell.wins / cell.games
        numbers = f"{paper:.2%}", f"{ours:.2%}", f"{cell.difference:+.1f}"
        rows.append((*cell.setting, *numbers, "agrees" if cell.agrees else "differs"))
        values.append(
            {
                **dict(zip(columns, cell.setting, strict=True)),
                "paper": paper,
                "ours": ours,
                "games": cell.games,
                "standard_errors": cell.difference,
                "agrees": cell.agrees,
            }
        )
    headings = (*columns, "paper", "ours", "standard errors", "verdict")
    reproduced = is_complete and agreeing == expected
    return Report(title, headings, rows, values, verdict, is_complete, reproduced)
