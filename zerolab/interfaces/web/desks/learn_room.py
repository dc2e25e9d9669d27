"""The three boards of the page for newcomers, as one visitor has them."""

from collections.abc import Mapping
from typing import Self

from zerolab.interfaces.web.desks.analysis_desk import AnalysisDesk, Wishes
from zerolab.interfaces.web.desks.desk import Desk, Fields, Snapshot
from zerolab.interfaces.web.safety import Rules
from zerolab.interfaces.web.workers.worker_pool import WorkerPool

BEGINNINGS: Mapping[str, tuple[str, Wishes]] = {
    "rules": ("xoxo|oxox|xoxo", Wishes("", "", True)),
    "values": ("xxo|o.x", Wishes("", "", False)),
    "search": ("xoxox|oxoxo|xoxox|oxoxo", Wishes("mcts:1000", "", False)),
}


class LearnRoom(Desk):
    """A desk for each lesson; pages look at these."""

    KIND = "learn"

    def __init__(self, rules: Rules, pool: WorkerPool) -> None:
        super().__init__()
        self.desks: dict[str, AnalysisDesk] = {}
        for name, (text, wishes) in BEGINNINGS.items():
            desk = AnalysisDesk(rules, pool)
            desk.position, desk.wishes = desk.read(text, "black"), wishes
            self._take(name, desk)

    def _take(self, name: str, desk: AnalysisDesk) -> None:
        self.desks[name] = desk
        desk.remember = lambda: self.remember()  # which is set later

    def snapshot(self) -> Snapshot:
        """What is on all boards."""
        snapshots = {name: desk.snapshot() for name, desk in self.desks.items()}
        return lambda: {name: snapshot() for name, snapshot in snapshots.items()}

    @classmethod
    def restored(cls, rules: Rules, pool: WorkerPool, fields: Fields) -> Self:
        """The same boards."""
        room = cls(rules, pool)
        for name in BEGINNINGS:
            room._take(name, AnalysisDesk.restored(rules, pool, fields[name]))
        return room

    def come_back(self) -> None:
        """Somebody looks again."""
        for desk in self.desks.values():
            desk.come_back()

    def leave(self) -> None:
        """Nobody looks any more."""
        for desk in self.desks.values():
            desk.leave()
