"""Concurrent games, so that a player moves in many of them with one call.

    games = [OngoingGame(number, position, movers=(0, 1)) for number, position in ...]
    for game in play_side_by_side(games, (move_one, move_other), most=32):
        game.position.outcome()

A mover gets the games in which it is to move, and makes its move in each (`OngoingGame.play`).
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from zerolab.games.position import Position


class OngoingGame:
    """A game being played: its position, and the movers of both colours."""

    def __init__(self, number: int, position: Position, movers: tuple[int, int]) -> None:
        """`movers` are indices in the list of movers, Black's first."""
        self.number = number
        self.position = position
        self.plies = len(position.actions)
        """Moves so far."""
        self.movers = movers

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.position.is_over

    @property
    def mover(self) -> int:
        """The index of the mover to move."""
        return self.movers[self.position.player]

    def play(self, action: int) -> None:
        """Make a move; ValueError if it is not legal."""
        if action not in self.position.legal_actions:
            raise ValueError(f"the player chose action {action}, which is not legal")
        self.position = self.position.after(action)
        self.plies += 1


AnyGame = TypeVar("AnyGame", bound=OngoingGame)


def play_side_by_side(
    games: Sequence[AnyGame], movers: Sequence[Callable[[list[AnyGame]], None]], most: int
) -> Iterator[AnyGame]:
    """Play games to their ends, at most `most` at once; yield each when it is over.

    If a mover raises, the games stay as they are and can be continued.
    """
    waiting = list(reversed(games))
    playing: list[AnyGame] = []
    while waiting or playing:
        while waiting and len(playing) < most:
            playing.append(waiting.pop())
        for number, move in enumerate(movers):
            yield from (each for each in playing if each.is_over)
            playing = [each for each in playing if not each.is_over]
            turns = [each for each in playing if each.mover == number]
            if turns:
                move(turns)
        yield from (each for each in playing if each.is_over)
        playing = [each for each in playing if not each.is_over]
