"""Learning online, as in damhuis (section 4.4): a small network plays Random and learns each game.

The network is Black. After a game every board that it chose is learnt, the first one first, towards
`target` if the game was won and `-target` if it was lost (0 if it was drawn). Playing and learning
are one kernel, which is left between chunks of games.
"""

import time
from collections.abc import Callable
from typing import Annotated, NamedTuple

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from zerolab.errors import UsageError
from zerolab.games.base import (
    BLACK,
    NO_ACTION,
    Actions,
    Game,
    State,
    States,
    copy_state,
    max_plies,
    player_to_move,
    random_action,
    step,
)
from zerolab.games.boards.stones import initial_state, starts_at_random
from zerolab.games.notation import num_actions
from zerolab.kernels.bits import ALL_BITS
from zerolab.kernels.compiling import jitable, kernel, lean
from zerolab.kernels.rng import Stream, seed_stream, stream
from zerolab.networks.mlp.lessons import Lesson, Rates, learn_game, make_lesson, note_board
from zerolab.networks.mlp.mlp import Mlp, Scratch, make_mlp, make_scratch
from zerolab.networks.mlp.move_choice import (
    best_scored,
    cells_of,
    check_size,
    follow,
    look_at,
)
from zerolab.search.playouts import value_for

CHUNK_SECONDS = 0.1
MAX_CHUNK = 50_000
_WEIGHTS_SEED, _START_SEED = 0x3E16875, 0x5EED  # keep their streams apart from those of play

Nodes = Annotated[int, Field(ge=1)]


class OnlineConfig(BaseModel):
    """The settings of online learning, except game, number of games and seed."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    hidden: tuple[Nodes, ...] = (20,)
    """Nodes of each hidden layer (damhuis: one of 20 to 750; two in Tables 5.7 and 5.8)."""
    slope: Annotated[float, Field(ge=0, lt=1)] = 0.0
    """Slope of the activation below zero (damhuis: 0, which is ReLU; leaky ReLU 0.01)."""
    alpha: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 2e-5
    """Learning rate at the first board of a game (damhuis: 2e-12 to 2e-4)."""
    target: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 10.0
    """Target score of a board from a won game (damhuis: 1 to 1000)."""
    tau: Annotated[float, Field(gt=-1, allow_inf_nan=False)] = 0.0
    """Temporal rate: the share by which alpha grows after each board (damhuis: 0; 1e-4 to 0.1)."""


class Buffers(NamedTuple):
    """Work space of playing and learning."""

    state: State  # [words]
    after: State  # [words]
    actions: Actions  # [A]
    rng: Stream
    scratch: Scratch
    lesson: Lesson  # the boards that the network chose


def train_online(
    game: Game,
    config: OnlineConfig,
    games: int,
    seed: int,
    on_progress: Callable[[int, Mlp], None] | None = None,
    start: Mlp | None = None,
) -> Mlp:
    """Train a new network, or a copy of `start`, for a number of games.

    Game number i draws from stream i of the seed: to continue a network, give another seed.
    `on_progress` is called with the number of games played and the network as it is then, a few
    times a second; what it raises ends the training. A network that diverges plays the first legal
    move from then on (mlp.py), and learns no more.
    """
    if games < 0:
        raise UsageError(f"{games} games are not possible; expected 0 or more")
    if start is None:
        mlp = make_mlp(cells_of(game), config.hidden, config.slope, stream(seed ^ _WEIGHTS_SEED))
    else:
        check_size(start, game)
        if (start.hidden, start.slope) != (config.hidden, config.slope):
            raise UsageError(
                f"a network with hidden={start.hidden} and slope={start.slope} cannot be continued "
                f"with hidden={config.hidden} and slope={config.slope}"
            )
        mlp = start.copy()
    rates = Rates(config.alpha, config.target, config.tau)
    buffers = _make_buffers(game, mlp)
    done, size = 0, 1
    while done < games:
        started = time.perf_counter()
        size = min(size, games - done)
        starts = _starts(game, seed, range(done, done + size))
        try:
            _train(lean(game), mlp, rates, starts, size, np.uint64(seed & ALL_BITS), done, buffers)
        finally:  # Ctrl-C during a chunk takes effect after it: its games were learnt
            done += size
            if on_progress is not None:
                on_progress(done, mlp)
        if time.perf_counter() - started < CHUNK_SECONDS / 2:
            size = min(2 * size, MAX_CHUNK)
    return mlp


def _make_buffers(game: Game, mlp: Mlp) -> Buffers:
    state = initial_state(game, stream(0))
    return Buffers(
        *(np.empty_like(state), np.empty_like(state)),
        np.empty(num_actions(game), np.int64),
        stream(0),
        make_scratch(mlp),
        make_lesson(mlp, max_plies(game) + 1, state.shape[0]),
    )


def _starts(game: Game, seed: int, numbers: range) -> States:
    """The starts of games: [1, words] if all are the same, else [games, words]."""
    if not starts_at_random(game):
        return initial_state(game, stream(0))[np.newaxis]
    return np.array([initial_state(game, stream(seed ^ _START_SEED, i)) for i in numbers])


@kernel
def _train(
    game: Game,
    mlp: Mlp,
    rates: Rates,
    starts: States,
    games: int,
    seed: np.uint64,
    first_number: int,
    buffers: Buffers,
) -> None:
    """Play games one after the other and learn after each."""
    state, scratch = buffers.state, buffers.scratch
    for i in range(games):
        copy_state(starts[i % starts.shape[0]], state)
        seed_stream(buffers.rng, seed, first_number + i)
        count = _play(game, mlp, buffers)
        target = rates.target * value_for(game, state, BLACK)
        towards = Rates(rates.alpha, target, rates.tau)
        learn_game(game, mlp, buffers.lesson, count, BLACK, towards, scratch)


@jitable
def _play(game: Game, mlp: Mlp, buffers: Buffers) -> int:
    """One game from the position in `state`, to its end; return how many boards Black chose."""
    state, after, scratch = buffers.state, buffers.after, buffers.scratch
    look_at(game, mlp, state, BLACK, scratch)
    count = 0
    while True:
        is_own = player_to_move(state) == BLACK
        if is_own:
            action = best_scored(mlp, game, state, buffers.actions, after, scratch)
        else:
            action = random_action(game, state, buffers.actions, buffers.rng)
        if action == NO_ACTION:
            return count
        copy_state(state, after)
        step(game, after, action)
        follow(game, mlp, state, after, BLACK, scratch)
        copy_state(after, state)
        if is_own:
            note_board(buffers.lesson, count, state, scratch)
            count += 1
