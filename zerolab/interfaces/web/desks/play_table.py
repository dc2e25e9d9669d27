"""A game on the page: who plays, what was played, what it is worth, what is being computed.

Pages show a table and pass on what people do. It lives as long as the server, whatever happens to
the pages that show it.
"""

import secrets
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, Self

from zerolab.errors import UsageError
from zerolab.evaluation.perfect.game_review import Judged, Mistake, find_mistakes
from zerolab.experiments.game_session import HUMAN, UNFINISHED, GameSession
from zerolab.games.base import Game, num_players
from zerolab.games.catalogue import GAMES
from zerolab.games.position import Position
from zerolab.interfaces.web.desks.desk import Desk, Fields, Snapshot
from zerolab.interfaces.web.game_shelf import (
    FILE_NAME,
    new_name,
    parse_record,
    save_game,
    sgf_of,
    text_of,
)
from zerolab.interfaces.web.safety import Rules
from zerolab.interfaces.web.workers.search_tasks import Judging, Replied, Reply
from zerolab.interfaces.web.workers.worker_pool import Job, WorkerPool
from zerolab.kernels.rng import stream
from zerolab.records.recorded_game import RecordedGame

SIDES = ("black", "white", "both", "neither")  # neither is to watch
_WRITER = ThreadPoolExecutor(1)  # so that a slow disk holds up no click, and saves stay in order


class Choice(NamedTuple):
    """What a new game is to be."""

    game: str = "clobber"
    size: str = "5x5"
    options: str = ""
    opponent: str = "mcts:1000"
    side: str = "black"
    """The person's: one of SIDES."""


def _loaded(position: Position, names: tuple[str, str]) -> GameSession:
    """A game that others have played, with which two people may go on."""
    session = GameSession(position, (HUMAN, HUMAN), stream(0))
    session.names = names
    return session


