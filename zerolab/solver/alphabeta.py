"""Exact values of any game for two players: alpha-beta with a table of positions.

Values are -1, 0 and 1, for the player to move. Moves that leave the opponent the fewest replies are
tried first, then those with the best difference of chances for the mover, then those that have
cut off most before (Schaeffer, "The history heuristic", ICCA Journal 6(3), 1983). A player without
chances cannot win, which bounds the value. The table keeps bounds under canonical keys
(canonical.py): positions that are equal up to symmetry or colours share an entry. Keys are
whole positions, so none are confused.

The search is a loop over a stack of levels, not a recursion: it can stop after any number of steps
and continue later, which allows progress reports and a clean Ctrl-C.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerolab.errors import UsageError
from zerolab.games.base import (
    Actions,
    Game,
    State,
    States,
    chances,
    copy_state,
    legal_actions,
    max_plies,
    num_players,
    player_to_move,
    same_state,
    step,
    terminal_value,
)
from zerolab.games.boards.canonical import Forms, key_words, make_forms, make_key, place_of
from zerolab.games.boards.stones import initial_state
from zerolab.games.notation import num_actions
from zerolab.kernels.compiling import jitable, kernel, lean
from zerolab.kernels.rng import stream
from zerolab.solver.progress import OnProgress, Progress

MEMORY = 2**29
STEPS_PER_CALL = 200_000
WAYS = 4
FILL_SAMPLE = 1024  # one entry in this many is looked at to see how full the table is

LOSS, DRAW, WIN = -1, 0, 1
NOTHING = 2  # no value
REPLY = 10**6  # a reply weighs more than all chances

# What a level of the stack is about to do.
ENTER, GO_ON, TAKE_RESULT, DONE = range(4)


class Table(NamedTuple):
    """Bounds on values; K places in sets of WAYS."""

    keys: npt.NDArray[np.uint64]  # [K, words]
    lower: npt.NDArray[np.int8]  # [K]
    upper: npt.NDArray[np.int8]  # [K]
    work: npt.NDArray[np.int64]  # [K], nodes below; 0 for a free place
    forms: Forms
    history: npt.NDArray[np.int64]  # [2, A], what each player's moves have cut off


class Stack(NamedTuple):
    """The current line of play; D levels."""

    states: States  # [D, words]
    actions: npt.NDArray[np.int64]  # [D, A], moves in the order of trying
    scores: npt.NDArray[np.int64]  # [A], scratch: the least is tried first
    scratch: State  # [words]
    moves: npt.NDArray[np.int64]  # [D], how many there are
    tried: npt.NDArray[np.int64]  # [D], moves tried
    alpha: npt.NDArray[np.int64]  # [D]
    beta: npt.NDArray[np.int64]  # [D]
    entry_alpha: npt.NDArray[np.int64]  # [D], alpha before any move was tried
    best: npt.NDArray[np.int64]  # [D]
    entry_nodes: npt.NDArray[np.int64]  # [D], nodes looked at before this level
    where: npt.NDArray[np.int64]  # [4]: level, what it does, result that came up, nodes


LEVEL, MODE, RESULT, NODES = range(4)


class Solver:
    """Solves positions of one game; each solve profits from earlier ones."""

    def __init__(self, game: Game, memory: int | None = None) -> None:
        """`memory` in bytes, for the table."""
        if num_players(game) != 2:
            raise UsageError("this solver is for two-player games")
        self.game = game
        self._lean = lean(game)
        words = key_words(game)
        memory = memory or MEMORY
        places = WAYS
        while 2 * places * (8 * words + 10) <= memory:
            places *= 2
        self.table = Table(
            np.zeros((places, words), np.uint64),
            np.zeros(places, np.int8),
            np.zeros(places, np.int8),
            np.zeros(places, np.int64),
            make_forms(game, turned=True, swapped=True),
            np.zeros((2, num_actions(game)), np.int64),
        )
        self.nodes = 0

    def compile(self) -> None:
        """Compile the kernel, which would otherwise happen at first use."""
        stack = _make_stack(self.game, initial_state(self.game, stream(0)))
        _search(self._lean, stack, self.table, 0)

    def value(
        self,
        state: State,
        on_progress: OnProgress | None = None,
        max_nodes: int | None = None,
    ) -> int | None:
        """The exact value for the player to move, or None if `max_nodes` did not suffice.

        `on_progress` is called every now and then.
        """
        stack = _make_stack(self.game, state)
        before = self.nodes
        while stack.where[MODE] != DONE:
            if max_nodes is not None and stack.where[NODES] >= max_nodes:
                return None
            _search(self._lean, stack, self.table, STEPS_PER_CALL)
            self.nodes = before + int(stack.where[NODES])
            if on_progress is not None:
                fill = np.count_nonzero(self.table.work[::FILL_SAMPLE]) / len(self.table.work)
                done = max(0, int(stack.tried[0]) - 1)
                on_progress(Progress(self.nodes, FILL_SAMPLE * fill, done, int(stack.moves[0])))
        return int(stack.where[RESULT])


def _make_stack(game: Game, state: State) -> Stack:
    depth, size = max_plies(game) + 2, num_actions(game)
    stack = Stack(
        states=np.empty((depth, state.shape[0]), np.uint64),
        actions=np.empty((depth, size), np.int64),
        scores=np.empty(size, np.int64),
        scratch=np.empty_like(state),
        moves=np.zeros(depth, np.int64),
        tried=np.zeros(depth, np.int64),
        alpha=np.zeros(depth, np.int64),
        beta=np.zeros(depth, np.int64),
        entry_alpha=np.zeros(depth, np.int64),
        best=np.zeros(depth, np.int64),
        entry_nodes=np.zeros(depth, np.int64),
        where=np.zeros(4, np.int64),
    )
    stack.states[0] = state
    stack.alpha[0], stack.beta[0] = LOSS, WIN
    stack.where[MODE] = ENTER
    return stack


@kernel
def _search(game: Game, stack: Stack, table: Table, steps: int) -> None:
    """Continue for that many steps, or to the end."""
    level, mode = stack.where[LEVEL], stack.where[MODE]
    result, nodes = stack.where[RESULT], stack.where[NODES]
    for _ in range(steps):
        if mode == ENTER:
            nodes += 1
            stack.entry_nodes[level] = nodes
            result = enter(game, stack, table, level)
            mode = GO_ON if result == NOTHING else TAKE_RESULT
            if mode == TAKE_RESULT:
                level -= 1
        elif mode == TAKE_RESULT:
            if level < 0:
                mode = DONE
                break
            take_result(stack, table, level, result)
            mode = GO_ON
        elif stack.tried[level] == stack.moves[level] or stack.alpha[level] >= stack.beta[level]:
            store(game, stack, table, level, nodes)
            result = stack.best[level]
            level -= 1
            mode = TAKE_RESULT
        else:
            descend(game, stack, level)
            level += 1
            mode = ENTER
    stack.where[LEVEL], stack.where[MODE] = level, mode
    stack.where[RESULT], stack.where[NODES] = result, nodes


@jitable
def enter(game: Game, stack: Stack, table: Table, level: int) -> int:
    """Look a position up and list its moves; return its value if known, else NOTHING."""
    state = stack.states[level]
    stack.entry_alpha[level] = stack.alpha[level]
    count = legal_actions(game, state, stack.actions[level])
    if count == 0:
        return int(terminal_value(game, state))
    player = player_to_move(state)
    lower = LOSS if chances(game, state, 1 - player) else DRAW
    upper = WIN if chances(game, state, player) else DRAW
    place = find(game, table, state)
    if place >= 0:
        lower = max(lower, int(table.lower[place]))
        upper = min(upper, int(table.upper[place]))
    if lower == upper or lower >= stack.beta[level]:
        return lower
    if upper <= stack.alpha[level]:
        return upper
    stack.alpha[level] = max(stack.alpha[level], lower)
    stack.beta[level] = min(stack.beta[level], upper)
    stack.moves[level] = count
    stack.tried[level] = 0
    stack.best[level] = LOSS
    order_moves(game, stack, table.history[player], level, count)
    return NOTHING


@jitable
def order_moves(game: Game, stack: Stack, history: Actions, level: int, count: int) -> None:
    """Sort moves by replies, then chances, then history; equals keep their order."""
    actions, scores, after = stack.actions[level], stack.scores, stack.scratch
    player = player_to_move(stack.states[level])
    for i in range(count):
        action = actions[i]
        copy_state(stack.states[level], after)
        step(game, after, action)
        # The next level's list is free to be used.
        score = REPLY * legal_actions(game, after, stack.actions[level + 1])
        if score > 0:
            score += chances(game, after, 1 - player) - chances(game, after, player)
        j = i
        while j > 0 and (
            scores[j - 1] > score
            or (scores[j - 1] == score and history[actions[j - 1]] < history[action])
        ):
            actions[j], scores[j] = actions[j - 1], scores[j - 1]
            j -= 1
        actions[j], scores[j] = action, score


@jitable
def descend(game: Game, stack: Stack, level: int) -> None:
    """Play the next move, with the window as the opponent sees it."""
    copy_state(stack.states[level], stack.states[level + 1])
    step(game, stack.states[level + 1], stack.actions[level, stack.tried[level]])
    stack.alpha[level + 1] = -stack.beta[level]
    stack.beta[level + 1] = -stack.alpha[level]


@jitable
def take_result(stack: Stack, table: Table, level: int, result: int) -> None:
    """Take the value of a move; a move that causes a cut-off is remembered."""
    value = -result
    if value >= stack.beta[level]:
        action = stack.actions[level, stack.tried[level]]
        # The more moves there are, the more was spared.
        table.history[player_to_move(stack.states[level]), action] += stack.moves[level] ** 2
    stack.tried[level] += 1
    stack.best[level] = max(stack.best[level], value)
    stack.alpha[level] = max(stack.alpha[level], value)


@jitable
def find(game: Game, table: Table, state: State) -> int:
    """The place of a position, or -1; its key is in `table.forms.key[0]` then."""
    make_key(game, table.forms, state)
    key = table.forms.key[0]
    first = place_of(key, table.work.shape[0] // WAYS) * WAYS
    for place in range(first, first + WAYS):
        if table.work[place] > 0 and same_state(table.keys[place], key):
            return place
    return -1


@jitable
def store(game: Game, stack: Stack, table: Table, level: int, nodes: int) -> None:
    """Store a result; in a full set it replaces the entry with the least work."""
    best = stack.best[level]
    place = find(game, table, stack.states[level])
    if place < 0:
        key = table.forms.key[0]
        first = place_of(key, table.work.shape[0] // WAYS) * WAYS
        place = first
        for other in range(first + 1, first + WAYS):
            if table.work[other] < table.work[place]:
                place = other
        for word in range(key.shape[0]):
            table.keys[place, word] = key[word]
        table.lower[place] = LOSS
        table.upper[place] = WIN
    if best > stack.entry_alpha[level]:
        table.lower[place] = max(int(table.lower[place]), best)
    if best < stack.beta[level]:
        table.upper[place] = min(int(table.upper[place]), best)
    table.work[place] = nodes - stack.entry_nodes[level] + 1
