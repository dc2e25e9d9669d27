"""What `import zerolab as zl` offers: the package from a notebook or a script.

    position = zl.Clobber(5, 5).start()
    zl.player("mcts:1000").choose(position)
    zl.solve(position).winner

Each function does what the command of that name does, and returns a record instead of printing.
docs/python.md shows all of them.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zerolab.errors import UsageError
from zerolab.evaluation.matches.compiled_games import MatchResult
from zerolab.evaluation.players.players import make_player, search_for
from zerolab.evaluation.players.protocol import check_player
from zerolab.games.base import Game
from zerolab.games.catalogue import has_size, make_game
from zerolab.games.clobber import Clobber as Clobber
from zerolab.games.connect_four import ConnectFour as ConnectFour
from zerolab.games.go import Go as Go
from zerolab.games.gobang import Gobang as Gobang
from zerolab.games.graph_clobber import GraphClobber as GraphClobber
from zerolab.games.notation import size_of_position
from zerolab.games.othello import Othello as Othello
from zerolab.games.position import Colour
from zerolab.games.position import Outcome as Outcome
from zerolab.games.position import Position as Position
from zerolab.games.solitaire import Solitaire as Solitaire
from zerolab.kernels.rng import stream
from zerolab.search.analysis import Analysis

if TYPE_CHECKING:
    from zerolab.solver.cgt.value import Value

Board = Game | str  # a record, or its description, such as "clobber 5x5"


def game(name: str, size: str | None = None, **options: object) -> Game:
    """A game by name and size, or by a description, such as ``clobber 5x5 variant=cannibal``."""
    name, *words = name.split(" ")
    if size is None and words and "=" not in words[0]:
        size = words.pop(0)
    return make_game(name, size, [*words, *(f"{key}={value}" for key, value in options.items())])


def position(board: Board, text: str, first: Colour = "black") -> Position:
    """A position from its text, such as ``xoxo|ox..``; a game without a size takes the text's."""
    if isinstance(board, str) and " " not in board and has_size(board):
        board = game(board, "{}x{}".format(*size_of_position(text)))
    return Position.parse(_record(board), text, first)


class MoveAnalysis(NamedTuple):
    """The result of a search for one move."""

    move: str
    visits: int
    value: float
    """For the player to move."""
    prior: float
    proven: bool
    line: tuple[str, ...]
    """The expected continuation."""


class PositionAnalysis(NamedTuple):
    """The result of a search in a position; the best move first."""

    position: Position
    value: float
    """For the player to move."""
    proven: bool
    simulations: int
    moves: tuple[MoveAnalysis, ...]

    def _repr_html_(self) -> str:
        """The board beside a table of moves, in notebooks."""
        rows = "".join(
            f"<tr><td>{each.move}</td><td>{each.visits:,}</td><td>{each.value:+.3f}</td>"
            f"<td>{'proven' if each.proven else ''}</td><td>{' '.join(each.line[:6])}</td></tr>"
            for each in self.moves[:10]
        )
        head = "<tr><th>move</th><th>visits</th><th>value</th><th></th><th>line</th></tr>"
        table = f"<table>{head}{rows}</table>"
        board = self.position.svg()
        return f'<div style="display:flex;gap:1em"><div>{board}</div><div>{table}</div></div>'


class NamedPlayer:
    """A player by name, which chooses in one position at a time."""

    def __init__(self, name: str, seed: int = 0) -> None:
        self.name = name
        self._player = make_player(name)
        self._rng = stream(seed)

    def choose(self, position: Position) -> str:
        """Its move, as text."""
        check_player(self._player, position.game)
        return position.text_of(self._player.choose(position, self._rng))

    def analyze(self, position: Position) -> PositionAnalysis:
        """The result of its search; for players with a tree, such as ``mcts`` and ``az``."""
        return _analysis(position, search_for(self._player, position, self._rng).analyse())

    def __repr__(self) -> str:
        return f"<player {self.name}>"


def player(name: str, seed: int = 0) -> NamedPlayer:
    """A player such as ``mcts:1000``, ``az:runs/demo@100`` or ``solver``; see docs/players.md."""
    return NamedPlayer(name, seed)


class Solution(NamedTuple):
    """Who wins with perfect play."""

    winner: Colour | None
    """None for a draw."""
    value: int
    """For the player to move: 1 won, 0 drawn, -1 lost."""
    line: tuple[str, ...]
    """Best play from there."""
    nodes: int