class PlayTable(Desk):
    """One game, and the next ones at the same table."""

    KIND = "play"

    def __init__(self, rules: Rules, pool: WorkerPool) -> None:
        super().__init__()
        self.rules = rules
        self.pool = pool
        self.choice = Choice()
        self.evaluates = True
        """Whether values are shown during the game."""
        self.error = ""
        self.hint: int | None = None
        self.shown: int | None = None
        """The ply that is looked at; None for the last one."""
        self.saved = ""
        """The name of the file that has this game."""
        self._is_loaded = False
        """Whether the game comes from a record, so that its names are those of strangers."""
        self._key = secrets.token_hex(3)
        self._judged: dict[Position, Judged] = {}
        self._reply: Job | None = None
        self._judging: Job | None = None
        self.session = self._session(Position.start(self._game()), self.choice)

    # What is there to see.

    @property
    def positions(self) -> tuple[Position, ...]:
        """From the first to the last."""
        return self.session.position.history

    @property
    def ply(self) -> int:
        """Of the position that is shown."""
        last = len(self.positions) - 1
        return last if self.shown is None else min(self.shown, last)

    @property
    def position(self) -> Position:
        """The one that is shown."""
        return self.positions[self.ply]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by the rules or by resignation."""
        return self.session.is_over or self.session.result != UNFINISHED

    @property
    def is_thinking(self) -> bool:
        """Whether a player is choosing its move."""
        return self._reply is not None

    @property
    def is_compiling(self) -> bool:
        """Whether the player's code is being compiled, which happens once."""
        return self._reply is not None and self._reply.is_compiling

    @property
    def can_move(self) -> bool:
        """Whether a person may move in the position that is shown."""
        is_last = self.ply == len(self.positions) - 1
        return is_last and not self.is_over and self.session.is_for_a_person

    def judged(self) -> list[Judged | None]:
        """What each position is worth, as far as it is known."""
        return [self._judged.get(position) for position in self.positions]

    def mistakes(self, judged: list[Judged | None] | None = None) -> list[Mistake]:
        """The moves that gave something away, by what is known or by these values."""
        return find_mistakes(self.positions, self.judged() if judged is None else judged)

    # What people do.

    def begin(self, choice: Choice) -> None:
        """Begin a new game; UsageError if there is no such game or player."""
        start = Position.start(self._game(choice), secrets.randbits(32))
        session = self._session(start, choice)
        self._take(session, choice)
        self._save_name()
        self._go_on()

    def load(self, recorded: RecordedGame) -> None:
        """Show a game that was played; two people may play on from its end."""
        black, white = (name or "somebody" for name in recorded.names)
        session = _loaded(recorded.position(), (black, white))
        if recorded.result is not None and session.result == UNFINISHED:
            words = {1.0: "black wins", -1.0: "white wins", 0.0: "a draw"}
            session.result = words.get(recorded.result, f"value {recorded.result:.3f}")
        self._take(session, self.choice)
        self._is_loaded = True
        self.shown = 0
        self.remember()
        self._judge()
        self.tell()

    def play(self, move: str) -> None:
        """A person's move; UsageError if it is not legal."""
        if not self.can_move:
            raise UsageError("it is not your turn")
        self.session.play(move)
        self._go_on()

    def undo(self) -> None:
        """Take the last move of a person back."""
        self._stop_reply()
        if not self.session.undo():
            self.error = "there is nothing to take back"
        self.shown = self.hint = None
        self._go_on()

    def resign(self) -> None:
        """Give the game up."""
        if not self.is_over:
            self._stop_reply()
            loser = self.session
            if not loser.is_for_a_person:  # a person resigns while the player thinks
                loser.result = f"{self.session.position.turn} wins"
            else:
                loser.resign()
            self._go_on()

    def swap(self) -> None:
        """Let person and player exchange colours."""
        self._stop_reply()
        self.session.swap_sides()
        other = {"black": "white", "white": "black"}
        self.choice = self.choice._replace(side=other.get(self.choice.side, self.choice.side))
        self._go_on()

    def ask_hint(self) -> None:
        """Show a good move, as soon as one is known."""
        if not self.can_move:
            return
        position = self.session.position
        known = self._judged.get(position)
        if known is not None and known.best:
            self.hint = known.best[0]
            self.tell()
            return

        def found(message: tuple[int, Judged]) -> None:
            self._judged[position] = message[1]
            if self.session.position is position and message[1].best:
                self.hint = message[1].best[0]
            self.tell()

        self.pool.submit(Judging((position,)), found, self._fail)

    def show_ply(self, ply: int) -> None:
        """Look at a position of the game."""
        last = len(self.positions) - 1
        ply = max(0, min(last, ply))
        self.shown = None if ply == last else ply
        self.remember()
        self.tell()

    def set_evaluates(self, evaluates: bool) -> None:
        """Show values, or hide them until the game is over."""
        self.evaluates = evaluates
        self.remember()
        self._judge()
        self.tell()

    def leave(self) -> None:
        """Nobody looks any more: end the work, keep the game."""
        self._stop_reply()
        if self._judging is not None:
            self._judging.cancel()
            self._judging = None

    def come_back(self) -> None:
        """Somebody looks again."""
        self._go_on(saves=False)

    def end(self) -> None:
        """The table is no longer needed."""
        self.leave()
        self.session.close()

    # What a restart of the server must not lose.

    def snapshot(self) -> Snapshot:
        """The game, how it is shown, and what was asked for."""
        session, position = self.session, self.session.position
        fields = {
            "choice": list(self.choice),
            "begun": len(position.actions) - len(session.moves),
            "names": list(session.names) if self._is_loaded else None,
            "result": session.result,
            "shown": self.shown,
            "evaluates": self.evaluates,
            "saved": self.saved,
        }
        return lambda: {**fields, "game": text_of(position)}

    @classmethod
    def restored(cls, rules: Rules, pool: WorkerPool, fields: Fields) -> Self:
        """The same game; a reply that was being thought about begins anew."""
        table = cls(rules, pool)
        game, size, options, opponent, side = map(str, fields["choice"])
        choice = Choice(game, size, options, opponent, side)
        if choice.game not in GAMES or choice.side not in SIDES:
            raise ValueError(choice)
        history = parse_record(rules, str(fields["game"])).position().history
        begun, names = history[int(fields["begun"])], fields["names"]
        if names is None:
            session = table._session(begun, choice)
        else:
            black, white = map(str, names)
            session = _loaded(begun, (black, white))
        for position in history[int(fields["begun"]) + 1 :]:
            assert position.action is not None
            session.play(position.action)
        if session.result == UNFINISHED:  # or somebody has resigned
            session.result = str(fields["result"])[:100]
        table._take(session, choice)
        table._is_loaded = names is not None
        table.evaluates = bool(fields["evaluates"])
        if fields["shown"] is not None:
            table.shown = max(0, min(len(history) - 1, int(fields["shown"])))
        table.saved = str(fields["saved"]) if FILE_NAME.fullmatch(str(fields["saved"])) else ""
        return table

    # How it goes on.

    def _game(self, choice: Choice | None = None) -> Game:
        choice = choice or self.choice
        return self.rules.game(choice.game, choice.size, choice.options)

    def _session(self, start: Position, choice: Choice) -> GameSession:
        is_puzzle = num_players(start.game) == 1
        if choice.side == "both" or (is_puzzle and choice.side != "neither"):
            names = (HUMAN, HUMAN)
        else:
            player = self.rules.player(choice.opponent)
            names = {
                "black": (HUMAN, player),
                "white": (player, HUMAN),
            }.get(choice.side, (player, player))
        return GameSession(start, names, stream(secrets.randbits(32)))

    def _take(self, session: GameSession, choice: Choice) -> None:
        self.leave()
        self.session.close()
        self.session, self.choice = session, choice
        self.shown = self.hint = None
        self.error = self.saved = ""
        self._is_loaded = False
        self._judged.clear()

    def _save_name(self) -> None:
        self._key = secrets.token_hex(3)
        self.saved = new_name(self.session.position, self._key)

    def _go_on(self, saves: bool = True) -> None:
        """After any change: let the player move, judge the position, save the game."""
        session = self.session
        if saves:
            self.shown = self.hint = None
            if session.moves:
                self._save()
            self.remember()
        if not self.is_over and not session.is_for_a_person and self._reply is None:
            name = session.names[session.position.player if session.is_contest else 0]
            task = Reply(name, session.position, secrets.randbits(32))
            self._reply = self.pool.submit(
                task, self._replied, self._reply_ended, on_compiling=self.tell
            )
        self._judge()
        self.tell()

    def _replied(self, message: Replied) -> None:
        self._reply = None
        self.error = "" if message.is_sure else "the player is not sure of this move"
        self.session.play(message.action)
        self._go_on()

    def _reply_ended(self, failure: str) -> None:
        if failure:
            self._reply = None
            self._fail(failure)

    def _fail(self, failure: str) -> None:
        if failure:
            self.error = self.rules.public(failure)
            self.tell()

    def _stop_reply(self) -> None:
        if self._reply is not None:
            self._reply.cancel()
            self._reply = None
        self.error = ""

    def _judge(self) -> None:
        if self._judging is not None:
            self._judging.cancel()
            self._judging = None
        if not (self.evaluates or self.is_over):
            return
        # The newest first: that is the one people look at.
        wanted = tuple(each for each in reversed(self.positions) if each not in self._judged)
        if not wanted:
            return

        def found(message: tuple[int, Judged]) -> None:
            self._judged[wanted[message[0]]] = message[1]
            self.tell()

        self._judging = self.pool.submit(Judging(wanted), found, self._fail, slow=True)

    def _save(self) -> None:
        if not self.saved:
            self._save_name()
        session = self.session
        args = (self.saved, session.position, self._public_names(), session.result)
        _WRITER.submit(save_game, self.rules, *args)

    def sgf(self) -> str:
        """The game so far."""
        return sgf_of(self.session.position, self._public_names(), self.session.result)

    def _public_names(self) -> tuple[str, str]:
        black, white = (self._public(name) for name in self.session.names)
        return black, white

    def _public(self, name: str) -> str:
        """A player's name without the path of this machine."""
        return self.rules.public(name)

    def player_names(self) -> tuple[str, str]:
        """Of Black and White, for people to read."""
        black, white = (
            "You" if name == HUMAN else self._public(name) for name in self.session.names
        )
        return black, white
