"""A game between people and players: its position, the turn, undone moves, its end.

A view, in the terminal or on a page, shows the session and passes on what people do.
"""

import time

from zerolab.evaluation.players.players import make_player
from zerolab.evaluation.players.protocol import (
    Player,
    ResignationError,
    check_player,
    close_player,
    doubts_of,
)
from zerolab.games.base import BLACK, num_players
from zerolab.games.notation import COLOUR_NAMES
from zerolab.games.position import Position
from zerolab.kernels.rng import Stream
from zerolab.records.recorded_game import RecordedGame

HUMAN = "human"
UNFINISHED = "unfinished"


class GameSession:
    """One game; `names` are those of players, or `human`."""

    def __init__(self, position: Position, names: tuple[str, str], rng: Stream) -> None:
        self.position = position
        self.names = names
        self.seconds = [0.0, 0.0]
        """That either side has thought so far."""
        self.result = UNFINISHED
        """In words, once the game has one."""
        self._begun = position
        self._players: list[Player | None] = [
            None if name == HUMAN else make_player(name) for name in names
        ]
        self._rng = rng
        self._clock = time.monotonic()

    @property
    def has_people(self) -> bool:
        """Whether a person plays."""
        return None in self._players

    @property
    def is_contest(self) -> bool:
        """Whether there are two players; a puzzle has one."""
        return num_players(self.position.game) == 2

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by the rules or because somebody resigned."""
        return self.position.is_over or self.result != UNFINISHED

    @property
    def is_for_a_person(self) -> bool:
        """Whether a person is to move."""
        return self._player() is None

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves made in this session."""
        return self.position.moves[len(self._begun.moves) :]

    @property
    def recorded(self) -> RecordedGame:
        """The record of the game so far; one that was resigned has a result too."""
        names = self.names if self.is_contest else (self.names[0], "")
        recorded = RecordedGame.of(self.position, names)
        resigned = {"black wins": 1.0, "white wins": -1.0}
        return recorded._replace(result=resigned.get(self.result, recorded.result))

    def prepare(self) -> None:
        """Raise a PlayerError with one sentence if a player cannot play this game."""
        for player in self._players:
            if player is not None:
                check_player(player, self.position.game)
        self._clock = time.monotonic()

    def play(self, move: str | int) -> None:
        """Make a move for the player to move; GameError if it is not legal."""
        after = self.position.play(move)
        now = time.monotonic()
        self.seconds[self._seat()] += now - self._clock
        self._clock, self.position = now, after
        outcome = after.outcome()
        if outcome is not None:
            puzzle = f"value {outcome.value:.3f}, where 1 is perfect"
            self.result = str(outcome) if self.is_contest else puzzle

    def reply(self) -> bool:
        """Let the player to move make its move, or resign; return whether it is sure of it."""
        player = self._player()
        assert player is not None
        doubts = doubts_of(player)
        try:
            self.play(player.choose(self.position, self._rng))
        except ResignationError:
            self.resign()
        return doubts_of(player) == doubts

    def undo(self) -> bool:
        """Undo the last move of a person and all after it; False if there is none."""
        position = self.position
        while position is not self._begun and position.previous is not None:
            position = position.previous
            if self._players[self._seat(position)] is None:
                self.position, self.result = position, UNFINISHED
                return True
        return False

    def swap_sides(self) -> None:
        """Let the players exchange colours; the position stays."""
        self.names = self.names[1], self.names[0]
        self._players.reverse()
        self.seconds.reverse()

    def resign(self) -> None:
        """Resign for the side to move."""
        winner = COLOUR_NAMES[1 - self._seat()]
        self.result = f"{winner} wins" if self.is_contest else "resigned"

    def close(self) -> None:
        """Close the players."""
        for player in self._players:
            if player is not None:
                close_player(player)

    def _seat(self, position: Position | None = None) -> int:
        """The player to move; in a puzzle always the first one."""
        return (position or self.position).player if self.is_contest else BLACK

    def _player(self) -> Player | None:
        return self._players[self._seat()]
