"""What a study reports: the paper's number beside ours, and whether they agree."""

from typing import NamedTuple

from zerolab.evaluation.statistics import z_score

AGREES_WITHIN = 3.0  # standard errors; by chance alone one cell in 370 lies outside


class Cell(NamedTuple):
    """One number of a paper's table, and ours."""

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


class Report(NamedTuple):
    """All cells of a table that were run."""

    title: str
    columns: tuple[str, ...]
    cells: list[Cell]
    expected_cells: int

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
