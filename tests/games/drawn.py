"""Positions drawn in the tests: what may be played there, and what comes of it."""

from zerolab.games.base import BLACK, Game, State, step
from zerolab.games.notation import (
    format_move,
    format_position,
    legal_list,
    parse_move,
    parse_position,
)


def moves(game: Game, text: str, player: int = BLACK) -> list[str]:
    """The legal moves in a position."""
    return moves_of(game, parse_position(game, text, player))


def moves_of(game: Game, state: State) -> list[str]:
    return [format_move(game, action) for action in legal_list(game, state)]


def play(game: Game, text: str, *line: str, player: int = BLACK) -> State:
    """The state after some moves."""
    state = parse_position(game, text, player)
    for move in line:
        step(game, state, parse_move(game, state, move))
    return state


def after(game: Game, text: str, *line: str, player: int = BLACK) -> str:
    """The position after some moves."""
    return format_position(game, play(game, text, *line, player=player))
