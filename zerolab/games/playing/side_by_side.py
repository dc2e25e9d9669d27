"""Games that go on side by side, so that whoever moves in many of them is asked once for all.

    games = [OngoingGame(number, position, movers=(0, 1)) for number, position in ...]
    for game in play_side_by_side(games, (move_one, move_other), most=32):
        game.position.outcome()

A mover gets the games in which it is to move, and makes its move in each (`OngoingGame.play`).
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from zerolab.games.position import Position


class OngoingGame:
    """A game under way: its position, and who moves for either colour."""

    def __init__(self, number: int, position: Position, movers: tuple[int, int]) -> None:
        """`movers` are places in the list of movers, Black's first."""
        self.number = number
        self.position = position
        self.plies = len(position.actions)
        """Moves so far."""
        self.movers = movers

    @property
    def is_over(self) -> bool:
        """Whether nobody has to move any more."""
        return self.position.is_over

    @property
    def mover(self) -> int:
        """Who is to move."""
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
    """Play games to their ends, at most `most` at once; give each when it is over.

    What a mover raises leaves the games as they are, so that they can be gone on with.
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
