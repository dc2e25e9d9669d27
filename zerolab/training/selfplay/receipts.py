"""Which messages with games were learnt from: each at most once, whatever happened on the way.

Players number their messages. Since a player has a seed of its own, the seed names it, also among
those of earlier starts of the run: seeds depend on the step that a run continues from.
"""

from typing import NamedTuple


class Receipts(NamedTuple):
    """The messages of one step, and counts since the learner was started."""

    learnt: int
    """Messages that were learnt from."""
    repeated: int
    """Messages that came again and were dropped."""
    missing: int
    """Messages that never came although later ones of the same player did."""
    players: dict[str, list[int]]
    """The first and the last message of each player in this step."""


class ReceiptBook:
    """Notes messages as they are taken."""

    def __init__(self) -> None:
        self._last: dict[int, int] = {}
        self._learnt, self._repeated, self._missing = 0, 0, 0
        self._players: dict[str, list[int]] = {}

    def is_new(self, player: int, number: int) -> bool:
        """Note a message, numbered from 1; False if it was noted before."""
        last = self._last.get(player, 0)
        if number <= last:
            self._repeated += 1
            return False
        self._last[player] = number
        self._missing += number - last - 1
        self._learnt += 1
        self._players.setdefault(f"{player:08x}", [number, number])[1] = number
        return True

    def step(self) -> Receipts:
        """What was noted since the last call."""
        players, self._players = self._players, {}
        return Receipts(self._learnt, self._repeated, self._missing, players)
