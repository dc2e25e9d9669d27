"""Better parameters for the networks of damhuis, found automatically: its own future work.

Optuna proposes settings from earlier results (TPE: Bergstra et al., "Algorithms for
Hyper-Parameter Optimization", 2011): nodes, layers, slope, learning rate, target. Proposals
depend on results alone, so a search that was stopped proposes the same settings again and finds
them in its file. It uses fewer games than the thesis; then the best are trained in full, along with
the best of the thesis.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from zerolab.experiments.cells import Job, Record, run_cells
from zerolab.experiments.sweeps.asking import TPE, open_study
from zerolab.experiments.sweeps.objectives import MAXIMIZE
from zerolab.files import make_directory
from zerolab.studies.damhuis.network_reports import describe
from zerolab.studies.damhuis.network_tables import LEAKY, RELU, Network
from zerolab.studies.damhuis.online_networks import (
    DEAD_FROM,
    DIRECTORY,
    OnProgress,
    cost_of,
    train_and_test,
)
from zerolab.studies.report import Report

if TYPE_CHECKING:
    from optuna import Trial

STUDY = "damhuis-search"
AT_ONCE = 4  # proposals made at the same time
# The best that the thesis has after a million games. It has no network for 8x8.
THESIS = {
    "4x4": Network("4x4", (20,), RELU, 2e-5, 150),
    "4x5": Network("4x5", (350,), RELU, 2e-5, 50),
    "6x6": Network("6x6", (100,), LEAKY, 2e-6, 150),
}


class Effort(NamedTuple):
    """The effort of the search."""

    proposals: int
    """A multiple of AT_ONCE."""
    games: int
    """Games of training for each proposal."""
    final_games: int
    """Games of training for the best, and for the thesis's best."""
    finalists: int
    tests: int


FULL = Effort(60, 200_000, 1_000_000, 3, 100_000)


class Tried(NamedTuple):
    """A network and the share of games that it won."""

    network: Network
    score: float
    is_dead: bool


def search(
    boards: Sequence[str],
    size: int | None,
    seed: int,
    results: Path | None,
    on_progress: OnProgress,
) -> list[Report]:
    """For each board, the best networks found, compared with the best of the thesis."""
    effort = FULL if size is None else Effort(8, size, 2 * size, 1, max(1, size // 10))
    path = results or DIRECTORY / f"search-{'full' if size is None else 'quick'}.jsonl"
    make_directory(path.parent)
    reports = []
    for number, board in enumerate(boards):

        def told(done: float, total: float, before: int = number) -> None:
            on_progress(before + done / total, len(boards))

        reports.append(_search(board, effort, seed, path, told))
        if not reports[-1].is_complete:
            break
    return reports


def _search(board: str, effort: Effort, seed: int, path: Path, on_progress: OnProgress) -> Report:
    steps = effort.proposals // AT_ONCE + 1
    optimiser = open_study([MAXIMIZE], TPE, seed)
    tried: list[Tried] = []
    for step in range(steps - 1):

        def told(done: float, total: float, before: int = step) -> None:
            on_progress(before + done / total, steps)

        trials = [optimiser.ask() for _ in range(AT_ONCE)]
        networks = [propose(trial, board, effort.games) for trial in trials]
        found = _try(networks, effort.tests, seed, path, told)
        if found is None:
            return _report(board, tried, [], effort, is_complete=False)
        for trial, each in zip(trials, found, strict=True):
            optimiser.tell(trial, each.score)
        tried += found

    best = sorted(tried, key=lambda each: each.score, reverse=True)[: effort.finalists]
    finalists = [each.network._replace(games=effort.final_games) for each in best]
    known = [THESIS[board]._replace(games=effort.final_games)] if board in THESIS else []
    final = _try(
        *(known + finalists, effort.tests, seed, path),
        lambda done, total: on_progress(steps - 1 + done / total, steps),
    )
    return _report(board, tried, final or [], effort, is_complete=final is not None)


def propose(trial: "Trial", board: str, games: int) -> Network:
    """Optuna's next proposals; numbers are rounded to few digits."""
    nodes = trial.suggest_int("nodes", 20, 320, step=20)
    layers = trial.suggest_int("layers", 1, 2)
    slope = trial.suggest_categorical("slope", [RELU, LEAKY])
    alpha = trial.suggest_float("alpha", 1e-9, 1e-3, log=True)
    target = trial.suggest_float("target", 1.0, 1000.0, log=True)
    hidden = (nodes,) if layers == 1 else (nodes, 20)
    return Network(
        *(board, hidden, float(slope), float(f"{alpha:.1e}"), float(f"{target:.2g}")), games=games
    )


def _try(
    networks: Sequence[Network], tests: int, seed: int, path: Path, on_progress: OnProgress
) -> list[Tried] | None:
    """Train and test, or find in the file; None if it was stopped."""
    cells = run_cells(path, STUDY, [_job(each, tests, seed) for each in networks], on_progress)
    if not cells.is_complete:
        return None
    return [
        Tried(network, record["wins"]["random"] / tests, record["first_moves"] >= DEAD_FROM)
        for network, record in zip(networks, cells.records, strict=True)
        if record is not None
    ]


def _job(network: Network, tests: int, seed: int) -> Job:
    def run(tell: Callable[[float], None]) -> Record:
        return train_and_test(network, {"random": tests}, seed, tell)

    return Job({"network": network._asdict(), "tests": tests, "seed": seed}, cost_of(network), run)


def _report(
    board: str, tried: Sequence[Tried], final: Sequence[Tried], effort: Effort, is_complete: bool
) -> Report:
    rows, values = [], []
    for place, each in enumerate(final):
        whose = "thesis" if board in THESIS and place == 0 else "found"
        rows.append((whose, describe(each.network), f"{each.score:.1%}"))
        values.append({"whose": whose, "network": each.network._asdict(), "score": each.score})
    dead = sum(each.is_dead for each in tried)
    text = f"{len(tried)} settings tried with {effort.games:,} games each, {dead} died"
    if len(final) > 1 and board in THESIS:
        gain = max(each.score for each in final[1:]) - final[0].score
        text += f"; the best found wins {gain:+.1%} of the games more than the thesis's"
    return Report(
        f"{board}: parameters found, {effort.final_games:,} games of training",
        ("whose", "network", "wins against Random"),
        rows,
        values,
        text,
        is_complete,
    )
