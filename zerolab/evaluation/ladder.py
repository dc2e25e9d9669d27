"""The ladder of jans: a network with search against UCT of growing strength.

Level n plays UCT with proofs and max_simulations x 10^(n/2) simulations a move. Half of the games
are played with each colour. Many games go on at once, so that the network rates positions of all
of them in one call.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from zerolab.evaluation.players import choose_once, make_buffers
from zerolab.games.base import Game, State, player_to_move, step
from zerolab.games.board import initial_state
from zerolab.games.compiling import lean
from zerolab.games.notation import legal_list
from zerolab.games.rng import Stream, stream
from zerolab.search.batched import BatchedSearch, Evaluate, Oracle, SearchConfig
from zerolab.search.playouts import value_for
from zerolab.search.uct import UctSettings

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


def play_level(
    game: Game,
    evaluate: Evaluate,
    config: SearchConfig,
    level: int,
    games: int,
    seed: int = 0,
    oracle: Oracle | None = None,
    on_progress: Callable[[int], None] = lambda games: None,
) -> LevelResult:
    """Play so many games against a level; the first colour changes from game to game."""
    simulations = simulations_of(level, config.max_simulations)
    opponent = UctSettings(simulations, config.uct_c)
    search = BatchedSearch(game, config, min(BATCH, games), evaluate, seed, oracle)
    record, buffers = lean(game), make_buffers(game, initial_state(game, stream(0)), opponent)
    results: list[float] = []
    playing: list[_Playing] = []
    started = 0
    while len(results) < games:
        while len(playing) < BATCH and started < games:
            start = initial_state(game, stream(seed + 1, started))
            playing.append(_Playing(start, started % 2, stream(seed, started)))
            started += 1
        for state, colour, rng in playing:
            while legal_list(game, state) and player_to_move(state) != colour:
                step(game, state, choose_once(opponent, record, state, rng, buffers))
        over = [each for each in playing if not legal_list(game, each.state)]
        results += [float(value_for(game, each.state, each.colour)) for each in over]
        on_progress(len(results))
        playing = [each for each in playing if legal_list(game, each.state)]
        for slot, each in enumerate(playing):
            search.start(slot, each.state, explores=False)
        search.run()
        for slot, each in enumerate(playing):
            step(game, each.state, search.choose(slot))
    outcomes = np.array(results)
    return LevelResult(
        level,
        simulations,
        int((outcomes > 0).sum()),
        int((outcomes == 0).sum()),
        int((outcomes < 0).sum()),
    )


class _Playing(NamedTuple):
    """A game that goes on."""

    state: State
    colour: int
    """The network's."""
    rng: Stream
