"""Games a second of learning online on one core: ours, and the same learner written with PyTorch.

The peer plays by the same compiled rules and draws the same numbers. It scores the boards after all
moves in one batch and learns one board at a time, as the algorithm requires, with modules and
autograd.
"""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from zerolab.benchmarks.measuring import measure
from zerolab.games.base import (
    BLACK,
    NO_ACTION,
    Actions,
    Game,
    State,
    copy_state,
    legal_actions,
    random_action,
    step,
)
from zerolab.games.boards.stones import EMPTY, initial_state, stone_at
from zerolab.games.catalogue import describe
from zerolab.games.clobber import Clobber
from zerolab.games.notation import num_actions
from zerolab.kernels.compiling import kernel, lean
from zerolab.kernels.rng import Stream, stream
from zerolab.networks.machine import one_thread
from zerolab.networks.mlp.mlp import Floats, Mlp
from zerolab.networks.mlp.torch_mlp import TorchMlp
from zerolab.search.playouts import value_for
from zerolab.training.online_learning import OnlineConfig, train_online

SETTINGS: tuple[tuple[Game, OnlineConfig], ...] = (
    (Clobber(4, 4), OnlineConfig(hidden=(20,), alpha=2e-5, target=10.0)),
    (Clobber(4, 5), OnlineConfig(hidden=(100,), alpha=2e-6, target=500.0)),
    (Clobber(6, 6), OnlineConfig(hidden=(100,), alpha=2e-7, target=1000.0)),
)
SEED = 1


class OnlineSpeed(NamedTuple):
    """Games a second, played and learnt."""

    name: str
    ours: float
    peer: float

    @property
    def ratio(self) -> float:
        """Ours to the peer's."""
        return self.ours / self.peer


def bench_online(seconds: float, on_progress: Callable[[int, int], None]) -> list[OnlineSpeed]:
    """`seconds` for each contestant on each board."""
    speeds = []
    with one_thread():
        for index, (game, config) in enumerate(SETTINGS):
            contestants: dict[str, Callable[[int], Any]] = {
                "ours": functools.partial(_ours, game, config),
                "peer": functools.partial(_peer, game, config),
            }
            name = f"{describe(game)}, {'+'.join(map(str, config.hidden))} nodes"
            speeds.append(OnlineSpeed(name, **measure(contestants, seconds)))
            on_progress(index + 1, len(SETTINGS))
    return speeds


def _ours(game: Game, config: OnlineConfig, games: int) -> None:
    train_online(game, config, games, SEED)


def _peer(game: Game, config: OnlineConfig, games: int) -> None:
    train_with_torch(game, config, games, SEED, train_online(game, config, 0, SEED))


def train_with_torch(
    game: Game, config: OnlineConfig, games: int, seed: int, start: Mlp
) -> TorchMlp:
    """Train a copy of a network in PyTorch, by the same games as `train_online`."""
    network, record = TorchMlp(start), lean(game)
    actions = np.empty(num_actions(game), np.int64)
    after = np.empty((num_actions(game), game.rows * game.cols))
    for number in range(games):
        rng = stream(seed, number)
        state, boards = initial_state(game, rng), []
        scratch = state.copy()
        while count := _boards_after(record, state, actions, scratch, after):
            best = int(network.scores(after[:count]).argmax())
            boards.append(after[best].copy())
            _play(record, state, actions, int(actions[best]), rng)
        target = config.target * value_for(game, state, BLACK)
        alpha = config.alpha
        for board in boards:
            network.learn(board, target, alpha)
            alpha *= 1 + config.tau
    return network


@kernel
def _boards_after(game: Game, state: State, actions: Actions, after: State, boards: Floats) -> int:
    """Write what Black sees after each of its moves; return how many there are."""
    count = legal_actions(game, state, actions)
    for i in range(count):
        copy_state(state, after)
        step(game, after, actions[i])
        for cell in range(boards.shape[1]):
            stone = stone_at(game, after, cell)
            boards[i, cell] = 0.0 if stone == EMPTY else 1.0 - 2.0 * stone
    return count


@kernel
def _play(game: Game, state: State, actions: Actions, action: int, rng: Stream) -> None:
    """Play Black's move, and a random one of White's if there is any; if not, the game is over."""
    step(game, state, action)
    reply = random_action(game, state, actions, rng)
    if reply != NO_ACTION:
        step(game, state, reply)
