"""Games at all stages at once, so that a few seconds of play tell about a whole game."""

from typing import NamedTuple

import numpy as np

from zerolab.games.base import NO_ACTION, Game
from zerolab.games.boards.stones import initial_state
from zerolab.games.notation import num_actions
from zerolab.games.position import Position
from zerolab.kernels.rng import Stream, random_below, stream
from zerolab.records.samples import Samples
from zerolab.search.playouts import mean_length
from zerolab.training.samples.value_targets import TargetConfig, make_samples
from zerolab.training.samples.window import join
from zerolab.training.selfplay.selfplay import GameRecord

RANDOM_GAMES = 2000  # whose length is averaged
BATCHES = 8  # of samples that a learner is given at least


class Staggered(NamedTuple):
    """Positions of random games, the first at the start, the last near the end."""

    positions: list[Position]
    length: float
    """Plies of a random game on average."""

    @property
    def branching(self) -> float:
        """Legal moves of a position on average."""
        return float(np.mean([len(each.legal_actions) for each in self.positions]))


def stagger(game: Game, count: int, seed: int) -> Staggered:
    """Positions at equal distances over a random game."""
    length, rng = mean_length(game, RANDOM_GAMES, seed), stream(seed)
    return Staggered(
        [_at_ply(game, int(number * length / count), rng) for number in range(count)], length
    )


def _at_ply(game: Game, ply: int, rng: Stream) -> Position:
    """A position after that many random moves; before the end, where games are shorter."""
    position = Position(game, initial_state(game, rng))
    for _ in range(ply):
        legal = position.legal_actions
        after = position.after(legal[random_below(rng, len(legal))])
        if after.is_over:
            break
        position = after
    return position


def as_unfinished(position: Position, opening: int = 0) -> GameRecord:
    """The game that led to a position, for self-play to go on with; nothing was searched in it."""
    line = [position]
    while (before := line[-1].previous) is not None:
        line.append(before)
    skipped = min(opening, len(line) - 1)
    line = line[::-1][skipped:]
    rows, size = len(line), num_actions(position.game)
    actions = [*position.actions[skipped:], NO_ACTION]
    return GameRecord(
        np.array([each.words for each in line]),
        np.zeros((rows, size), np.float32),
        np.zeros(rows, np.float32),
        np.zeros(rows, np.bool_),
        np.zeros(rows, np.bool_),
        np.array(actions, np.int64),
        np.zeros(rows, np.float32),
        skipped,
    )


def batches_in(records: list[GameRecord], batch: int, epochs: int) -> float:
    """Batches of a few epochs; with more, a network would know these few games by heart."""
    return epochs * sum(int(record.full.sum()) for record in records) / batch


def samples_of(targets: TargetConfig, records: list[GameRecord], batch: int) -> Samples:
    """What was searched in these games, again and again until there are several batches."""
    samples = join([make_samples(targets, record) for record in records])
    times = -(-BATCHES * batch // max(1, samples.size))
    return join([samples] * times)
