"""Any player's move under a budget, such as what a clock has left for it.

Players that search do so in slices: one can follow the search and stop it. All others choose in one
piece, whatever the budget.
"""

from zerolab.evaluation.players.players import CanGrow, with_tree
from zerolab.evaluation.players.protocol import (
    Player,
    PlayerError,
    check_player,
    warm_up_player,
)
from zerolab.games.base import Game
from zerolab.games.position import Position
from zerolab.kernels.rng import Stream
from zerolab.search.analysis import Searched
from zerolab.search.growing_search import Budget, GrowingSearch


class BudgetedPlayer:
    """A player that is asked for moves with a budget each."""

    def __init__(self, player: Player) -> None:
        self.player = with_tree(player)

    @property
    def can_analyse(self) -> bool:
        """Whether its search can be looked at."""
        return isinstance(self.player, CanGrow)

    def check(self, game: Game) -> None:
        """Raise a PlayerError with one sentence if it cannot play a game."""
        check_player(self.player, game)

    def warm_up(self, position: Position) -> None:
        """Have it load and compile what it needs; a PlayerError says that it cannot play."""
        if position.is_over:
            self.check(position.game)
        else:
            warm_up_player(self.player, position, 1)

    def begin(self, position: Position, rng: Stream, budget: Budget | None = None) -> GrowingSearch:
        """Its search in a position with a legal move; without a budget, as its name says."""
        if isinstance(self.player, CanGrow):
            return self.player.begin(position, rng, budget)
        return _InOnePiece(self.player, position, rng)


class _InOnePiece:
    """The choice of a player that does not search, or whose search cannot be followed."""

    def __init__(self, player: Player, position: Position, rng: Stream) -> None:
        self._player, self._position, self._rng = player, position, rng
        self._action: int | None = None

    @property
    def is_done(self) -> bool:
        """Whether the move is chosen."""
        return self._action is not None

    def run(self, seconds: float) -> None:
        """Choose, however long it takes."""
        if self._action is None:
            self._action = self._player.choose(self._position, self._rng)

    def best_action(self) -> int:
        """The move to play."""
        assert self._action is not None
        return self._action

    @property
    def tree(self) -> Searched:
        """There is nothing to show."""
        raise PlayerError(f"'{self._player.name}' has no search to show; expected mcts:N or az:...")
