"""Argument types that commands share, and the game and position that they name.

In the modules of commands every parameter is an argument, and its line in the docstring is its
help. Imports are inside the functions, so that help is fast and a command loads only what it needs.
"""

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import tyro

if TYPE_CHECKING:
    from zerolab.games.base import Game
    from zerolab.games.position import Position

GameName = Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="GAME")]
Size = Annotated[str | None, tyro.conf.arg(metavar="ROWSxCOLS")]
Options = Annotated[tuple[str, ...], tyro.conf.arg(metavar="KEY=VALUE")]
PlayerName = Annotated[str, tyro.conf.arg(metavar="PLAYER")]
SaveFile = Annotated[Path | None, tyro.conf.arg(metavar="FILE")]
Colour = Literal["black", "white"]


def at_least(minimum: int) -> Any:
    """The parser of a whole number with a minimum; its error says what is allowed."""

    def parse(words: list[str]) -> int:
        try:
            number = int(words[0])
        except ValueError:
            number = minimum - 1
        if number < minimum:
            raise ValueError(
                f"'{words[0]}' is not possible; expected a whole number, {minimum} or more"
            )
        return number

    return tyro.constructors.PrimitiveConstructorSpec(
        nargs=1,
        metavar="N",
        instance_from_str=parse,
        is_instance=lambda value: value is None or isinstance(value, int),
        str_from_instance=lambda value: [str(value)],
    )


Count = Annotated[int, at_least(1)]
OptionalCount = Annotated[int | None, at_least(1)]
Seed = Annotated[int, at_least(0)]
EngineOption = Literal["local", "ray"]
Address = Annotated[str | None, tyro.conf.arg(metavar="HOST:PORT")]


@dataclasses.dataclass(frozen=True)
class GameArguments:
    """The game and its board."""

    game: GameName
    """A game (see zerolab games), a file of rules, such as mygame.py, or openspiel:NAME."""
    size: Size = None
    """Size of the board."""
    options: Options = ()
    """Other parameters of the game, such as variant=cannibal start=random."""

    def make(self) -> "Game":
        """The game's record."""
        from zerolab.games.catalogue import make_game

        return make_game(self.game, self.size, self.options)

    def set_up(self, text: str | None, first: Colour, seed: int) -> "Position":
        """The position given as text, or the game's start; the text also sets a missing size."""
        from zerolab.games.boards.stones import initial_state
        from zerolab.games.catalogue import has_size
        from zerolab.games.notation import size_of_position
        from zerolab.games.position import Position
        from zerolab.kernels.rng import stream

        if text is None:
            record = self.make()
            start = Position(record, initial_state(record, stream(seed, 1)))
            return start if first == "black" else Position.parse(record, start.text, first)
        sized = self
        if self.size is None and has_size(self.game):
            sized = dataclasses.replace(self, size="{}x{}".format(*size_of_position(text)))
        return Position.parse(sized.make(), text, first)
