"""Positions to learn from, drawn from a dataset.

To rebuild one position takes a hundred moves, so a *chunk* of games is replayed once, several
positions of each are taken, and these are shuffled. A pass deals all games into chunks, in a new
order each time, so that every game is used equally often. What is in a chunk depends on the seed
and its number alone: a run that is resumed sees the batches that it would have seen.
"""

import functools
from concurrent.futures import Future
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerolab.errors import UsageError
from zerolab.games.base import WHITE, Game, State, States, copy_state, step
from zerolab.games.boards.stones import initial_state, state_words
from zerolab.games.notation import num_actions
from zerolab.kernels.compiling import kernel, lean
from zerolab.kernels.rng import Stream, random_below, seed_stream, stream
from zerolab.records.cores import Cores
from zerolab.records.dataset import Dataset
from zerolab.records.samples import Samples

PER_GAME = 8
CHUNK_GAMES = 2048
_Ints = npt.NDArray[np.int64]
_PASS, _CHUNK, _VALIDATION = range(3)  # what a seed is used for: each has numbers of its own


class Positions(NamedTuple):
    """Positions, with the move that was played in each."""

    states: States  # [n, words]
    moves: npt.NDArray[np.uint16]  # [n]
    results: npt.NDArray[np.int8]  # [n], for Black

    def samples(self, rows: _Ints, actions: int) -> Samples:
        """Rows of them, to learn the move that was played and the result for who played it."""
        states = self.states[rows]
        policy = np.zeros((len(rows), actions), np.float32)
        policy[np.arange(len(rows)), self.moves[rows]] = 1.0
        is_white = (states[:, 0] & np.uint64(1)) == WHITE
        value = np.where(is_white, -self.results[rows], self.results[rows]).astype(np.float32)
        return Samples(states, policy, value, np.ones(len(rows), np.float32))


class Sampler:
    """Batches of a dataset by number, from its training games.

    While one chunk is used, threads prepare the next.
    """

    def __init__(
        self,
        dataset: Dataset,
        seed: int,
        per_game: int = PER_GAME,
        chunk_games: int = CHUNK_GAMES,
        threads: int | None = None,
    ) -> None:
        self.dataset = dataset
        self.seed = seed
        self.per_game = per_game
        """Positions of a game in each pass; shorter games give all that they have."""
        self.games = dataset.games_for(validation=False)
        if len(self.games) == 0:
            raise UsageError(f"{dataset.path} has no games to learn from")
        self.chunks = max(1, round(len(self.games) / chunk_games))
        """Of each pass; their sizes differ by at most one game."""
        self.positions = int(_count_taken(dataset, self.games, per_game).sum())
        """Of each pass."""
        self._bounds = len(self.games) * np.arange(self.chunks + 1) // self.chunks
        self._deal = functools.lru_cache(maxsize=2)(self._deal_anew)
        self._cores = Cores(threads)
        self._prepared: dict[int, _Chunk] = {}

    def batch(self, number: int, size: int) -> Samples:
        """Batch number 0, 1, 2, ... of that size; the same whatever was asked before."""
        parts = []
        place, missing = number * size, size
        while missing:
            chunk, first = self._find(place)
            positions, order = self._chunk(chunk)
            rows = order[first : first + missing]
            parts.append(positions.samples(rows, num_actions(self.dataset.game)))
            place, missing = place + len(rows), missing - len(rows)
        return Samples(*(np.concatenate(each) for each in zip(*parts, strict=True)))

    def _find(self, place: int) -> tuple[int, int]:
        """The chunk that holds a place of the endless sequence of positions, and where in it."""
        turn, place = divmod(place, self.positions)
        begins = self._deal(turn).begins
        chunk = int(np.searchsorted(begins, place, "right")) - 1
        return turn * self.chunks + chunk, place - int(begins[chunk])

    def _chunk(self, number: int) -> tuple[Positions, _Ints]:
        """The positions of a chunk and their order; begins to prepare the next."""
        kept = {each: self._prepared.get(each) for each in (number, number + 1)}
        self._prepared = {each: chunk or self._begin(each) for each, chunk in kept.items()}
        return self._prepared[number].wait()

    def _begin(self, number: int) -> "_Chunk":
        turn, place = divmod(number, self.chunks)
        games = self._deal(turn).games[self._bounds[place] : self._bounds[place + 1]]
        draw = np.random.default_rng([self.seed, _CHUNK, number])
        return _begin_chunk(self.dataset, games, self.per_game, draw, self._cores)

    def _deal_anew(self, turn: int) -> "_Dealt":
        games = np.random.default_rng([self.seed, _PASS, turn]).permutation(self.games)
        ends = np.cumsum(_count_taken(self.dataset, games, self.per_game))
        return _Dealt(games, np.concatenate([[0], ends])[self._bounds[:-1]])


