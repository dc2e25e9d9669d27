"""The fields by which a form asks for a game: its name, a size, a variant."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from nicegui import ui

from zerolab.games.catalogue import GAMES, has_size

SIZES = {
    "clobber": "5x5",
    "solitaire": "4x4",
    "othello": "6x6",
    "connect-four": "6x7",
    "go": "7x7",
    "gobang": "9x9",
    "tic-tac-toe": "3x3",
}
CONTESTS = tuple(name for name in GAMES if name != "solitaire")


class ChosenGame(NamedTuple):
    """What the fields say; `Rules.game` takes it."""

    name: str
    size: str
    options: str = ""


class GameFields:
    """Three fields where they are made; a game that is chosen brings its usual size."""

    def __init__(
        self, games: Sequence[str], chosen: ChosenGame, on_game: Callable[[], object] | None = None
    ) -> None:
        self.game = ui.select(list(games), value=chosen.name, label="game")
        self.size = ui.input("size", value=chosen.size, placeholder="rows x columns")
        self.options = ui.input("variant", value=chosen.options, placeholder="variant=cannibal")
        self.size.set_enabled(has_size(chosen.name))
        for field in self.all:
            field.props("dense outlined")
        self.game.on_value_change(self._game_chosen)
        if on_game is not None:
            self.game.on_value_change(on_game)

    @property
    def all(self) -> tuple[ui.select, ui.input, ui.input]:
        """The fields themselves, to be given a look."""
        return self.game, self.size, self.options

    @property
    def chosen(self) -> ChosenGame:
        """What they say now."""
        name, size, options = (str(field.value or "") for field in self.all)
        return ChosenGame(name, size, options)

    def _game_chosen(self) -> None:
        name = str(self.game.value)
        self.size.value = SIZES.get(name, "")
        self.size.set_enabled(has_size(name))
        self.options.value = ""
