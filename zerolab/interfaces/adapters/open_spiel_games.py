"""Our games as Python games of OpenSpiel; importing this module registers them.

import pyspiel
import zerolab.interfaces.adapters.open_spiel_games
game = pyspiel.load_game("zerolab_clobber(rows=4,columns=5)")

Player 0 is Black, who begins. A puzzle has one player.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from zerolab.errors import UsageError
from zerolab.games.base import BLACK, Game, max_plies, num_players
from zerolab.games.boards.stones import starts_at_random
from zerolab.games.catalogue import GAMES, HALF, make_game, text_name, text_value
from zerolab.games.notation import format_move, num_actions
from zerolab.games.position import Position
from zerolab.interfaces.adapters.player_view import planes_for

PREFIX = "zerolab_"
SIDES = ("rows", "columns")

Parameters = Mapping[str, Any]


def spiel_name(name: str) -> str:
    """The name that one of our games has in OpenSpiel."""
    return PREFIX + name.replace("-", "_")


class OurGame(pyspiel.Game):  # type: ignore[misc]  # it is not typed
    """A game of our catalogue. OpenSpiel names its parameters as our options, and the columns."""

    rules: str  # the name in our catalogue
    game_type: Any

    def __init__(self, parameters: Parameters) -> None:
        sides = [str(parameters[side]) for side in SIDES if side in parameters]
        options = [
            f"{key}={str(value).lower() if isinstance(value, bool) else value}"
            for key, value in parameters.items()
            if key not in SIDES
        ]
        self.board = make_game(self.rules, "x".join(sides) or None, options)
        if starts_at_random(self.board):
            raise UsageError(
                "a start drawn at random is not possible in OpenSpiel; give the position"
            )
        self.start = Position.start(self.board)
        if self.start.is_over:
            raise UsageError(f"{self.game_type.short_name}: it is over before it begins")
        players = num_players(self.board)
        info = pyspiel.GameInfo(
            num_distinct_actions=num_actions(self.board),
            max_chance_outcomes=0,
            num_players=players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0 if players == 2 else None,
            max_game_length=max_plies(self.board),
        )
        super().__init__(self.game_type, info, dict(parameters))

    def new_initial_state(self, state: Any = None) -> "OurState":
        """The start; `state` is for a description of another one, which is not supported."""
        if state is not None:
            raise UsageError("a state is not rebuilt from its parts; give the position as start=")
        return OurState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """Planes, or what OpenSpiel derives from the moves where perfect recall is asked for."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return PlanesObserver(self, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)

    def __reduce__(self) -> tuple[Any, ...]:
        """Its text; a process that unpickles it imports this module, which registers the games."""
        return _load, (str(self),)


class OurState(pyspiel.State):  # type: ignore[misc]  # as above
    """A position as OpenSpiel sees it."""

    def __init__(self, game: OurGame) -> None:
        super().__init__(game)
        self.position = game.start

    def current_player(self) -> int:
        """0 is Black; TERMINAL at the end."""
        if self.position.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        return BLACK if num_players(self.position.game) == 1 else self.position.player

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.position.legal_actions)

    def _apply_action(self, action: int) -> None:
        self.position = self.position.play(int(action))

    def _action_to_string(self, player: int, action: int) -> str:
        return format_move(self.position.game, action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.position.is_over

    def returns(self) -> list[float]:
        """The result for each player, zeros before the end."""
        outcome = self.position.outcome()
        value = 0.0 if outcome is None else outcome.value
        return [value, 0.0 - value][: num_players(self.position.game)]

    def __str__(self) -> str:
        """The rows of the board and whose turn it is."""
        rows = self.position.text.replace("|", "\n")
        return f"{rows}\n{self.position.turn} to move"


class PlanesObserver:
    """Observations of the players: the planes that our networks see, and the board as text."""

    def __init__(self, game: OurGame, params: Parameters | None) -> None:
        if params:
            raise UsageError(f"an observation has no parameters, such as {', '.join(params)}")
        shape = planes_for(game.start, BLACK).shape
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}  # a view, as OpenSpiel demands

    def set_from(self, state: OurState, player: int) -> None:
        """Write what a player sees to `tensor`."""
        self.dict["observation"][:] = planes_for(state.position, player)

    def string_from(self, state: OurState, player: int) -> str:
        """The board; both players see the same."""
        return str(state)


def _load(text: str) -> Any:
    return pyspiel.load_game(text)


def _game_type(name: str, summary: str, board: Game) -> Any:
    kinds = pyspiel.GameType
    players = num_players(board)
    return kinds(
        short_name=spiel_name(name),
        long_name=f"{name} of zerolab: {summary}",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if players == 2 else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=players,
        min_num_players=players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=dict(_parameter(*each) for each in board._asdict().items()),
    )


def _parameter(field: str, value: Any) -> tuple[str, Any]:
    """The name and the default of a parameter; its type is that of the default."""
    if field in ("rows", "cols"):
        return SIDES[field == "cols"], value
    if field.startswith(HALF):
        return text_name(field), value / 2
    plain = type(value) in (int, bool, str)  # not an enumeration
    return text_name(field), value if plain else text_value(field, value)


def _register() -> None:
    for name, entry in GAMES.items():
        game_type = _game_type(name, entry.summary, make_game(name))
        # OpenSpiel keeps what it is given beyond the end of Python. Only a class survives that, as
        # it refers to itself; the memory of a function would be freed, and the process aborted.
        loader = type(spiel_name(name), (OurGame,), {"rules": name, "game_type": game_type})
        pyspiel.register_game(game_type, loader)


_register()
