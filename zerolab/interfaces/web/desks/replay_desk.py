"""The games that a run has kept, replayed with the opinion of one of its networks at each move."""

from typing import Self

from zerolab.errors import UsageError
from zerolab.games.base import num_players
from zerolab.games.boards.board_picture import ADVICE, Arrow, Overlay
from zerolab.games.position import Position
from zerolab.interfaces.web.desks.desk import Desk, Fields, Snapshot
from zerolab.interfaces.web.safety import Rules
from zerolab.interfaces.web.workers.search_tasks import AskThroughout, Opinion
from zerolab.interfaces.web.workers.worker_pool import Job, WorkerPool
from zerolab.training.runs.kept_games import KeptGame, read_games
from zerolab.training.runs.logs import networks_of, read_config

MOST_GAMES = 1000  # the last ones of a run
MOST_ARROWS = 6
PLAYED_COLOUR = "#D55E00"
NEWEST = ""


class ReplayDesk(Desk):
    """One game at a time, and the ply that is looked at."""

    KIND = "replay"

    def __init__(self, rules: Rules, pool: WorkerPool, run: str) -> None:
        """UsageError if there is no such run, or it has kept no games."""
        super().__init__()
        self.rules = rules
        self.pool = pool
        self.run = run
        self._directory = rules.inside(run)
        words = str(read_config(self._directory).get("game") or "").split(" ")
        if not words[0]:
            raise UsageError(f"there is no run {run[:80]!a}")
        size = words[1] if len(words) > 1 else ""
        self.game = rules.game(words[0], size, " ".join(words[2:]))
        self.games: list[KeptGame] = []
        self.number = 0
        """Of the game that is shown."""
        self.network = NEWEST
        """The step of the network that is asked."""
        self.ply = 0
        self.error = ""
        self.positions: tuple[Position, ...] = ()
        self.opinions: dict[int, Opinion] = {}
        """By ply."""
        self._job: Job | None = None
        self.look_again()
        if not self.games:
            raise UsageError(f"{run[:80]!a} has kept no games yet")
        self.choose(len(self.games) - 1)

    @property
    def kept(self) -> KeptGame:
        """The game that is shown."""
        return self.games[self.number]

    @property
    def position(self) -> Position:
        """The one that is shown."""
        return self.positions[self.ply]

    @property
    def opinion(self) -> Opinion | None:
        """What the network says about the position that is shown."""
        return self.opinions.get(self.ply)

    def networks(self) -> list[int]:
        """The steps whose networks can be asked."""
        return list(networks_of(self._directory))

    def look_again(self) -> None:
        """Read the games that have come since; the one that is shown stays."""
        shown = self.kept if self.games else None
        self.games = read_games(self._directory, self.game, MOST_GAMES)
        if shown in self.games:
            self.number = self.games.index(shown)

    def choose(self, number: int) -> None:
        """Show another game."""
        if 0 <= number < len(self.games):
            try:
                positions = self.games[number].recorded.position().history
            except UsageError as error:
                self.error = str(error)
                self.tell()
                return
            self.number, self.ply, self.positions = number, 0, positions
            self.remember()
            self._ask()

    def choose_network(self, step: str) -> None:
        """Ask another network; UsageError if the run has kept none of that step."""
        if step != NEWEST and step not in map(str, self.networks()):
            raise UsageError(f"there is no network of step {step[:20]!a}")
        self.network = step
        self.remember()
        self._ask()

    def show_ply(self, ply: int) -> None:
        """Look at a position of the game."""
        self.ply = max(0, min(len(self.positions) - 1, ply))
        self.remember()
        self.tell()

    def overlay(self) -> Overlay:
        """The moves that the network would make, and the one that was made."""
        played = self.positions[self.ply + 1].action if self.ply + 1 < len(self.positions) else None
        policy = {} if self.opinion is None else self.opinion.policy
        best = sorted(policy, key=lambda action: -policy[action])[:MOST_ARROWS]
        if played is not None and played not in best:
            best.append(played)
        most = max(policy.values(), default=1.0)
        return Overlay(
            tuple(
                Arrow(
                    action,
                    max(0.15, policy.get(action, 0.0) / most),
                    f"{policy[action]:.0%}" if action in policy else "",
                    PLAYED_COLOUR if action == played else ADVICE,
                )
                for action in best
                if action == played or policy[action] >= 0.01
            )
        )

    def values(self) -> list[float | None]:
        """What the network thinks of each position, for Black."""
        found: list[float | None] = []
        for ply, position in enumerate(self.positions):
            opinion = self.opinions.get(ply)
            is_whites = num_players(self.game) == 2 and position.turn == "white"
            value = None if opinion is None else -opinion.value if is_whites else opinion.value
            found.append(value)
        return found

    def probability(self, ply: int) -> float | None:
        """The network's probability of the move that led to a position; None if not known."""
        opinion, action = self.opinions.get(ply - 1), self.positions[ply].action
        return None if opinion is None or action is None else opinion.policy.get(action)

    def leave(self) -> None:
        """Nobody looks any more."""
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def come_back(self) -> None:
        """Somebody looks again."""
        if len(self.opinions) < len(self.positions) and self._job is None:
            self._ask()

    # What a restart of the server must not lose.

    def snapshot(self) -> Snapshot:
        """Which game of which run is shown."""
        step = self.kept.step
        place = sum(each.step == step for each in self.games[: self.number])
        fields = {"run": self.run, "step": step, "place": place}
        fields |= {"network": self.network, "ply": self.ply}
        return lambda: fields

    @classmethod
    def restored(cls, rules: Rules, pool: WorkerPool, fields: Fields) -> Self:
        """The same game; the newest one of the run if that is gone."""
        desk = cls(rules, pool, str(fields["run"]))
        same = [n for n, each in enumerate(desk.games) if each.step == fields["step"]]
        if len(same) > int(fields["place"]) >= 0:
            desk.choose(same[int(fields["place"])])
        if str(fields["network"]) in map(str, desk.networks()):
            desk.choose_network(str(fields["network"]))
        desk.show_ply(int(fields["ply"]))
        return desk

    def _ask(self) -> None:
        self.leave()
        self.opinions = {}
        self.error = ""
        if not self.networks():
            self.error = "the run has kept no network yet: there is no opinion to show"
            self.tell()
            return
        step = f"#{self.network}" if self.network else ""
        task = AskThroughout(self.rules.player(f"net:{self.run}{step}"), self.positions)

        def told(message: tuple[int, Opinion]) -> None:
            self.opinions[message[0]] = message[1]
            self.tell()

        def ended(failure: str) -> None:
            self._job = None
            self.error = self.rules.public(failure)
            self.tell()

        self._job = self.pool.submit(task, told, ended)
        self.tell()
