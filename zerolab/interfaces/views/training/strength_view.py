"""The strength of a trained network, in tables."""

from zerolab.evaluation.matches.ladder import LevelResult
from zerolab.evaluation.perfect.exhaustive import Walks
from zerolab.experiments.judging import ExamResult
from zerolab.interfaces.views.output import Output


def show_ladders(out: Output, ladders: dict[str, list[LevelResult]]) -> None:
    """A table, if there is anything to show."""
    rows = [
        (
            *(name, str(level.level), f"{level.simulations:,}", f"{level.score.wins:,}"),
            *(f"{level.score.draws:,}", f"{level.score.losses:,}", f"{level.score.mean:+.2f}"),
        )
        for name, levels in ladders.items()
        for level in levels
    ]
    if rows:
        out.table(
            "The ladder: UCT with proofs and no exact leaves, half of the games with each colour",
            ("player", "level", "simulations", "won", "drawn", "lost", "score"),
            rows,
            "score: mean result, from -1 to +1",
        )


def show_exams(out: Output, exams: dict[str, ExamResult]) -> None:
    """A table, if there is anything to show."""
    if not exams:
        return
    network = next(iter(exams.values())).perfect
    moves, values = network.network_keeps, network.network_value_accuracy
    rows = [
        (
            name,
            f"{result.perfect.keeps.keeps:.1%} ± {result.perfect.keeps.error:.1%}",
            f"{result.perfect.value_accuracy.right:.1%}",
            _mistakes_in_words(result.walks),
        )
        for name, result in exams.items()
    ]
    alone = f"{moves.keeps:.1%} ± {moves.error:.1%}", f"{values.right:.1%}"
    rows.append(("network alone", *alone, ""))
    headings = ["player", "wins kept", "values right", "mistakes in all games it can get into"]
    columns = 4 if any(result.walks is not None for result in exams.values()) else 3
    out.table(
        f"Perfect play: {moves.positions} positions with a move that wins and one that does not",
        headings[:columns],
        [row[:columns] for row in rows],
        f"values: their sign in {values.positions} positions, half of them won",
    )


def _mistakes_in_words(walks: Walks | None) -> str:
    if walks is None:
        return ""
    positions = walks.first.positions + walks.second.positions
    mistakes = len(walks.first.mistakes) + len(walks.second.mistakes)
    return f"{mistakes} in {positions:,} positions"
