"""mobile-or-residual: the same number of parameters, in self-play on Clobber 6x6 and 8x8.

cazenave finds that mobile networks beat residual ones of as many parameters when they learn Go from
records. Here both learn from their own games, in two ways: for the same time, which a network that
learns slowly uses for fewer positions, and for the same number of steps, which are as many
positions. The trained networks meet in two tournaments, with equal simulations a move and with
equal time a move.

Runs and games are kept below `runs/mobile-or-residual`; a study that was stopped goes on.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from zerolab.experiments.sweeps.workers import OnProgress
from zerolab.games.catalogue import describe
from zerolab.games.clobber import Clobber
from zerolab.studies.mobile_or_residual.contest_games import budgets_of, play
from zerolab.studies.mobile_or_residual.contest_report import (
    Findings,
    Result,
    Trained,
    report_networks,
    report_results,
)
from zerolab.studies.mobile_or_residual.contest_scales import ContestScale, scale_of
from zerolab.studies.mobile_or_residual.contestants import train_all
from zerolab.studies.mobile_or_residual.network_speeds import speeds_of
from zerolab.studies.report import Report

BOARDS = (Clobber(6, 6), Clobber(8, 8))
DIRECTORY = Path("runs/mobile-or-residual")
TRAINING_SHARE = 0.75  # of the work; the rest is measuring and games
PICTURE = "mobile-or-residual.svg"


def compare(
    scale: str, seed: int, on_progress: OnProgress, boards: Sequence[Clobber] = BOARDS
) -> list[Report]:
    """The table of results, and one about the networks."""
    size = scale_of(scale)
    directory = DIRECTORY / f"{scale}-seed{seed}"
    findings = Findings([], [])
    with suppress(KeyboardInterrupt):
        for number, game in enumerate(boards):

            def told(share: float, before: int = number) -> None:
                on_progress(before + share, len(boards))

            place = directory / describe(game).replace(" ", "-")
            _compete(game, size, seed, place, findings, told)
    return [
        report_results(findings, size, len(boards), directory / PICTURE),
        report_networks(findings, size, len(boards)),
    ]


def _compete(
    game: Clobber,
    scale: ContestScale,
    seed: int,
    directory: Path,
    findings: Findings,
    told: Callable[[float], None],
) -> None:
    """Train, measure and play on one board; what is complete is added to the findings."""
    board = describe(game)
    contestants = train_all(
        *(game, scale, seed, directory), lambda share: told(TRAINING_SHARE * share)
    )
    speeds = speeds_of(game, scale, directory)
    findings.trained.append(Trained(board, contestants, speeds))
    budgets = budgets_of(scale)
    for number, budget in enumerate(budgets):

        def on_played(share: float, before: int = number) -> None:
            done = (before + share) / len(budgets)
            told(TRAINING_SHARE + (1 - TRAINING_SHARE) * done)

        standings = play(game, contestants, budget, scale, seed, directory, on_played)
        findings.results.extend(Result(board, each) for each in standings)
