"""Positions with exact answers, to examine players with.

They come from random games, one from each, after a random number of moves, so that all
stages of the game occur. They form two sets:

- critical positions, in which a move keeps the value and another gives it away: here play is
  tested (in games without draws all of them are won);
- balanced positions, as many won as lost ones: here values are tested.

A position that the solver cannot solve within its budget is left out. Such positions are hard, so
a set for which many were left out is easier than the game; `skipped` counts them.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerolab.evaluation.perfect.judge import Judge, keeping_moves
from zerolab.games.base import NO_ACTION, Game, random_action
from zerolab.games.boards.canonical import make_forms, make_key
from zerolab.games.boards.stones import initial_state
from zerolab.games.notation import num_actions
from zerolab.games.position import Position
from zerolab.kernels.rng import Stream, random_below, stream
from zerolab.search.playouts import mean_length

FIRST_PLY = 2  # earlier positions are few, and expensive to solve
MAX_GAMES = 20  # for each position wanted; small boards do not hold many different ones
STAGES = ("early", "middle", "late")
MEASURED = 1000  # random games, to know how long a stage is


class ExactPositions(NamedTuple):
    """n positions with their exact values and the moves that keep them."""

    positions: tuple[Position, ...]
    """With the moves that led to them."""
    keeps: npt.NDArray[np.bool_]  # [n, A], the moves that keep the value
    values: npt.NDArray[np.int64]  # [n], for the player to move: 1 won, 0 drawn, -1 lost
    plies: npt.NDArray[np.int64]  # [n], moves played before; in Clobber also stones taken
    stages: npt.NDArray[np.int64]  # [n], index into STAGES: thirds of the mean random game
    games: int
    """Number of random games that positions were taken from."""
    skipped: int
    """Number of positions that took the solver too long."""

    @property
    def states(self) -> npt.NDArray[np.uint64]:
        """[n, words]."""
        words = [position.words for position in self.positions]
        return np.array(words, np.uint64).reshape(len(words), -1 if words else 0)


CriticalPositions = ExactPositions  # no value is -1


class Exam(NamedTuple):
    """Both sets, drawn together."""

    critical: CriticalPositions
    balanced: ExactPositions


class _Answer(NamedTuple):
    """A position as it was drawn."""

    position: Position
    ply: int
    values: dict[int, int]  # of its moves

    @property
    def value(self) -> int:
        return max(self.values.values())

    @property
    def is_critical(self) -> bool:
        return min(self.values.values()) < self.value


def draw_exam(
    game: Game,
    critical: int,
    balanced: int,
    seed: int = 0,
    on_progress: Callable[[int], None] = lambda found: None,
    judge: Judge | None = None,
    first_ply: int = FIRST_PLY,
    max_skipped: int | None = None,
) -> Exam:
    """Draw both sets, at most of these sizes; smaller where random games have too few positions.

    All positions of a set are different, also by symmetry. `on_progress` gets the number of
    positions found for both sets together. A `judge` may be shared between exams of one game. No
    position is taken before `first_ply`. Drawing ends early when the judge has skipped
    `max_skipped` positions.
    """
    judge = judge or Judge(game)
    forms = make_forms(game, turned=True, swapped=False)
    seen: set[bytes] = set()
    tests: list[_Answer] = []
    results: dict[int, list[_Answer]] = {1: [], -1: []}
    half = balanced // 2
    games, skipped, found = 0, 0, 0
    while found < critical + 2 * half and games < MAX_GAMES * (critical + 2 * half):
        if skipped == max_skipped:
            break
        rng = stream(seed, games)
        line = random_game(game, rng)
        games += 1
        if len(line) <= first_ply:
            continue
        ply = first_ply + int(random_below(rng, len(line) - first_ply))
        make_key(game, forms, line[ply].words)
        if (key := forms.key[0].tobytes()) in seen:
            continue
        seen.add(key)
        values = judge.move_values(line[ply].words)
        if values is None:
            skipped += 1
            continue
        answer = _Answer(line[ply], ply, values)
        if answer.is_critical and len(tests) < critical:
            tests.append(answer)
        if answer.value != 0 and len(results[answer.value]) < half:
            results[answer.value].append(answer)
        found = len(tests) + len(results[1]) + len(results[-1])
        on_progress(found)
    pairs = zip(results[1], results[-1], strict=False)  # as many of each
    return Exam(
        _record(game, tests, games, skipped),
        _record(game, [answer for pair in pairs for answer in pair], games, skipped),
    )


def stages_at(game: Game, plies: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The stages, as indices into STAGES, after `plies` moves."""
    third = mean_length(game, MEASURED) / len(STAGES)
    stages: npt.NDArray[np.int64] = (plies / max(third, 1e-9)).astype(np.int64)
    return np.minimum(stages, len(STAGES) - 1)


def random_game(game: Game, rng: Stream) -> list[Position]:
    """The positions of a random game in which there was a move."""
    position = Position(game, initial_state(game, rng))
    scratch = np.empty(num_actions(game), np.int64)
    line = []
    while (action := int(random_action(game, position.words, scratch, rng))) != NO_ACTION:
        line.append(position)
        position = position.after(action)
    return line


def _record(game: Game, answers: list[_Answer], games: int, skipped: int) -> ExactPositions:
    keeps = np.zeros((len(answers), num_actions(game)), np.bool_)
    for row, answer in enumerate(answers):
        keeps[row, keeping_moves(answer.values)] = True
    plies = np.array([answer.ply for answer in answers], np.int64)
    return ExactPositions(
        positions=tuple(answer.position for answer in answers),
        keeps=keeps,
        values=np.array([answer.value for answer in answers], np.int64),
        plies=plies,
        stages=stages_at(game, plies),
        games=games,
        skipped=skipped,
    )
