"""The nine laws of zerolab/games/base.py as functions of a game.

Each plays random games from fixed seeds and asserts. A game somebody adds is checked by calling all
of `LAWS` on its record, on several sizes, boards of more than 64 cells among them.
"""

import itertools
import math

import numpy as np

from tests.games.kernels import draw_often, look_and_step
from tests.games.play import random_game, some_plies
from zerolab.games.base import (
    NO_ACTION,
    Game,
    Planes,
    State,
    is_legal,
    legal_actions,
    max_plies,
    num_players,
    player_to_move,
    random_action,
    shape,
    step,
    terminal_value,
)
from zerolab.games.boards.stones import (
    COLOURS,
    OWN,
    complete,
    encode,
    initial_state,
    memory_boards,
    num_planes,
    state_words,
)
from zerolab.games.boards.symmetry import symmetries, turn_planes, turn_policy, turn_state
from zerolab.games.notation import (
    format_move,
    format_position,
    legal_list,
    num_actions,
    parse_move,
    parse_position,
)
from zerolab.kernels.compiling import lean
from zerolab.kernels.rng import stream

SEEDS = (1, 2)
UNTOUCHED = -7  # no action


def law_1_over_when_no_action_is_legal(game: Game) -> None:
    """A game is over exactly when there is no legal action, and no turn is skipped silently."""
    for seed in SEEDS:
        plies = random_game(game, seed)
        for before, after in itertools.pairwise(plies):
            assert len(before.legal) > 0
            if num_players(game) == 2:
                assert player_to_move(after.state) == 1 - player_to_move(before.state)
        assert plies[-1].legal == ()
        assert abs(terminal_value(game, plies[-1].state)) <= 1


def law_2_each_legal_action_once_in_order(game: Game) -> None:
    """`legal_actions` lists each legal action once, in ascending order, below `num_actions`.

    `is_legal` accepts those and no others, numbers that are no action included.
    """
    scratch = np.empty(num_actions(game), np.int64)
    for ply in some_plies(game, SEEDS[0], 4):
        numbers = range(-2, num_actions(game) + 3)
        assert [each for each in numbers if is_legal(game, ply.state, each, scratch)] == [
            *ply.legal
        ]
    for seed in SEEDS:
        for ply in random_game(game, seed):
            actions = np.full(num_actions(game) + 1, UNTOUCHED, np.int64)
            count = legal_actions(game, ply.state, actions)
            listed = actions[:count].tolist()
            assert listed == sorted(set(listed))
            assert all(0 <= action < num_actions(game) for action in listed)
            assert (actions[count:] == UNTOUCHED).all()


def law_3_random_action_is_fair(game: Game) -> None:
    """`random_action` returns a legal action, each with equal chance, or NO_ACTION."""
    scratch = np.empty(num_actions(game), np.int64)
    rng = stream(3)
    for ply in random_game(game, SEEDS[0]):
        assert random_action(game, ply.state, scratch, rng) in (ply.legal or (NO_ACTION,))
    for ply in some_plies(game, SEEDS[1], 4):
        if ply.legal:
            assert_uniform(game, ply.state, ply.legal)


def assert_uniform(game: Game, state: State, legal: tuple[int, ...]) -> None:
    """A chi-square test. The statistic has mean n - 1 and variance 2 (n - 1)."""
    each = 500
    counts = np.zeros(num_actions(game), np.int64)
    scratch = np.empty(num_actions(game), np.int64)
    draw_often(lean(game), state.copy(), scratch, stream(33), counts, each * len(legal))
    assert counts.sum() == counts[list(legal)].sum() == each * len(legal)
    free = len(legal) - 1
    statistic = ((counts[list(legal)] - each) ** 2 / each).sum()
    assert statistic <= free + 6 * math.sqrt(2 * free)


def law_4_step_depends_on_state_and_action_only(game: Game) -> None:
    """`step` changes the state in place and depends on nothing but game, state and action."""
    one, two = (random_game(game, seed) for seed in SEEDS)
    twin_game = type(game)(*game)  # an equal record, not the same
    states = [one[0].state.copy(), two[0].state.copy()]
    for i in range(max(len(one), len(two))):  # in turns, so that neither may remember anything
        for plies, state in zip((one, two), states, strict=True):
            if i < len(plies):
                assert state.tolist() == plies[i].state.tolist()
                if plies[i].action != NO_ACTION:
                    assert step(twin_game, state, plies[i].action) is None
                    assert state.tolist() != plies[i].state.tolist()


