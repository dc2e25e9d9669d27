"""Keys of positions with more words than one, and with the colours swapped."""

import numpy as np
import pytest

from tests.games.drawn import play
from zerolab.games.base import BLACK, WHITE, player_to_move, random_action, step
from zerolab.games.boards.canonical import make_forms, make_key
from zerolab.games.boards.stones import EMPTY, board_words, initial_state, stone_at
from zerolab.games.clobber import Clobber
from zerolab.games.connect_four import ConnectFour
from zerolab.games.go import Go
from zerolab.games.gobang import Gobang
from zerolab.games.graph_clobber import GraphClobber
from zerolab.games.notation import num_actions, parse_position
from zerolab.games.othello import Othello
from zerolab.kernels.rng import stream


def key(game, text, player, swapped=True):
    forms = make_forms(game, turned=True, swapped=swapped)
    make_key(game, forms, parse_position(game, text, player))
    return forms.key[0].tolist()


def swap(text):
    return text.translate(str.maketrans("xo", "ox"))


def random_text(game, plies, seed):
    rng, state = stream(seed), initial_state(game, stream(0))
    actions = np.empty(num_actions(game), np.int64)
    for _ in range(plies):
        step(game, state, random_action(game, state, actions, rng))
    marks = {EMPTY: ".", BLACK: "x", WHITE: "o"}
    cells = [marks[int(stone_at(game, state, cell))] for cell in range(game.rows * game.cols)]
    rows = [cells[row * game.cols : (row + 1) * game.cols] for row in range(game.rows)]
    return "|".join("".join(row) for row in rows), int(player_to_move(state))


def test_swapped_colours_have_one_key_on_boards_of_two_words():
    game = Clobber(9, 9)
    assert board_words(game) == 2
    for seed in range(5):
        text, _ = random_text(game, 20 + seed, seed)
        assert key(game, text, 0) == key(game, swap(text), 1)
        assert key(game, text, 0) != key(game, text, 1)
        assert key(game, text, 1, swapped=False) != key(game, swap(text), 0, swapped=False)


def test_turned_boards_have_one_key():
    game = Clobber(9, 9)
    text, player = random_text(game, 30, 1)
    turned = "|".join(row[::-1] for row in text.split("|")[::-1])
    assert turned != text
    assert key(game, text, player) == key(game, turned, player)


def test_every_stone_counts():
    game = Clobber(9, 9)
    text, player = random_text(game, 10, 2)
    known = {tuple(key(game, text, player))}
    for place, mark in enumerate(text):
        if mark in "xo":
            known.add(tuple(key(game, text[:place] + "." + text[place + 1 :], player)))
    assert len(known) == 1 + sum(mark in "xo" for mark in text)


@pytest.mark.parametrize(
    "game",
    [Clobber(3, 3), GraphClobber(), Othello(4, 4), ConnectFour(4, 4), Gobang(4, 4)],
    ids=str,
)
def test_all_our_games_are_the_same_with_the_colours_swapped(game):
    assert make_forms(game, turned=True, swapped=True).swap[0]
    assert not make_forms(game, turned=True, swapped=False).swap[0]


# White takes c3 from b3 on the left; on the right there was nothing to take. Then the stones are
# the same, but Black may play c3 on the right only.
TAKEN = (".xo.|x.xo|.xo.|....", ".xo.|x..o|.xo.|....")


@pytest.mark.parametrize("turned", [False, True])
def test_what_a_state_remembers_counts(turned):
    game = Go(4, 4)
    forms = make_forms(game, turned=turned, swapped=True)
    keys = []
    for text in TAKEN:
        state = play(game, text, "b3", player=WHITE)
        make_key(game, forms, state)
        keys.append(forms.key[0].tolist())
        mirrored = "|".join(reversed(text.split("|")))
        make_key(game, forms, play(game, mirrored, "b2", player=WHITE))
        assert (forms.key[0].tolist() == keys[-1]) == turned
    assert keys[0] != keys[1]
    assert keys[0][:3] == keys[1][:3]  # turn word and stones


def test_colours_are_not_swapped_where_a_komi_tells_them_apart():
    assert not make_forms(Go(4, 4), turned=True, swapped=True).swap[0]