def solve(position: Position) -> Solution:
    """Solve a position exactly, on all cores; Ctrl-C stops it."""
    from zerolab.games.notation import COLOUR_NAMES
    from zerolab.solver.solvers import make_solver, principal_line

    solver = make_solver(position.game, position.state)
    value = solver.value(position.state)
    assert value is not None  # there is no limit of nodes
    mover = position.player
    winner = None if value == 0 else COLOUR_NAMES[mover if value > 0 else 1 - mover]
    line = position.texts_of(principal_line(solver, position.state))
    return Solution(winner, value, line, solver.nodes)


def value(position: Position | str) -> "Value":
    """The value of a Clobber position as a combinatorial game; of a text such as ``xxo|o.x``."""
    from zerolab.solver.cgt.value import clobber

    return clobber(position if isinstance(position, str) else position.text)


def match(board: Board, black: str, white: str, games: int = 1000, seed: int = 0) -> MatchResult:
    """Play games between two players with fixed colours, on all cores."""
    from zerolab.evaluation.matches.series import play_series

    return play_series(_record(board), (black, white), games, seed).result


class TrainedRun(NamedTuple):
    """A training run in its directory."""

    directory: Path

    @property
    def config(self) -> dict[str, Any]:
        """Its settings."""
        config: dict[str, Any] = json.loads((self.directory / "config.json").read_text("utf-8"))
        return config

    @property
    def log(self) -> list[dict[str, Any]]:
        """A record for each step: losses, results of the ladder, speed."""
        from zerolab.training.runs.logs import read_log

        return read_log(self.directory)

    def curves(self) -> dict[str, npt.NDArray[np.float64]]:
        """Losses, and the share of critical wins kept where it is known, by step."""
        log = self.log
        curves = {
            "step": [line["step"] for line in log],
            "policy_loss": [line["loss"]["policy"] for line in log],
            "value_loss": [line["loss"]["value"] for line in log],
            "keeps": [(line.get("perfect") or {}).get("keeps", np.nan) for line in log],
        }
        return {name: np.array(values, np.float64) for name, values in curves.items()}

    def plot(self, path: Path | str | None = None) -> list[Path]:
        """Draw all curves into files, by default plots.png and plots.svg of the run."""
        from zerolab.interfaces.plots.run_plots import write_plots

        files, _ = write_plots([self.directory], "step", None if path is None else Path(path))
        return files

    def player(self, simulations: int = 100, seed: int = 0) -> NamedPlayer:
        """Its newest network, with search."""
        return NamedPlayer(f"az:{self.directory}@{simulations}", seed)


def train(
    board: Board,
    directory: Path | str,
    *,
    minutes: float | None = None,
    steps: int | None = None,
    preset: str = "zerolab",
    seed: int = 0,
    on_step: Callable[[dict[str, Any]], None] = lambda line: None,
    **settings: object,
) -> TrainedRun:
    """Train a network from scratch, or continue an existing run; Ctrl-C keeps the run.

    `settings` differ from the preset, such as ``max_simulations=50``. `on_step` gets each line of
    the log.
    """
    from zerolab.experiments.experiment import run_experiment
    from zerolab.training.loop import Limits
    from zerolab.training.settings.continuous_config import parse_config
    from zerolab.training.settings.presets import make_preset
    from zerolab.training.steps import Event, StepEvent

    def on_event(event: Event) -> None:
        if isinstance(event, StepEvent):
            on_step(event.line)

    record = _record(board)
    config = parse_config(make_preset(preset, record).flat() | settings)
    limits = Limits(None if minutes is None else 60 * minutes, steps)
    run_experiment(record, config, Path(directory), limits, on_event, seed)
    return TrainedRun(Path(directory))


def load(directory: Path | str) -> TrainedRun:
    """Open an existing run."""
    from zerolab.training.runs.logs import CONFIG

    run = TrainedRun(Path(directory))
    if not (run.directory / CONFIG).exists():
        raise UsageError(f"{directory} holds no run: there is no {CONFIG}")
    return run


def _record(board: Board) -> Game:
    return game(board) if isinstance(board, str) else board


def _analysis(position: Position, found: Analysis) -> PositionAnalysis:
    moves = tuple(
        MoveAnalysis(
            position.text_of(each.action),
            each.visits,
            each.value,
            each.prior,
            each.proven,
            position.texts_of(each.line),
        )
        for each in found.candidates
    )
    return PositionAnalysis(position, found.value, found.proven, found.simulations, moves)
