"""Solitaire Clobber by hand, and how few stones can be left on small boards."""

import functools

import pytest

from tests.games.drawn import moves, play
from zerolab.games.base import State, num_players, player_to_move, step, terminal_value
from zerolab.games.boards.stones import initial_state
from zerolab.games.notation import format_position, legal_list, parse_position
from zerolab.games.solitaire import Solitaire
from zerolab.kernels.rng import stream


def test_colours_alternate_or_not() -> None:
    #   1 x o x
    #     a b c
    assert moves(Solitaire(1, 3), "xox") == ["a1b1", "c1b1"]
    assert moves(Solitaire(1, 3, alternate=False), "xox") == ["a1b1", "b1a1", "b1c1", "c1b1"]
    assert player_to_move(play(Solitaire(1, 3), "xox", "a1b1")) == 1
    assert player_to_move(play(Solitaire(1, 3, alternate=False), "xox", "a1b1")) == 0


def test_it_has_one_player() -> None:
    assert num_players(Solitaire()) == 1


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("x....", 1.0),  # one stone left
        ("x.x..", 0.5),  # 1 - 2 * (2 - 1) / (5 - 1)
        ("x.x.x", 0.0),  # 1 - 2 * (3 - 1) / (5 - 1)
        ("xxxxx", -1.0),  # nothing done
    ],
)
def test_value_by_stones_left(text: str, value: float) -> None:
    assert terminal_value(Solitaire(1, 5), parse_position(Solitaire(1, 5), text)) == value


def fewest_left(game: Solitaire) -> int:
    """Stones left by best play, by looking at everything."""

    @functools.cache
    def search(text: str, player: int) -> int:
        state = parse_position(game, text, player)
        children = [child_of(game, state, action) for action in legal_list(game, state)]
        if not children:
            return text.count("x") + text.count("o")
        return min(search(*child) for child in children)

    return search(format_position(game, initial_state(game, stream(1))), 0)


def child_of(game: Solitaire, state: State, action: int) -> tuple[str, int]:
    child = state.copy()
    step(game, child, action)
    return format_position(game, child), player_to_move(child)


@pytest.mark.parametrize(
    ("rows", "cols", "left"),
    [(2, 2, 1), (2, 3, 2), (2, 4, 1), (3, 3, 2)],  # Demaine et al.: 2 where 3 divides the cells
)
def test_fewest_stones_left_on_chequered_boards(rows: int, cols: int, left: int) -> None:
    assert fewest_left(Solitaire(rows, cols)) == left
