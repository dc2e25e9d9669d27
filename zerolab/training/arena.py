"""The arena: a new network against the old one, many games at once.

After the opening both play their best move, as in wang, and nothing is left to chance: from the
same position they would play the same game again and again. So each pair of games begins with an
opening of its own, a few random moves, played once with each colour. A temperature would not do: a
network that is sure of itself still repeats its games, and one that is not plays worse than it can.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from zerolab.games.base import Game, State, player_to_move, step
from zerolab.games.notation import legal_list
from zerolab.games.openings import openings_or_start
from zerolab.search.batched.batched_search import BatchedSearch, Evaluate, SearchConfig
from zerolab.search.playouts import value_for


class ArenaResult(NamedTuple):
    """Games of a new network against an old one, for the new one."""

    wins: int
    draws: int
    losses: int
    distinct: int
    """Games that differ from all others in moves or colours; fewer on boards that are too small."""

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    @property
    def win_rate(self) -> float | None:
        """Share of decided games that were won, if there are any."""
        decided = self.wins + self.losses
        return self.wins / decided if decided else None

    def is_passed(self, threshold: float) -> bool:
        """Whether the new network takes the place of the old one.

        AlphaZeroGeneral, which wang used, counts decided games only and takes a network that wins
        the threshold or more; where no game is decided, the old one stays.
        """
        return self.win_rate is not None and self.win_rate >= threshold


class ArenaGame(NamedTuple):
    """A game, under way or over."""

    colour: int
    """The colour of the new network."""
    state: State
    moves: list[int]

    def play(self, game: Game, action: int) -> None:
        """Make a move."""
        step(game, self.state, action)
        self.moves.append(action)


def tally(game: Game, played: list[ArenaGame]) -> ArenaResult:
    """How games ended, for the new network."""
    results = np.array([value_for(game, each.state, each.colour) for each in played])
    return ArenaResult(
        int((results > 0).sum()),
        int((results == 0).sum()),
        int((results < 0).sum()),
        len({(each.colour, *each.moves, each.state.tobytes()) for each in played}),
    )


def open_pairs(game: Game, games: int, seed: int) -> list[ArenaGame]:
    """Games with either colour; first and second, third and fourth, ... have the same opening."""
    if games < 2 or games % 2:
        raise ValueError(f"an arena of {games} games is not possible; expected 2, 4, 6, ...")
    return [
        ArenaGame(colour, opening.state, list(opening.actions))
        for opening in openings_or_start(game, games // 2, seed)
        for colour in (0, 1)
    ]


def play_to_the_end(
    game: Game,
    new: Evaluate,
    old: Evaluate,
    config: SearchConfig,
    batch: int,
    games: list[ArenaGame],
    on_round: Callable[[], None] = lambda: None,
) -> None:
    """Go on with games, `batch` at once, until all are over.

    `on_round` is called often. What it raises leaves the games as they are, so that they can be
    gone on with.
    """
    size = min(batch, len(games))
    searches = [BatchedSearch(game, config, size, evaluate) for evaluate in (new, old)]
    waiting = [each for each in reversed(games) if legal_list(game, each.state)]
    playing: list[ArenaGame] = []
    while waiting or playing:
        while waiting and len(playing) < batch:
            playing.append(waiting.pop())
        for number, search in enumerate(searches):
            turns = [each for each in playing if _to_move(each) == number]
            _move(game, search, turns, on_round)
            playing = [each for each in playing if legal_list(game, each.state)]


def _to_move(each: ArenaGame) -> int:
    """0 if it is the new network's turn, 1 if it is the old one's."""
    return 0 if player_to_move(each.state) == each.colour else 1


def _move(
    game: Game, search: BatchedSearch, turns: list[ArenaGame], on_round: Callable[[], None]
) -> None:
    """Search all games at once, and play the best move in each."""
    for slot, each in enumerate(turns):
        search.start(slot, each.state, explores=False)
    search.run(on_round)
    for slot, each in enumerate(turns):
        each.play(game, search.choose(slot))
