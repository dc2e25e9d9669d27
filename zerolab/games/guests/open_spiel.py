"""Games of OpenSpiel: ``openspiel:breakthrough(rows=5,columns=5)``. Kernels call back into Python.

A state is the turn word, whose bits from 1 on count OpenSpiel's actions, and then these actions,
packed. So it can be copied, compared and sent to another process like any state; what OpenSpiel
knows of it is in spiel_states.py.

OpenSpiel's player may act several times in a row. Players take turns here (law 1), so the other
player passes in between, which is one more action, the last. Black is whoever begins.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import objmode

from zerolab.games.base import NO_ACTION, Actions, GameError, Planes, State, player_to_move
from zerolab.games.boards.stones import OWN, state_words
from zerolab.games.boards.symmetry import IDENTITY, Turn
from zerolab.games.catalogue import OPEN_SPIEL
from zerolab.games.guests import spiel_states
from zerolab.games.guests.spiel_states import Source, load
from zerolab.games.notation import (
    COLOUR_NAMES,
    Numbers,
    line_texts,
    parse_move,
    parse_number,
)
from zerolab.kernels.compiling import interpreted, rule


class OpenSpiel(NamedTuple):
    """A game of OpenSpiel. `make_game` makes it; all but the source follows from the source."""

    source: Source
    height: int
    """Of the planes of its observation tensor; 1 if that is no board."""
    width: int
    planes: int
    boards: int
    """Words for the actions, in units of the words that a board of that size takes."""


def make_open_spiel(text: str) -> OpenSpiel:
    """The game of that name, perhaps with parameters; GameError if it is none that we can play."""
    source = Source(text)
    found = load(source.text)
    planes, height, width = found.shape
    unit = (height * width + 63) // 64
    boards = max(3, math.ceil(found.words / unit))  # one more than stones: it is memory
    return OpenSpiel(source, height, width, planes, boards)


# Rules that kernels call.


@rule(OpenSpiel)
def legal_actions(game: OpenSpiel, state: State, actions: Actions) -> int:
    return call_legal_actions(int(game.source), state.ctypes.data, actions.ctypes.data)


@rule(OpenSpiel)
def step(game: OpenSpiel, state: State, action: int) -> None:
    call_step(int(game.source), state.ctypes.data, action)


@rule(OpenSpiel)
def terminal_value(game: OpenSpiel, state: State) -> float:
    return call_terminal_value(int(game.source), state.ctypes.data)


@rule(OpenSpiel)
def encode(game: OpenSpiel, state: State, encoding: int, planes: Planes) -> None:
    """Write OpenSpiel's observation, and a plane that is all ones if Black is to move.

    OWN: what the player to move observes. COLOURS: what Black does.
    """
    call_planes(int(game.source), state.ctypes.data, planes.ctypes.data, encoding == OWN)


@interpreted
def call_legal_actions(number: int, place: int, target: int) -> int:
    """Write the legal actions to the address `target`; return how many there are."""
    with objmode(count="int64"):
        count: int = spiel_states.legal_actions(number, place, target)
    return count


@interpreted
def call_step(number: int, place: int, action: int) -> None:
    """Play an action in the state at the address `place`."""
    with objmode():
        spiel_states.step(number, place, action)


@interpreted
def call_terminal_value(number: int, place: int) -> float:
    """The value of the state at the address `place` for the player to move."""
    with objmode(value="float64"):
        value: float = spiel_states.terminal_value(number, place)
    return value


@interpreted
def call_planes(number: int, place: int, target: int, is_own: bool) -> None:
    """Write planes to the address `target`."""
    with objmode():
        spiel_states.write_planes(number, place, target, is_own)


@rule(OpenSpiel)
def shape(game: OpenSpiel) -> tuple[int, int]:
    return game.height, game.width


@rule(OpenSpiel)
def num_planes(game: OpenSpiel, encoding: int) -> int:
    return game.planes + 1


@rule(OpenSpiel)
def memory_boards(game: OpenSpiel) -> int:
    return game.boards - 2


# Rules that only Python calls.


@rule(OpenSpiel)
def check(game: OpenSpiel) -> None:
    if game != make_open_spiel(game.source.text):
        raise GameError(f"{game.source.text} has other measures; make it with make_game")


@rule(OpenSpiel)
def full_name(game: OpenSpiel) -> str:
    return OPEN_SPIEL + game.source.text


@rule(OpenSpiel)
def max_plies(game: OpenSpiel) -> int:
    return 2 * load(game.source.text).longest


@rule(OpenSpiel)
def turns(game: OpenSpiel) -> tuple[Turn, ...]:
    return (IDENTITY,)


@rule(OpenSpiel)
def action_space(game: OpenSpiel) -> Numbers:
    return Numbers(load(game.source.text).actions + 1)


@rule(OpenSpiel)
def move_text(game: OpenSpiel, state: State, action: int) -> str:
    """In OpenSpiel's words, which may depend on the position."""
    moves = load(game.source.text).moves(state.ctypes.data)
    return next((text for text, each in moves.items() if each == action), str(action))


@rule(OpenSpiel)
def move_action(game: OpenSpiel, state: State, text: str) -> int:
    """In OpenSpiel's words, whatever the case of letters, or the number of the action."""
    moves = load(game.source.text).moves(state.ctypes.data)
    meant = {action for each, action in moves.items() if each.lower() == text.lower()}
    if text in moves or len(meant) == 1:
        return moves[text] if text in moves else meant.pop()
    number = parse_number(text)
    return NO_ACTION if number is None else number


@rule(OpenSpiel)
def picture_text(game: OpenSpiel, state: State) -> str:
    return str(load(game.source.text).know(state.ctypes.data).spiel)


@rule(OpenSpiel)
def format_position(game: OpenSpiel, state: State) -> str:
    """The moves that led there."""
    actions = load(game.source.text).actions_to(state.ctypes.data)
    return " ".join(line_texts(game, np.zeros_like(state), actions))


@rule(OpenSpiel)
def read_position(game: OpenSpiel, text: str, player: int) -> State:
    """The position after the moves of the text."""
    state = np.zeros(state_words(game), np.uint64)
    for move in text.split():
        step(game, state, parse_move(game, state, move))
    mover = player_to_move(state)
    if mover != player:
        raise GameError(
            f"after '{text}' {COLOUR_NAMES[mover]} is to move, not {COLOUR_NAMES[player]}"
        )
    return state
