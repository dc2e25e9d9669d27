"""Kinds of arguments that commands share."""

from typing import Annotated, Any, Literal

import tyro

GameName = Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="GAME")]
Size = Annotated[str | None, tyro.conf.arg(metavar="ROWSxCOLS")]
Options = Annotated[tuple[str, ...], tyro.conf.arg(metavar="KEY=VALUE")]
PlayerName = Annotated[str, tyro.conf.arg(metavar="PLAYER")]
Colour = Literal["black", "white"]


def at_least(minimum: int) -> Any:
    """A whole number; the message says what is allowed."""

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
