"""The weights by which the solver orders moves (outlook.py), learnt from solved positions.

Positions come from random games on several boards, once they have few moves left, and the solver
says who wins. The features of a position are, for each stone of its large component, its owner and
its numbers of friendly and enemy neighbours, and the height of the value of all small components.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zerolab.games.base import step
from zerolab.games.boards.stones import initial_state
from zerolab.games.clobber import Clobber
from zerolab.games.notation import legal_list
from zerolab.kernels.bits import as_int
from zerolab.kernels.rng import random_below, stream
from zerolab.solver.clobber.outlook import PER_HEIGHT, WEIGHTS
from zerolab.solver.clobber.sum_positions import (
    BLACK,
    PART_COUNT,
    SMALL_VALUE,
    TO_MOVE,
    WHITE,
    WIDTH,
)
from zerolab.solver.clobber.sum_solver import SumSolver
from zerolab.solver.values.store import HEIGHT
from zerolab.studies.report import Report

BOARDS = ((4, 6), (5, 5), (3, 9), (2, 14), (4, 7), (5, 6))
FULL = 20_000  # positions of each board
MOST_MOVES = 16
ONE_IN = 3  # positions of a game, of which one is taken, so that they are less alike
MEMORY = 2**30
PENALTY = 1e-4  # on squared weights
KINDS = [(friends, foes) for friends in range(5) for foes in range(5 - friends) if friends + foes]
OWNERS = ("to move", "opponent")

Floats = npt.NDArray[np.float64]


class Sample(NamedTuple):
    """Solved positions; K kinds of stones."""

    counts: Floats  # [n, 2 K + 1], stones to move, stones of the opponent, height
    won: Floats  # [n], 1 or 0 for the player to move


def learn(size: int | None, seed: int, on_progress: Callable[[float, float], None]) -> Report:
    """Learn weights from `size` positions of each board, and compare them with those in use."""
    wanted = FULL if size is None else size
    samples = [Sample(np.zeros((0, 2 * len(KINDS) + 1)), np.zeros(0))]
    with suppress(KeyboardInterrupt):
        for number, (rows, cols) in enumerate(BOARDS):
            on_progress(number, len(BOARDS))
            samples.append(draw(Clobber(rows, cols), wanted, seed + number))
        on_progress(len(BOARDS), len(BOARDS))
    sample = Sample(*(np.concatenate(field) for field in zip(*samples, strict=True)))
    return _report(sample, boards=len(samples) - 1)


def draw(game: Clobber, wanted: int, seed: int) -> Sample:
    """Solved positions of random games with one large component, perhaps with small ones."""
    rng, solver = stream(seed), SumSolver(game, MEMORY, threads=1)
    counts: list[list[int]] = []
    won: list[bool] = []
    while len(won) < wanted:
        state = initial_state(game, rng)
        while (actions := legal_list(game, state)) and len(won) < wanted:
            if len(actions) <= MOST_MOVES and random_below(rng, ONE_IN) == 0:
                value = solver.value(state)
                level, part = solver.worker.stack.levels[0], solver.worker.stack.parts[0, 0]
                if level[PART_COUNT] == 1:
                    own, other = (BLACK, WHITE) if level[TO_MOVE] == 0 else (WHITE, BLACK)
                    height = int(solver.worker.values.facts[level[SMALL_VALUE], HEIGHT])
                    component = as_int(part[own]), as_int(part[other]), as_int(part[WIDTH])
                    heights = height if level[TO_MOVE] == 0 else -height
                    counts.append([*count_stones(*component), heights])
                    won.append(value == 1)
            step(game, state, actions[random_below(rng, len(actions))])
    return Sample(np.array(counts, np.float64), np.array(won, np.float64))


def count_stones(own: int, other: int, width: int) -> list[int]:
    """The number of stones of each kind, own ones first."""
    cells = [
        {divmod(cell, width) for cell in range(64) if stones >> cell & 1} for stones in (own, other)
    ]
    counts = dict.fromkeys([(owner, kind) for owner in range(2) for kind in KINDS], 0)
    for owner in range(2):
        for row, col in cells[owner]:
            near = {(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)}
            counts[owner, (len(near & cells[owner]), len(near & cells[1 - owner]))] += 1
    return list(counts.values())


def fit(sample: Sample) -> tuple[Floats, float]:
    """Weights [2 K + 1] by logistic regression, and the share of winners they predict."""
    from scipy.optimize import minimize

    inputs = np.column_stack([sample.counts, np.ones(len(sample.won))])
    signs = 2 * sample.won - 1

    def loss(weights: Floats) -> tuple[float, Floats]:
        margins = signs * (inputs @ weights)
        penalised = np.append(weights[:-1], 0.0)
        slope = -(signs / (1 + np.exp(margins))) @ inputs / len(signs) + 2 * PENALTY * penalised
        return np.logaddexp(0, -margins).mean() + PENALTY * penalised @ penalised, slope

    found = minimize(loss, np.zeros(inputs.shape[1]), jac=True, method="L-BFGS-B").x
    return found[:-1], float(np.mean((inputs @ found > 0) == (signs > 0)))


def _report(sample: Sample, boards: int) -> Report:
    rows: list[tuple[str, ...]] = []
    values: list[dict[str, Any]] = []
    title = "How stones look for the player to move: weights, in hundredths"
    headings = ("stone of", "friends", "foes", "found", "used")
    if boards == 0:
        verdict = "stopped before the first board was done"
        return Report(title, headings, rows, values, verdict, is_complete=False)
    weights, right = fit(sample)
    found = np.rint(100 * weights).astype(int)
    for i, (owner, (friends, foes)) in enumerate((o, k) for o in range(2) for k in KINDS):
        used = int(WEIGHTS[owner, friends, foes])
        rows.append((OWNERS[owner], str(friends), str(foes), f"{found[i]:+d}", f"{used:+d}"))
        keys = {"owner": OWNERS[owner], "friends": friends, "foes": foes}
        values.append({**keys, "found": int(found[i]), "used": used})
    rows.append(("value of small components", "", "", f"{found[-1]:+d}", f"{PER_HEIGHT:+d}"))
    values.append({"owner": "height", "found": int(found[-1]), "used": PER_HEIGHT})
    verdict = f"they tell who wins in {right:.1%} of {len(sample.won):,} positions"
    if boards < len(BOARDS):
        verdict += f"; stopped after {boards} of {len(BOARDS)} boards"
    return Report(title, headings, rows, values, verdict, is_complete=boards == len(BOARDS))
