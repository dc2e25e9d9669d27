"""The arena: a new network against the old one, many games at once.

After the opening both play their best move, as in wang, so play is deterministic: from the same
position they would repeat the same game. So each pair of games begins with an opening of its own, a
few random moves, played once with each colour. A temperature would not help: a confident network
still repeats its games, and an unsure one plays below its strength.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from zerolab.games.base import BLACK, Game
from zerolab.games.boards.stones import starts_at_random
from zerolab.games.playing.openings import openings_or_start
from zerolab.games.playing.score import Score
from zerolab.games.playing.side_by_side import OngoingGame, play_side_by_side
from zerolab.games.position import Position
from zerolab.records.recorded_game import RecordedGame
from zerolab.search.batched.searching_network import SearchingNetwork
from zerolab.search.playouts import value_for
from zerolab.search.proofs import ROOT

NEW, OLD = 0, 1  # who moves
NAMES = "new network", "best so far"
Moves = tuple[int, ...]


class ArenaResult(NamedTuple):
    """Games of a new network against an old one, for the new one."""

    score: Score
    distinct: int
    """Number of games that differ in moves or colours; small boards have repetitions."""
    simulations: int = 0

    @property
    def fields(self) -> dict[str, float | None]:
        """The result as a record for the log of a run."""
        own = {"distinct": self.distinct, "win_rate": self.score.share_of_decided}
        return self.score._asdict() | own

    def is_passed(self, threshold: float) -> bool:
        """Whether the new network replaces the old one.

        AlphaZeroGeneral, which wang used, counts decided games only and accepts a network that wins
        the threshold or more; where no game is decided, the old one stays.
        """
        won = self.score.share_of_decided
        return won is not None and won >= threshold


class ArenaGame(OngoingGame):
    """A game of the arena, unfinished or finished."""

    def __init__(self, number: int, colour: int, position: Position, before: Moves = ()) -> None:
        """`colour` is the new network's; `before` are moves made before the position."""
        super().__init__(number, position, (NEW, OLD) if colour == BLACK else (OLD, NEW))
        self.colour = colour
        self.before = before
        self.plies += len(before)
        self.simulations = 0
        """Of all moves so far, by either network."""

    @property
    def moves(self) -> Moves:
        """All moves, including the opening."""
        return (*self.before, *self.position.actions)

    def recorded(self) -> RecordedGame:
        """The game as a record, from its opening on.

        Where starts are drawn at random, a game that was interrupted has lost its own: its record
        begins where it went on.
        """
        position = self.position
        if self.before and not starts_at_random(position.game):
            position = Position.start(position.game)
            for action in self.moves:
                position = position.after(action)
        names = NAMES if self.colour == BLACK else NAMES[::-1]
        return RecordedGame.of(position, names)


def tally(played: Sequence[ArenaGame]) -> ArenaResult:
    """The results of games, for the new network."""
    values = [value_for(each.position.game, each.position.words, each.colour) for each in played]
    distinct = {(each.colour, *each.moves, each.position) for each in played}
    simulations = sum(each.simulations for each in played)
    return ArenaResult(Score.of(values), len(distinct), simulations)


def open_pairs(game: Game, games: int, seed: int) -> list[ArenaGame]:
    """Games with either colour; first and second, third and fourth, ... have the same opening."""
    if games < 2 or games % 2:
        raise ValueError(f"an arena of {games} games is not possible; expected 2, 4, 6, ...")
    openings = openings_or_start(game, games // 2, seed)
    return [ArenaGame(number, number % 2, openings[number // 2]) for number in range(games)]


def play_to_the_end(
    new: SearchingNetwork,
    old: SearchingNetwork,
    batch: int,
    games: Sequence[ArenaGame],
    on_round: Callable[[], None] = lambda: None,
) -> None:
    """Play games to their end, `batch` at once.

    `on_round` is called often. If it raises, the games stay as they are and can be continued.
    """

    def mover(network: SearchingNetwork) -> Callable[[list[ArenaGame]], None]:
        search = network.search(min(batch, len(games)))

        def move(turns: list[ArenaGame]) -> None:
            for slot, each in enumerate(turns):
                search.start(slot, each.position.state, explores=False)
            search.run(on_round)
            for slot, each in enumerate(turns):
                each.simulations += int(search.trees.visits[slot, ROOT])
                each.play(search.choose(slot))

        return move

    for _ in play_side_by_side(games, (mover(new), mover(old)), batch):
        pass
