"""Some of the games of an iteration of the staged loop: those that one thread plays."""

from collections.abc import Sequence

from zerolab.search.batched.searching_network import SearchingNetwork
from zerolab.training.selfplay.selfplay import GameRecord, SelfPlay
from zerolab.training.selfplay.sources import Counted
from zerolab.training.shares import OnRound


class SelfPlayShare:
    """Plays games to their ends, and has what there is of them when it is stopped."""

    def __init__(
        self,
        network: SearchingNetwork,
        batch: int,
        slots: int,
        seed: int,
        games: int,
        unfinished: Sequence[GameRecord],
    ) -> None:
        """Of the `batch` games at once of all shares this one has `slots`; the rest as SelfPlay."""
        self.counted = Counted(network.evaluate, batch)  # as long in all shares
        counting = network._replace(evaluate=self.counted)
        self.selfplay = SelfPlay(counting, slots, seed, games, unfinished)
        self.records: list[GameRecord] = []
        """Games that are over."""
        self._games = games

    def play(self, on_round: OnRound) -> None:
        """Go on until all games are over; what `on_round` raises leaves them as they are."""
        while len(self.records) < self._games:
            on_round()
            self.records += self.selfplay.round()
