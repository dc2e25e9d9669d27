"""Positions of packed games a second on all cores, beside a replay in plain Python.

The peer does what a straightforward program does: it replays the same games with the rules as plain
Python, takes as many positions of each, and encodes and turns them one by one.
"""

import functools
import itertools
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from zerolab.benchmarks.measuring import measure
from zerolab.encodings.views import planes_of
from zerolab.games.base import (
    BLACK,
    NO_ACTION,
    Actions,
    Game,
    State,
    max_plies,
    random_action,
    step,
)
from zerolab.games.boards.stones import initial_state
from zerolab.games.boards.symmetry import symmetries, turn_planes, turn_policy
from zerolab.games.catalogue import describe
from zerolab.games.go import Go
from zerolab.games.gobang import Gobang
from zerolab.games.notation import num_actions
from zerolab.games.othello import Othello
from zerolab.games.position import Position
from zerolab.kernels.compiling import kernel, lean
from zerolab.kernels.rng import Stream, stream
from zerolab.records.batches import BatchMaker
from zerolab.records.dataset import Dataset
from zerolab.records.packing import pack
from zerolab.records.recorded_game import RecordedGame
from zerolab.records.sampling import PER_GAME, Sampler
from zerolab.search.playouts import value_for

CONTESTS: tuple[tuple[Game, str], ...] = (
    (Gobang(15, 15), "own"),
    (Othello(8, 8), "own"),
    (Go(19, 19), "golois"),
)
"""Games and encodings."""
GAMES = 4096
BATCH = 512
STATES, PLANES, TURNED = "states", "planes", "planes and symmetries"
SEED = 1


class RecordsSpeed(NamedTuple):
    """Positions a second."""

    game: str
    what: str
    ours: float
    peer: float

    @property
    def ratio(self) -> float:
        """Ours to the peer's."""
        return self.ours / self.peer


def bench_records(seconds: float, on_progress: Callable[[int, int], None]) -> list[RecordsSpeed]:
    """`seconds` for each contestant on each game."""
    speeds = []
    for number, (game, encoding) in enumerate(CONTESTS):
        with tempfile.TemporaryDirectory() as directory:
            dataset = pack(random_games(game, GAMES), game, Path(directory, "games"), share=0.0)
            for what in (STATES, PLANES, TURNED):
                contestants: dict[str, Callable[[int], None]] = {
                    "ours": take_batches(dataset, encoding, what),
                    "peer": functools.partial(replay_plainly, dataset, encoding, what),
                }
                rates = measure(contestants, seconds)
                ours = BATCH * rates["ours"]
                speeds.append(RecordsSpeed(describe(game), what, ours, rates["peer"]))
        on_progress(number + 1, len(CONTESTS))
    return speeds


def take_batches(dataset: Dataset, encoding: str, what: str) -> Callable[[int], None]:
    """A function that takes a number of batches, each time those that follow."""
    sampler = Sampler(dataset, SEED)
    maker = BatchMaker.on_all_cores(dataset.game, encoding, with_legal=False)
    draw = np.random.default_rng(SEED) if what == TURNED else None
    numbers = itertools.count()

    def take(batches: int) -> None:
        for number in itertools.islice(numbers, batches):
            samples = sampler.batch(number, BATCH)
            if what != STATES:
                maker.make(samples, draw)

    return take


def replay_plainly(dataset: Dataset, encoding: str, what: str, count: int) -> None:
    """The peer: take a number of positions."""
    draw = np.random.default_rng(SEED)
    game, ways = dataset.game, symmetries(dataset.game)
    for state, move in itertools.islice(_positions(dataset, draw), count):
        policy = np.zeros(num_actions(game), np.float32)
        policy[move] = 1.0
        if what == STATES:
            continue
        planes = planes_of(game, state, encoding)
        if what == TURNED:
            way = ways[draw.integers(len(ways))]
            turn_planes(planes, way), turn_policy(policy, way)


def _positions(dataset: Dataset, draw: np.random.Generator) -> Iterator[tuple[State, int]]:
    """Positions of all games, again and again, and the moves played."""
    for number in itertools.cycle(range(dataset.header.games)):
        moves = dataset.moves[dataset.offsets[number] : dataset.offsets[number + 1]].tolist()
        taken = set(draw.permutation(len(moves))[:PER_GAME].tolist())
        state = Position.start(dataset.game).state
        for ply, move in enumerate(moves):
            if ply in taken:
                yield state.copy(), move
            step(dataset.game, state, move)


def random_games(game: Game, count: int) -> Iterator[RecordedGame]:
    """Random games to their end."""
    moves = np.empty(max_plies(game), np.int64)
    scratch = np.empty(num_actions(game), np.int64)
    for number in range(count):
        rng = stream(SEED, number)
        state = initial_state(game, rng)
        plies = int(_play(lean(game), state, scratch, rng, moves))
        result = float(value_for(lean(game), state, BLACK))
        yield RecordedGame(game, tuple(moves[:plies].tolist()), result)


@kernel
def _play(game: Game, state: State, scratch: Actions, rng: Stream, moves: Actions) -> int:
    """Play a random game to its end; write its moves and return how many there are."""
    plies = 0
    while True:
        action = random_action(game, state, scratch, rng)
        if action == NO_ACTION:
            return plies
        moves[plies] = action
        step(game, state, action)
        plies += 1