def law_5_every_game_ends(game: Game) -> None:
    """Every game ends, after at most `max_plies` steps."""
    for seed in (*SEEDS, 3, 4):
        assert len(random_game(game, seed)) - 1 <= max_plies(game)


def law_6_values_lie_between_lost_and_won(game: Game) -> None:
    """`terminal_value` is in [-1, 1]; looking changes nothing."""
    for seed in (*SEEDS, 3, 4):
        state = random_game(game, seed)[-1].state.copy()
        value = terminal_value(game, state)
        assert isinstance(value, float)
        assert -1 <= value <= 1
        assert state.tolist() == random_game(game, seed)[-1].state.tolist()


def law_7_text_says_it_all(game: Game) -> None:
    """A state can be rebuilt from its text and the player to move, and a move from its text.

    A state that remembers earlier moves is rebuilt as if there had been none.
    """
    for seed in SEEDS:
        for ply in random_game(game, seed):
            text = format_position(game, ply.state)
            rebuilt = parse_position(game, text, player_to_move(ply.state))
            expected = ply.state.copy()
            if memory_boards(game):
                complete(game, expected)
            assert rebuilt.tolist() == expected.tolist()
        for ply in some_plies(game, seed, 6):
            moves = [format_move(game, action) for action in ply.legal]
            assert [parse_move(game, ply.state, move) for move in moves] == list(ply.legal)


def law_8_symmetries_commute_with_the_rules(game: Game) -> None:
    """Through a symmetry, legal actions, steps, values and planes all agree."""
    for symmetry in symmetries(game):
        for ply in some_plies(game, SEEDS[0], 6):
            turned = turn_state(game, ply.state, symmetry)
            assert legal_list(game, turned) == sorted(symmetry.actions[list(ply.legal)].tolist())
            for encoding in (COLOURS, OWN):
                planes = turn_planes(planes_of(game, ply.state, encoding), symmetry)
                assert planes.tolist() == planes_of(game, turned, encoding).tolist()
            policy = np.zeros(num_actions(game), np.float32)
            policy[list(ply.legal)] = np.arange(1, len(ply.legal) + 1)
            expected = {symmetry.actions[a]: i for i, a in enumerate(ply.legal, 1)}
            turned_policy = turn_policy(policy, symmetry)
            assert {a: turned_policy[a] for a in np.flatnonzero(turned_policy)} == expected
            if ply.action == NO_ACTION:
                assert terminal_value(game, turned) == terminal_value(game, ply.state)
            else:
                after = ply.state.copy()
                step(game, after, ply.action)
                step(game, turned, int(symmetry.actions[ply.action]))
                assert turned.tolist() == turn_state(game, after, symmetry).tolist()


def law_9_compiled_as_plain(game: Game) -> None:
    """The rules give the same results compiled and as plain Python."""
    for seed in SEEDS:
        plies = random_game(game, seed)
        state = initial_state(game, stream(seed))
        compiled_rng, plain_rng = stream(9), stream(9)
        for ply in plies:
            assert state.tolist() == ply.state.tolist()
            actions, scratch = np.full((2, num_actions(game)), UNTOUCHED, np.int64)
            colours, own = empty_planes(game, COLOURS), empty_planes(game, OWN)
            count, drawn, value, players = look_and_step(
                lean(game), state, ply.action, actions, scratch, compiled_rng, colours, own
            )
            assert tuple(actions[:count]) == ply.legal
            assert drawn == random_action(game, ply.state, scratch, plain_rng)
            assert colours.tolist() == planes_of(game, ply.state, COLOURS).tolist()
            assert own.tolist() == planes_of(game, ply.state, OWN).tolist()
            assert players == num_players(game)
            if ply.action == NO_ACTION:
                assert value == terminal_value(game, ply.state)
        assert state.shape == (state_words(game),)


def empty_planes(game: Game, encoding: int) -> Planes:
    """Planes full of what no encoding writes."""
    return np.full((num_planes(game, encoding), *shape(game)), np.nan, np.float32)


def planes_of(game: Game, state: State, encoding: int) -> Planes:
    """What a network sees of a position."""
    planes = empty_planes(game, encoding)
    encode(game, state, encoding, planes)
    assert not np.isnan(planes).any()
    return planes


LAWS = (
    law_1_over_when_no_action_is_legal,
    law_2_each_legal_action_once_in_order,
    law_3_random_action_is_fair,
    law_4_step_depends_on_state_and_action_only,
    law_5_every_game_ends,
    law_6_values_lie_between_lost_and_won,
    law_7_text_says_it_all,
    law_8_symmetries_commute_with_the_rules,
    law_9_compiled_as_plain,
)
