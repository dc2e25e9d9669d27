"""Does a player ever err? Its moves in every position that it can reach.

The player always makes its one choice and the opponent makes every legal move, so the walk
covers all games that can be played against it. On 4x4 Clobber those are some 10,000 to 25,000
positions, judged in ten seconds.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from zerolab.errors import UsageError
from zerolab.evaluation.perfect.accuracy import Choose
from zerolab.evaluation.perfect.judge import Judge
from zerolab.games.base import BLACK, WHITE, Game, State, player_to_move, step
from zerolab.games.boards.stones import initial_state, starts_at_random
from zerolab.games.notation import format_move, format_position, legal_list
from zerolab.kernels.rng import stream

MAX_POSITIONS = 1_000_000


class Mistake(NamedTuple):
    """A move that gives away the value of the position."""

    position: str
    player: int
    """The player to move."""
    move: str
    value: int
    """The value of the position, for that player."""
    value_after: int
    """The value after the move, for that player."""


class Walk(NamedTuple):
    """All games of the player with one colour."""

    positions: int
    """Number of different positions in which the player had to move."""
    won: int
    """How many of them perfect play wins: here the player could err."""
    mistakes: list[Mistake]


class Walks(NamedTuple):
    """All games of the player."""

    first: Walk
    """As Black."""
    second: Walk
    """As White."""

    @property
    def is_perfect(self) -> bool:
        """Whether there was no mistake."""
        return not (self.first.mistakes or self.second.mistakes)


def find_mistakes(
    game: Game,
    choose: Choose,
    judge: Judge | None = None,
    max_positions: int = MAX_POSITIONS,
    on_progress: Callable[[int], None] = lambda positions: None,
) -> Walks:
    """Walk through all games of a player that always chooses the same in the same position.

    The player gets all positions of a ply at once. UsageError if there are more than
    `max_positions`, or if the judge cannot solve one.
    """
    if starts_at_random(game):
        raise UsageError("all games can be examined only if they have a single start")
    judge = judge or Judge(game)
    first = _Walker(game, choose, judge, BLACK, max_positions).walk(on_progress)
    left = max_positions - first.positions
    second = _Walker(game, choose, judge, WHITE, left).walk(
        lambda positions: on_progress(first.positions + positions)
    )
    return Walks(first, second)


class _Walker:
    """Walks through all games, ply by ply."""

    def __init__(
        self, game: Game, choose: Choose, judge: Judge, colour: int, max_positions: int
    ) -> None:
        self.game, self.choose, self.judge, self.colour = game, choose, judge, colour
        self.max_positions = max_positions
        self.positions, self.won = 0, 0
        self.mistakes: list[Mistake] = []

    def walk(self, on_progress: Callable[[int], None]) -> Walk:
        """From the start to the end of every game."""
        level = [initial_state(self.game, stream(0))]
        while level:
            own: list[State] = []
            after: list[State] = []
            for state in level:
                legal = legal_list(self.game, state)
                if player_to_move(state) != self.colour:
                    after += [self._after(state, move) for move in legal]
                elif legal:
                    own.append(state)
            self.positions += len(own)
            if self.positions > self.max_positions:
                raise UsageError("there are too many games to examine all of them")
            after += self._answer(own) if own else []
            level = list({state.tobytes(): state for state in after}.values())
            on_progress(self.positions)
        return Walk(self.positions, self.won, self.mistakes)

    def _answer(self, states: list[State]) -> list[State]:
        """The positions after the player's moves; mistakes are noted."""
        moves = [int(move) for move in self.choose(np.array(states))]
        for state, move in zip(states, moves, strict=True):
            if move not in legal_list(self.game, state):
                raise ValueError(f"the player chose action {move}, which is not legal")
        after = [self._after(state, move) for state, move in zip(states, moves, strict=True)]
        for before, move, end in zip(states, moves, after, strict=True):
            value = self._value(before)
            self.won += value == 1
            if value == -1:
                continue  # nothing to lose
            left = self._value(end)
            if player_to_move(end) != self.colour:
                left = -left
            if left != value:
                text = format_position(self.game, before), format_move(self.game, move)
                self.mistakes.append(Mistake(text[0], self.colour, text[1], value, left))
        return after

    def _after(self, state: State, move: int) -> State:
        after = state.copy()
        step(self.game, after, move)
        return after

    def _value(self, state: State) -> int:
        value = self.judge.value(state)
        if value is None:
            raise UsageError("the solver's budget does not suffice to judge all positions")
        return value
