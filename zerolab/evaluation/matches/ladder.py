"""The ladder of jans: a network with search against UCT of growing strength.

Level n plays UCT with proofs and max_simulations x 10^(n/2) simulations a move. Half of the games
are played with each colour. Many games are played concurrently, so that the network evaluates
positions of all of them in one call.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from zerolab.evaluation.players.players import choose_once, make_buffers
from zerolab.games.base import BLACK
from zerolab.games.boards.stones import initial_state
from zerolab.games.playing.score import Score
from zerolab.games.playing.side_by_side import OngoingGame, play_side_by_side
from zerolab.games.position import Position
from zerolab.kernels.compiling import lean
from zerolab.kernels.rng import stream
from zerolab.search.batched.searching_network import SearchingNetwork
from zerolab.search.playouts import value_for
from zerolab.search.uct import UctSettings

BATCH = 32


class LevelResult(NamedTuple):
    """Games against one level, for the network."""

    level: int
    simulations: int
    """Simulations of the opponent."""
    score: Score
    """Its mean, from -1 to 1, is what jans reports."""

    @property
    def fields(self) -> dict[str, float]:
        """The result as a record for reports."""
        own = {"level": self.level, "simulations": self.simulations}
        return own | self.score._asdict() | {"score": self.score.mean}


def simulations_of(level: int, max_simulations: int) -> int:
    """The number of simulations of the opponent of a level."""
    return round(max_simulations * 10 ** (level / 2))


class Pairing(NamedTuple):
    """A game to be played."""

    level: int
    colour: int
    """The network's colour."""


def play_level(
    network: SearchingNetwork,
    level: int,
    games: int,
    seed: int = 0,
    on_progress: Callable[[int], None] = lambda games: None,
) -> LevelResult:
    """Play games against a level; the network's colour alternates."""
    pairings = [Pairing(level, number % 2) for number in range(games)]
    score = Score.of(play_games(network, pairings, seed, on_progress))
    return LevelResult(level, simulations_of(level, network.config.max_simulations), score)


def play_games(
    network: SearchingNetwork,
    pairings: Sequence[Pairing],
    seed: int = 0,
    on_progress: Callable[[int], None] = lambda games: None,
    on_end: Callable[[int, Position], None] = lambda number, position: None,
) -> list[float]:
    """The result of each game for the network; `on_end` hears a game's number and its end."""
    game, config = network.game, network.config
    search = network.search(min(BATCH, len(pairings)), seed)
    record = lean(game)
    settings = [
        UctSettings(simulations_of(each.level, config.max_simulations), config.uct_c)
        for each in pairings
    ]
    buffers = make_buffers(game, initial_state(game, stream(0)), *settings)
    rngs = [stream(seed, number) for number in range(len(pairings))]

    def move_opponent(games: list[OngoingGame]) -> None:
        for each in games:
            state, rng = each.position.state, rngs[each.number]
            each.play(int(choose_once(settings[each.number], record, state, rng, buffers)))

    def move_network(games: list[OngoingGame]) -> None:
        for slot, each in enumerate(games):
            search.start(slot, each.position.state, explores=False)
        search.run()
        for slot, each in enumerate(games):
            each.play(search.choose(slot))

    games = [
        OngoingGame(
            number,
            Position(game, initial_state(game, stream(seed + 1, number))),
            movers=(1, 0) if pairing.colour == BLACK else (0, 1),
        )
        for number, pairing in enumerate(pairings)
    ]
    results = [0.0] * len(pairings)
    movers = (move_opponent, move_network)
    for ended, each in enumerate(play_side_by_side(games, movers, BATCH), start=1):
        value = value_for(game, each.position.words, pairings[each.number].colour)
        results[each.number] = float(value)
        on_end(each.number, each.position)
        on_progress(ended)
    return results