def validation_positions(dataset: Dataset, count: int, seed: int = 0) -> Samples:
    """Positions of validation games, always the same, from as many games as possible.

    There are fewer than `count` if all games together have fewer.
    """
    games = dataset.games_for(validation=True)
    available = min(count, int(_count_taken(dataset, games, count).sum()))
    per_game = 1
    while _count_taken(dataset, games, per_game).sum() < available:
        per_game += 1
    draw = np.random.default_rng([seed, _VALIDATION])
    positions, order = _begin_chunk(dataset, games, per_game, draw, Cores()).wait()
    return positions.samples(order[:count], num_actions(dataset.game))


class _Dealt(NamedTuple):
    """The order of games in a pass, and at which of its positions each chunk begins."""

    games: _Ints
    begins: _Ints  # [chunks]


class _Chunk(NamedTuple):
    """Positions that threads are writing."""

    positions: Positions
    order: _Ints
    writing: "list[Future[None]]"

    def wait(self) -> tuple[Positions, _Ints]:
        """The positions, when all are there, and their order."""
        for future in self.writing:
            future.result()
        return self.positions, self.order


def _count_taken(dataset: Dataset, games: _Ints, per_game: int) -> _Ints:
    """How many positions are taken of each game."""
    lengths: _Ints = dataset.offsets[games + 1] - dataset.offsets[games]
    return np.minimum(lengths, per_game)


def _begin_chunk(
    dataset: Dataset, games: _Ints, per_game: int, draw: np.random.Generator, cores: Cores
) -> _Chunk:
    """Begin to replay games, to take positions of each."""
    game = dataset.game
    taken = _count_taken(dataset, games, per_game)
    rows = np.concatenate([[0], np.cumsum(taken)])
    positions = Positions(
        np.empty((rows[-1], state_words(game)), np.uint64),
        np.empty(rows[-1], np.uint16),
        np.repeat(dataset.results[games], taken),
    )
    start = initial_state(game, stream(0))
    seeds = draw.integers(2**64, size=len(games), dtype=np.uint64)

    def work(share: int, part: slice) -> None:
        take_positions(
            *(lean(game), start, dataset.moves, dataset.offsets, games[part]),
            *(rows[part.start : part.stop + 1], seeds[part], start.copy(), np.empty(1, np.uint64)),
            *(positions.states, positions.moves),
        )

    return _Chunk(positions, draw.permutation(rows[-1]), cores.begin(len(games), work))


@kernel
def take_positions(
    game: Game,
    start: State,
    moves: npt.NDArray[np.uint16],
    offsets: _Ints,
    games: _Ints,
    rows: _Ints,
    seeds: npt.NDArray[np.uint64],
    state: State,
    rng: Stream,
    states: States,
    played: npt.NDArray[np.uint16],
) -> None:
    """Replay games and write random positions of each, with the moves played, to its rows.

    Selection sampling: any set of positions is equally likely (Knuth, The Art of Computer
    Programming, 3.4.2, algorithm S).
    """
    for i in range(games.shape[0]):
        seed_stream(rng, seeds[i], 0)
        copy_state(start, state)
        place, end = offsets[games[i]], offsets[games[i] + 1]
        row = rows[i]
        while row < rows[i + 1]:
            if random_below(rng, end - place) < rows[i + 1] - row:
                copy_state(state, states[row])
                played[row] = moves[place]
                row += 1
            step(game, state, int(moves[place]))
            place += 1
