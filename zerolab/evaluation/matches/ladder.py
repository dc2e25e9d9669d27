"""The ladder of jans: a network with search against UCT of growing strength.

Level n plays UCT with proofs and max_simulations x 10^(n/2) simulations a move. Half of the games
are played with each colour. Many games go on at once, so that the network rates positions of all
of them in one call.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from zerolab.evaluation.players.players import choose_once, make_buffers
from zerolab.games.base import Game, State, player_to_move, step
from zerolab.games.boards.stones import initial_state
from zerolab.games.notation import legal_list
from zerolab.kernels.compiling import lean
from zerolab.kernels.rng import Stream, stream
from zerolab.search.batched import BatchedSearch, Evaluate, SearchConfig
from zerolab.search.playouts import value_for
from zerolab.search.uct import UctSettings
from zerolab.solver.exact_leaves import NO_ORACLE, Oracle

BATCH = 32


class LevelResult(NamedTuple):
    """Games against one level, for the network."""

    level: int
    simulations: int
    """Of the opponent."""
    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """All of them."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """The mean result, from -1 to 1, as jans has it."""
        return (self.wins - self.losses) / max(1, self.games)


def simulations_of(level: int, max_simulations: int) -> int:
    """How strong the opponent of a level is."""
    return round(max_simulations * 10 ** (level / 2))


class Pairing(NamedTuple):
    """A game to be played."""

    level: int
    colour: int
    """The network's."""


def play_level(
    game: Game,
    evaluate: Evaluate,
    config: SearchConfig,
    level: int,
    games: int,
    seed: int = 0,
    oracle: Oracle = NO_ORACLE,
    on_progress: Callable[[int], None] = lambda games: None,
) -> LevelResult:
    """Play so many games against a level; the first colour changes from game to game."""
    pairings = [Pairing(level, number % 2) for number in range(games)]
    results = play_games(game, evaluate, config, pairings, seed, oracle, on_progress)
    outcomes = np.array(results)
    return LevelResult(
        level,
        simulations_of(level, config.max_simulations),
        int((outcomes > 0).sum()),
        int((outcomes == 0).sum()),
        int((outcomes < 0).sum()),
    )


def play_games(
    game: Game,
    evaluate: Evaluate,
    config: SearchConfig,
    pairings: Sequence[Pairing],
    seed: int = 0,
    oracle: Oracle = NO_ORACLE,
    on_progress: Callable[[int], None] = lambda games: None,
) -> list[float]:
    """The result of each game for the network."""
    search = BatchedSearch(game, config, min(BATCH, len(pairings)), evaluate, seed, oracle)
    record = lean(game)
    settings = [
        UctSettings(simulations_of(each.level, config.max_simulations), config.uct_c)
        for each in pairings
    ]
    buffers = make_buffers(game, initial_state(game, stream(0)), *settings)
    results = [0.0] * len(pairings)
    playing: list[_Playing] = []
    started, ended = 0, 0
    while ended < len(pairings):
        while len(playing) < BATCH and started < len(pairings):
            start = initial_state(game, stream(seed + 1, started))
            playing.append(_Playing(started, start, stream(seed, started)))
            started += 1
        for number, state, rng in playing:
            while legal_list(game, state) and player_to_move(state) != pairings[number].colour:
                step(game, state, choose_once(settings[number], record, state, rng, buffers))
        for number, state, _ in playing:
            if not legal_list(game, state):
                results[number] = float(value_for(game, state, pairings[number].colour))
                ended += 1
        on_progress(ended)
        playing = [each for each in playing if legal_list(game, each.state)]
        for slot, each in enumerate(playing):
            search.start(slot, each.state, explores=False)
        search.run()
        for slot, each in enumerate(playing):
            step(game, each.state, search.choose(slot))
    return results


class _Playing(NamedTuple):
    """A game that goes on."""

    number: int
    state: State
    rng: Stream
