"""Many games between two compiled players, over all cores, reproducible from one seed.

Game number i draws its randomness from stream i of the seed. So the result does not depend on the
number of cores or on how the games are distributed over them. Games of other players follow the
same rule (series.py).
"""

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerolab.evaluation.players.players import (
    Buffers,
    Choice,
    CompiledPlayer,
    choose_action,
    make_buffers,
)
from zerolab.evaluation.players.protocol import PlayerError, check_player
from zerolab.evaluation.ratings.intervals import Interval, interval_of
from zerolab.games.base import (
    BLACK,
    NO_ACTION,
    Game,
    State,
    States,
    copy_state,
    num_players,
    player_to_move,
    step,
)
from zerolab.games.boards.stones import initial_state, starts_at_random
from zerolab.games.playing.score import Score
from zerolab.kernels.bits import ALL_BITS
from zerolab.kernels.compiling import kernel, lean
from zerolab.kernels.rng import Stream, seed_stream, stream
from zerolab.search.playouts import value_for

CHUNK_SECONDS = 0.1
MAX_CHUNK = 10_000
_START_SEED = 0x5EED  # keeps the streams that draw starting positions apart from those of play


class MatchResult(NamedTuple):
    """The result of a match."""

    score: Score = Score()
    """Wins, draws and losses of Black."""
    plies: int = 0
    unplayed: int = 0
    """Games in which an engine failed; they do not count as games."""

    def __add__(self, other: object) -> "MatchResult":
        """Both together."""
        if not isinstance(other, MatchResult):
            return NotImplemented
        return MatchResult(
            self.score + other.score, self.plies + other.plies, self.unplayed + other.unplayed
        )

    @property
    def games(self) -> int:
        """Number of finished games."""
        return self.score.games

    @property
    def black_wins(self) -> int:
        """Games that Black won."""
        return self.score.wins

    @property
    def white_wins(self) -> int:
        """Games that White won."""
        return self.score.losses

    @property
    def draws(self) -> int:
        """Drawn games."""
        return self.score.draws

    @property
    def mean_plies(self) -> float:
        """Average length of a game."""
        return self.plies / max(1, self.games)

    @property
    def black_score(self) -> float:
        """Black's wins and half its draws, as a share of the games."""
        return self.score.share or 0.0

    @property
    def interval(self) -> Interval:
        """95 % interval of Black's score."""
        return interval_of(self.score)


def play_match(
    game: Game,
    black: CompiledPlayer,
    white: CompiledPlayer,
    games: int,
    seed: int = 0,
    workers: int | None = None,
    on_progress: Callable[[MatchResult], None] | None = None,
) -> MatchResult:
    """Play games with fixed colours; Ctrl-C ends the match with the games played so far.

    `on_progress` is called from this thread with the result so far, a few times a second.
    """
    if num_players(game) != 2:
        raise PlayerError("a match needs a two-player game")
    for player in (black, white):
        check_player(player, game)
    cores = workers or os.cpu_count() or 1
    dealer = _Dealer(games)
    with ThreadPoolExecutor(cores) as pool:
        running = {pool.submit(_play_share, game, black, white, seed, dealer) for _ in range(cores)}
        try:
            while running:
                done, running = wait(running, timeout=0.2, return_when=FIRST_COMPLETED)
                for future in done:
                    future.result()
                if on_progress is not None:
                    on_progress(dealer.result)
        except BaseException as error:
            dealer.stop()
            if not isinstance(error, KeyboardInterrupt):
                raise
    return dealer.result


def prepare_match(game: Game, black: CompiledPlayer, white: CompiledPlayer) -> None:
    """Compile what a match needs, so that compiling does not count as playing."""
    play_range(game, black, white, 0, range(0))


class _Dealer:
    """Gives threads chunks of games of about CHUNK_SECONDS each and adds up the results."""

    def __init__(self, games: int) -> None:
        self._lock = threading.Lock()
        self._next = 0
        self._games = games
        self.result = MatchResult()

    def deal(self, size: int) -> range:
        """The next games to play; empty when there are no more."""
        with self._lock:
            first = self._next
            self._next = min(self._games, first + size)
            return range(first, self._next)

    def add(self, result: MatchResult) -> None:
        """Count a chunk."""
        with self._lock:
            self.result += result

    def stop(self) -> None:
        """Give out no more games."""
        with self._lock:
            self._games = self._next


def _play_share(
    game: Game, black: CompiledPlayer, white: CompiledPlayer, seed: int, dealer: _Dealer
) -> None:
    """Play chunks of games until there are no more: the work of one thread."""
    size = 1
    while chunk := dealer.deal(size):
        started = time.perf_counter()
        dealer.add(play_range(game, black, white, seed, chunk))
        if time.perf_counter() - started < CHUNK_SECONDS / 2:
            size = min(2 * size, MAX_CHUNK)


def start_of(game: Game, seed: int, number: int) -> State:
    """The start of a game of a match; all are equal unless starts are drawn at random."""
    return initial_state(game, stream(seed ^ _START_SEED, number))


def play_range(
    game: Game, black: CompiledPlayer, white: CompiledPlayer, seed: int, numbers: range
) -> MatchResult:
    """The games of these numbers, in compiled code."""
    one = start_of(game, seed, 0)
    if starts_at_random(game):
        starts = np.empty((len(numbers), one.shape[0]), np.uint64)
        for row, number in enumerate(numbers):
            starts[row] = start_of(game, seed, number)
    else:
        starts = np.repeat(one[np.newaxis], len(numbers), axis=0)
    values = np.empty(len(numbers), np.float64)
    word = np.uint64(seed & ALL_BITS)
    rng = np.empty(1, np.uint64)
    choices = black.choice, white.choice
    plies = _play_games(
        *(lean(game), *choices, starts, word, numbers.start, values, one, rng),
        make_buffers(game, one, *choices),
    )
    return MatchResult(Score.of(values), int(plies))


@kernel
def _play_games(
    game: Game,
    black: Choice,
    white: Choice,
    starts: States,  # [B, words]
    seed: np.uint64,
    first_number: int,
    values: npt.NDArray[np.float64],  # [B], the outcome for Black is written here
    state: State,
    rng: Stream,
    buffers: Buffers,
) -> int:
    """Play a game from each start; return the total number of plies."""
    plies = 0
    for i in range(starts.shape[0]):
        copy_state(starts[i], state)
        seed_stream(rng, seed, first_number + i)
        while True:
            if player_to_move(state) == BLACK:
                action = choose_action(black, game, state, rng, buffers)
            else:
                action = choose_action(white, game, state, rng, buffers)
            if action == NO_ACTION:
                break
            step(game, state, action)
            plies += 1
        values[i] = value_for(game, state, BLACK)
    return plies
