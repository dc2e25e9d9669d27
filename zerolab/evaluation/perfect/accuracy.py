"""Closeness to perfect play: moves that keep a win, and values of the right sign.

exam = draw_exam(Clobber(5, 5), critical=300, balanced=300, seed=1)
player_share(exam.critical, make_player("mcts:1000"), seed=1)
measure_network(SearchingNetwork(game, evaluate, config), exam)
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerolab.encodings.views import View, encode_states, make_view
from zerolab.errors import UsageError
from zerolab.evaluation.perfect.exam_positions import STAGES, ExactPositions, Exam
from zerolab.evaluation.players.protocol import Player, choose_all
from zerolab.evaluation.ratings.intervals import standard_error
from zerolab.games.base import Game, States, shape
from zerolab.games.notation import legal_list, num_actions
from zerolab.games.position import Position
from zerolab.kernels.compiling import lean
from zerolab.kernels.rng import stream
from zerolab.search.batched.batched_search import Evaluate
from zerolab.search.batched.searching_network import (
    BATCH,
    Floats,
    Moves,
    NetworkSearch,
    SearchingNetwork,
)

Choose = Callable[[States], Moves]


class Share(NamedTuple):
    """The share of right answers."""

    right: float
    """Between 0 and 1."""
    positions: int
    error: float
    """Standard error of `right`."""


class KeepingShare(NamedTuple):
    """The share of moves that keep the value of a position."""

    keeps: float
    positions: int
    error: float
    """Standard error of `keeps`."""
    stages: dict[str, Share]
    """The same early, in the middle and late in the game; stages without positions are left out."""


class StagedShare(NamedTuple):
    """How often something was right, and the same early, in the middle and late in the game."""

    overall: Share
    stages: dict[str, Share]
    """Stages without positions are left out."""


class Perfect(NamedTuple):
    """A network with search beside perfect play."""

    keeps: KeepingShare
    """Moves of the search in critical positions."""
    network_keeps: KeepingShare
    """The network's first move, without search."""
    value_accuracy: Share
    """Signs of the search's values in balanced positions."""
    network_value_accuracy: Share
    """Signs of the network's own values there."""


def keeping_share(positions: ExactPositions, choose: Choose) -> KeepingShare:
    """Have moves chosen in all positions and count those that keep the value."""
    if len(positions.states) == 0:
        raise UsageError("there are no positions to judge moves by")
    return kept_share(positions, choose(positions.states))


def player_share(positions: ExactPositions, player: Player, seed: int = 0) -> KeepingShare:
    """How often a player keeps the value; in each position it draws from a stream of its own."""
    if not positions.positions:
        raise UsageError("there are no positions to judge moves by")
    rngs = [stream(seed, number) for number in range(len(positions.positions))]
    return kept_share(positions, np.array(choose_all(player, positions.positions, rngs), np.int64))


def chooser(game: Game, player: Player, seed: int = 0) -> Choose:
    """A player's moves in states, whose history nobody knows; each has a stream of its own."""

    def choose(states: States) -> Moves:
        rngs = [stream(seed, number) for number in range(len(states))]
        positions = [Position(game, state) for state in states]
        return np.array(choose_all(player, positions, rngs), np.int64)

    return choose


def kept_share(positions: ExactPositions, moves: Moves) -> KeepingShare:
    """The share of moves that keep the value."""
    right = positions.keeps[np.arange(len(moves)), moves].astype(np.float64)
    return KeepingShare(*_share(right), _stages(right, positions))


def measure_network(
    network: SearchingNetwork,
    exam: Exam,
    on_progress: Callable[[int], None] = lambda positions: None,
) -> Perfect:
    """Let a network sit an exam, with search and without."""
    game, evaluate = network.game, network.evaluate
    search = NetworkSearch(network)
    view = make_view(game, network.config.encoding)
    keeps = keeping_share(exam.critical, search.choose)
    on_progress(len(exam.critical.states))
    balanced = exam.balanced
    _, searched = search.look(balanced.states)
    on_progress(len(exam.critical.states) + len(balanced.states))
    _, rated = evaluate_all(game, evaluate, view, balanced.states)
    return Perfect(
        keeps=keeps,
        network_keeps=keeping_share(
            exam.critical, lambda states: network_moves(game, evaluate, view, states)
        ),
        value_accuracy=sign_accuracy(searched, balanced.values),
        network_value_accuracy=sign_accuracy(rated, balanced.values),
    )


def network_moves(game: Game, evaluate: Evaluate, view: View, states: States) -> Moves:
    """The legal moves that a network rates highest, without search."""
    logits, _ = evaluate_all(game, evaluate, view, states)
    if not np.isfinite(logits).all():
        raise UsageError("the network returned a number that is not finite: it has diverged")
    moves: Moves = np.where(_legal_masks(game, states), logits, -np.inf).argmax(axis=1)
    return moves


def sign_accuracy(values: Floats, exact: npt.NDArray[np.int64]) -> Share:
    """How often values have the right sign; who says 0 is half right."""
    return _share(_right_signs(values, exact))


def staged_sign_accuracy(values: Floats, positions: ExactPositions) -> StagedShare:
    """The same for positions of an exam, by stage too."""
    right = _right_signs(values, positions.values)
    return StagedShare(_share(right), _stages(right, positions))


def _right_signs(values: Floats, exact: npt.NDArray[np.int64]) -> Floats:
    return (1 + np.sign(values) * exact) / 2


def _stages(right: Floats, positions: ExactPositions) -> dict[str, Share]:
    return {
        name: _share(right[positions.stages == stage])
        for stage, name in enumerate(STAGES)
        if (positions.stages == stage).any()
    }


def _share(right: Floats) -> Share:
    if len(right) == 0:
        return Share(float("nan"), 0, float("nan"))
    total, count = float(right.sum()), len(right)
    return Share(total / count, count, standard_error(total, count))


def evaluate_all(
    game: Game, evaluate: Evaluate, view: View, states: States
) -> tuple[npt.NDArray[np.float32], Floats]:
    """The network's logits and values, in batches."""
    size = num_actions(game)
    logits, values = np.zeros((len(states), size), np.float32), np.zeros(len(states))
    for first in range(0, len(states), BATCH):
        some = states[first : first + BATCH]
        planes = np.zeros((len(some), view.planes, *shape(game)), np.float32)
        encode_states(view, lean(game), np.ascontiguousarray(some), planes)
        rows = slice(first, first + len(some))
        logits[rows], values[rows] = evaluate(planes)
    return logits, values


def _legal_masks(game: Game, states: States) -> npt.NDArray[np.bool_]:
    masks = np.zeros((len(states), num_actions(game)), np.bool_)
    for state, mask in zip(states, masks, strict=True):
        mask[legal_list(game, state)] = True
    return masks
