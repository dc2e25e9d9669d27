"""The memory and the disk that a run needs, by arithmetic from the sizes of what it keeps."""

import sys
from typing import NamedTuple

from zerolab.experiments.prediction import Costs, Done, Prediction
from zerolab.games.base import Game
from zerolab.games.boards.stones import board_words, state_words
from zerolab.games.notation import num_actions
from zerolab.search.batched.batched_search import SearchConfig
from zerolab.training.settings.loops import SelfPlayConfig
from zerolab.training.settings.staged_config import StagedConfig
from zerolab.training.shares import count_shares

FLOAT, WORD = 4, 8
NODE_BYTES, EDGE_BYTES = 3 * 4 + 3 * 8, 7 * 4  # of search/batched/tree.py, besides the state
SAVED = 3  # copies of each weight in a checkpoint: itself, two moments of Adam
COPIES = 4  # of each weight while it is learnt: itself, its gradient, two moments of Adam
LINE_BYTES, EPOCH_BYTES, BATCH_BYTES = 4500, 110, 3  # of the log: a line, and what makes it longer


class Sizes(NamedTuple):
    """Bytes of what is not known from settings alone."""

    weights: int
    """Of the network."""
    model: int
    """The network in the form that players use."""
    branching: float
    """Legal moves of a position."""
    process: int = 0
    """This process, with all libraries and compiled code; 0 where that cannot be told."""
    worker: int = 0
    """One that plays or judges."""


class Disk(NamedTuple):
    """Bytes on disk when the run has ended."""

    checkpoint: float
    samples: float
    """Of the replay buffer or the window, in segments."""
    networks: float
    model: float
    log: float
    per_step: float
    """What a step adds, as long as nothing is dropped; most of it is the samples."""

    @property
    def total(self) -> float:
        """All files."""
        return sum(self[:-1])


def memory_of(game: Game, config: SelfPlayConfig, sizes: Sizes, kept: float) -> dict[str, float]:
    """Bytes at the peak, by what they are for; `kept` samples are in the buffer at the end."""
    sample = state_words(game) * WORD + num_actions(game) * FLOAT + 2 * FLOAT
    workers, judges = 0, 0
    trees = search_bytes(game, config.search, config.batch, sizes.branching)
    copies, players = COPIES, 1
    if isinstance(config, StagedConfig):
        sample *= 2  # while a network learns, all that is kept is there in one piece too
        trees = staged_search_bytes(game, config, config.episodes, sizes.branching)
        if config.arena:
            arena = 2 * staged_search_bytes(game, config, config.arena_games, sizes.branching)
            trees = max(trees, arena)
        copies, players = COPIES + 1, 2  # the best network, and the one that learns
    else:
        workers, judges = config.actors, config.evaluators
        trees *= max(1, workers)
        players = max(1, workers + judges)
    return {
        "replay": kept * sample,
        "network": sizes.weights * copies + sizes.model * players,
        "search": trees,
        "processes": sizes.process + sizes.worker * (workers + judges),
    }


def search_bytes(
    game: Game, config: SearchConfig, batch: int, branching: float, shares: int = 1
) -> float:
    """Trees for `batch` positions at once, as far as they are used, and a cache for each share."""
    node = state_words(game) * WORD + NODE_BYTES + branching * EDGE_BYTES
    entry = (1 + 2 * board_words(game)) * WORD + num_actions(game) * FLOAT + FLOAT + WORD
    return batch * config.max_simulations * node + shares * config.cache_size * entry


def staged_search_bytes(game: Game, config: StagedConfig, games: int, branching: float) -> float:
    """Searches of a stage with this number of games, in shares that have a cache each."""
    shares = count_shares(games, config.batch, config.shares)
    return search_bytes(game, config.search, min(config.batch, games), branching, shares)


def kept_samples(config: SelfPlayConfig, costs: Costs, found: Prediction, done: Done) -> float:
    """How many samples there are at the end of a run."""
    if isinstance(config, StagedConfig):
        states = config.episodes * costs.moves
        window = (*done.window, *[states] * min(found.steps, config.retrain_window))
        return sum(window[-config.retrain_window :])
    return min(config.replay.replay_buffer_size, done.states + found.states)


def disk_of(
    game: Game, config: SelfPlayConfig, sizes: Sizes, found: Prediction, done: Done, kept: float
) -> Disk:
    """What the directory holds at the end."""
    index = 1 if num_actions(game) < 2**8 else 2 if num_actions(game) < 2**16 else 4
    moves = min(sizes.branching, config.search.max_simulations)
    sample = state_words(game) * WORD + index + moves * (index + FLOAT) + 2 * FLOAT
    steps = done.steps + found.steps
    every = config.checkpoint_freq
    networks = steps // every + (1 if steps % every else 0)
    line = LINE_BYTES + BATCH_BYTES * config.batch
    if isinstance(config, StagedConfig):
        line += EPOCH_BYTES * config.epochs
        checkpoint, model = sizes.weights, 0  # an optimizer serves for one iteration
    else:
        checkpoint, model = sizes.weights * SAVED, sizes.model if config.actors else 0
    per_step = found.states / max(1, found.steps) * sample + line + sizes.weights / every
    return Disk(
        *(checkpoint, kept * sample, networks * sizes.weights, model, steps * line), per_step
    )


def peak_memory() -> int:
    """Bytes that this process has used at most so far; 0 where that cannot be told."""
    try:
        import resource
    except ImportError:  # Windows
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak
