import ast
from pathlib import Path

import numpy as np
import pytest

from zerolab.games.base import BLACK, WHITE, player_to_move, step
from zerolab.games.boards.canonical import make_forms, make_key
from zerolab.games.boards.stones import initial_state
from zerolab.games.clobber import Clobber, Variant
from zerolab.games.notation import format_position, legal_list, move_text, parse_position
from zerolab.kernels.rng import stream
from zerolab.solver.verification import plain_clobber, proof_tree, settled_claims
from zerolab.solver.verification.plain_clobber import (
    PAIRS,
    chequered,
    moves,
    standard,
    stones,
    swapped,
    text,
)


def as_seen(game, state):
    """A position of the compiled rules, with its mover as Black."""
    position = tuple(format_position(game, state).split("|"))
    return position if player_to_move(state) == BLACK else swapped(position)


def random_states(game, games=3):
    draw = np.random.default_rng(7)
    for _ in range(games):
        state = initial_state(game, stream(0))
        while True:
            yield state
            legal = legal_list(game, state)
            if not legal:
                break
            state = state.copy()
            step(game, state, int(draw.choice(legal)))


@pytest.mark.parametrize("variant", PAIRS)
@pytest.mark.parametrize(("rows", "cols"), [(3, 4), (4, 4), (1, 5), (9, 8)])
def test_the_rules_are_those_that_are_compiled(rows, cols, variant):
    game = Clobber(rows, cols, Variant[variant.upper()])
    for state in random_states(game):
        expected = {}
        for action in legal_list(game, state):
            after = state.copy()
            step(game, after, action)
            expected[move_text(game, state, action)] = as_seen(game, after)
        assert dict(moves(as_seen(game, state), variant)) == expected


@pytest.mark.parametrize(("rows", "cols"), [(3, 4), (4, 4), (2, 2), (1, 3)])
def test_positions_share_a_form_if_and_only_if_they_are_symmetric(rows, cols):
    game = Clobber(rows, cols)
    forms = make_forms(game, turned=True, swapped=True)
    ours, theirs = {}, {}
    for state in random_states(game, 20):
        make_key(game, forms, state)
        ours.setdefault(standard(as_seen(game, state)), set()).add(forms.key[0].tobytes())
        theirs.setdefault(forms.key[0].tobytes(), set()).add(standard(as_seen(game, state)))
    assert len(ours) > 1
    assert {len(keys) for keys in [*ours.values(), *theirs.values()]} == {1}


def test_a_form_in_full():
    turned = ["x.|oo", ".x|oo", "oo|x.", "oo|.x", "ox|o.", "o.|ox", "xo|.o", ".o|xo"]
    for each in turned:
        assert text(standard(tuple(each.split("|")))) == min(turned)
    assert standard(("xo.",)) == (".ox",)  # it is not turned upright


def test_the_start_and_its_stones():
    for rows, cols in ((1, 2), (3, 4), (6, 6)):
        game = Clobber(rows, cols)
        start = chequered(rows, cols)
        assert text(start) == format_position(game, initial_state(game, stream(0)))
        assert stones(start) == rows * cols
        white = parse_position(game, text(start), WHITE)
        assert as_seen(game, white) == swapped(start)
    assert stones(("x.", ".o")) == 2


def test_above_the_leaves_nothing_of_the_solver_or_the_games_is_used():
    allowed = ("zerolab.solver.verification", "zerolab.errors")
    for module in (plain_clobber, settled_claims, proof_tree):
        tree = ast.parse(Path(module.__file__).read_text("utf-8"))
        for node in ast.walk(tree):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                assert name.startswith(allowed) or not name.startswith("zerolab")
