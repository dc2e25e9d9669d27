"""Clobber on any undirected graph: a stone takes one of the other colour across an edge.

Compiled rules take no arrays from the record, so a state carries the graph: after the stones comes
one word for each edge, lower vertex in its high half, higher vertex in its low half. `step` never
touches these.
"""

from typing import NamedTuple

import numpy as np

from zerolab.games.base import Actions, GameError, State, player_to_move
from zerolab.games.boards.stones import board_words, first_words
from zerolab.games.boards.symmetry import IDENTITY, Turn
from zerolab.games.notation import Arcs, parse_edge, parse_position, parse_stones
from zerolab.games.position import Position
from zerolab.kernels.bits import U1, as_int, bit, word_of
from zerolab.kernels.compiling import jitable, length_of, rule
from zerolab.kernels.rng import Stream

_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


class GraphClobber(NamedTuple):
    """A graph and the stones on its vertices."""

    edges: str = "0-1 1-2 2-3 3-4 4-5 0-5"
    """Pairs of vertices, numbered from 0, such as 0-1 1-2 2-0; spaces or commas between them."""
    stones: str = "xoxoxo"
    """One character for each vertex in order: x, o or . (empty)."""

    def start(self, seed: int = 0) -> Position:
        return Position.start(self, seed)


@rule(GraphClobber)
def legal_actions(game: GraphClobber, state: State, actions: Actions) -> int:
    words = board_words(game)
    own, other = first_words(words, player_to_move(state))
    first_edge = 1 + 2 * words
    count = 0
    for edge in range(state.shape[0] - first_edge):
        for back in range(2):
            source, target = arc(state, first_edge + edge, back)
            mover = state[own + word_of(source)] & bit(source)
            if mover and state[other + word_of(target)] & bit(target):
                actions[count] = 2 * edge + back
                count += 1
    return count


@rule(GraphClobber)
def step(game: GraphClobber, state: State, action: int) -> None:
    words = board_words(game)
    own, other = first_words(words, player_to_move(state))
    source, target = arc(state, 1 + 2 * words + action // 2, action % 2)
    state[own + word_of(source)] &= ~bit(source)
    state[other + word_of(target)] &= ~bit(target)
    state[own + word_of(target)] |= bit(target)
    state[0] ^= U1


@rule(GraphClobber)
def terminal_value(game: GraphClobber, state: State) -> float:
    return -1.0


@rule(GraphClobber)
def shape(game: GraphClobber) -> tuple[int, int]:
    return 1, length_of(game.stones)


@jitable
def arc(state: State, word: int, back: int) -> tuple[int, int]:
    """The edge kept in a word as (source, target), turned round if `back`."""
    low, high = as_int(state[word] >> _HALF), as_int(state[word] & _LOW)
    if back:
        return high, low
    return low, high


# For Python only.


@rule(GraphClobber)
def action_space(game: GraphClobber) -> Arcs:
    return Arcs(edge_list(game))


@rule(GraphClobber)
def turns(game: GraphClobber) -> tuple[Turn, ...]:
    return (IDENTITY,)  # a graph may have more, but finding them is a subject of its own


@rule(GraphClobber)
def state_words(game: GraphClobber) -> int:
    return 1 + 2 * board_words(game) + len(edge_list(game))


@rule(GraphClobber)
def initial_state(game: GraphClobber, rng: Stream) -> State:
    return parse_position(game, game.stones)


@rule(GraphClobber)
def complete(game: GraphClobber, state: State) -> None:
    words = [np.uint64(low) << _HALF | np.uint64(high) for low, high in edge_list(game)]
    state[1 + 2 * board_words(game) :] = words


@rule(GraphClobber)
def is_colour_blind(game: GraphClobber) -> bool:
    return True


@rule(GraphClobber)
def check(game: GraphClobber) -> None:
    if len(game.stones) < 2:
        raise GameError("a graph needs at least two vertices; stones has a character for each")
    parse_stones(game.stones, 1, len(game.stones))
    for low, high in edge_list(game):
        if high >= len(game.stones):
            raise GameError(
                f"edge {low}-{high} needs {high + 1} vertices, but stones '{game.stones}' has "
                f"{len(game.stones)}"
            )
        if low == high:
            raise GameError(f"edge {low}-{high} joins a vertex to itself")


def edge_list(game: GraphClobber) -> tuple[tuple[int, int], ...]:
    """Each edge once, as (lower, higher), in ascending order."""
    pairs = [parse_edge(text) for text in game.edges.replace(",", " ").split()]
    return tuple(sorted({(min(pair), max(pair)) for pair in pairs}))
