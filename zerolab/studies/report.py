"""What a study reports: the paper's number beside ours, and what to make of it."""

from typing import Any, NamedTuple, Protocol

from zerolab.evaluation.statistics import z_score

AGREES_WITHIN = 3.0  # standard errors; by chance alone one cell in 370 lies outside


class Report(Protocol):
    """A table that was run again."""

    @property
    def title(self) -> str:
        """What the table is about."""

    @property
    def headings(self) -> tuple[str, ...]:
        """Of the columns."""

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """As text."""

    @property
    def verdict(self) -> str:
        """What to make of it, in a sentence."""

    @property
    def values(self) -> list[dict[str, Any]]:
        """The rows for programs."""

    @property
    def is_complete(self) -> bool:
        """Whether no row is missing."""

    @property
    def reproduced(self) -> bool | None:
        """Whether the paper's finding holds here; None where there is no paper."""


class Cell(NamedTuple):
    """Games won in a paper's table, and ours."""

    setting: tuple[str, ...]
    paper_wins: int
    paper_games: int
    wins: float
    games: int

    @property
    def difference(self) -> float:
        """Ours less the paper's, in standard errors of the difference."""
        return z_score(self.wins, self.games, self.paper_wins, self.paper_games)

    @property
    def agrees(self) -> bool:
        """Whether chance alone explains the difference."""
        return abs(self.difference) <= AGREES_WITHIN


class WinReport(NamedTuple):
    """A table of games won."""

    title: str
    columns: tuple[str, ...]
    cells: list[Cell]
    expected_cells: int

    @property
    def headings(self) -> tuple[str, ...]:
        """The columns of the setting, then the comparison."""
        return (*self.columns, "paper", "ours", "standard errors", "verdict")

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """A row for each cell."""
        return [
            (
                *cell.setting,
                f"{cell.paper_wins / cell.paper_games:.2%}",
                f"{cell.wins / cell.games:.2%}",
                f"{cell.difference:+.1f}",
                "agrees" if cell.agrees else "differs",
            )
            for cell in self.cells
        ]

    @property
    def verdict(self) -> str:
        """How many cells agree."""
        words = f"{self.agreeing} of {self.expected_cells} agree within 3 standard errors"
        if not self.is_complete:
            words += f"; stopped after {len(self.cells)} cells"
        return f"{words}; {self.cells[0].games:,} games a cell" if self.cells else words

    @property
    def values(self) -> list[dict[str, Any]]:
        """The cells for programs."""
        return [
            {
                **dict(zip(self.columns, cell.setting, strict=True)),
                "paper": cell.paper_wins / cell.paper_games,
                "ours": cell.wins / cell.games,
                "games": cell.games,
                "standard_errors": cell.difference,
                "agrees": cell.agrees,
            }
            for cell in self.cells
        ]

    @property
    def is_complete(self) -> bool:
        """Whether no cell is missing."""
        return len(self.cells) == self.expected_cells

    @property
    def agreeing(self) -> int:
        """How many cells agree."""
        return sum(cell.agrees for cell in self.cells)

    @property
    def reproduced(self) -> bool:
        """Whether the whole table agrees."""
        return self.is_complete and self.agreeing == self.expected_cells
