"""Compares players with perfect play: on random positions and in games against themselves.

questions = draw_questions(Judge(Clobber(5, 5)), positions=300, games=20, seed=1)
examine(questions, "mcts:100").selfplay.overall.regret
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from zerolab.evaluation.matches.pairs import remembers
from zerolab.evaluation.perfect.accuracy import (
    KeepingShare,
    StagedShare,
    player_share,
    staged_sign_accuracy,
)
from zerolab.evaluation.perfect.exam_positions import Exam, draw_exam
from zerolab.evaluation.perfect.judge import Judge
from zerolab.evaluation.perfect.regret import (
    ChooseAlong,
    Line,
    SelfPlayed,
    judge_lines,
    play_lines,
)
from zerolab.evaluation.players.players import CanLook, make_player, with_tree
from zerolab.evaluation.players.protocol import (
    CanRate,
    Player,
    check_player,
    choose_all,
    close_player,
)
from zerolab.games.base import Game
from zerolab.games.playing.openings import PLIES, openings_or_start
from zerolab.games.position import Position
from zerolab.kernels.rng import stream
from zerolab.search.batched.searching_network import Floats

SKIPPED = 4  # one skipped position for four wanted ones is enough: each takes seconds


class Questions(NamedTuple):
    """The positions and openings that all players are examined with."""

    judge: Judge
    exam: Exam
    openings: list[Position]
    """Openings of the games that each player plays against itself."""
    seed: int

    @property
    def game(self) -> Game:
        """The game of the questions."""
        return self.judge.game


class Examined(NamedTuple):
    """The results of a player."""

    name: str
    random: KeepingShare | None
    """Its moves in critical positions of random games; None if there are none."""
    selfplay: SelfPlayed
    """Its games against itself."""
    values: dict[str, StagedShare]
    """Signs of its values in balanced positions, by their source; empty if it has no values."""


def draw_questions(
    judge: Judge,
    positions: int,
    games: int,
    seed: int = 0,
    on_progress: Callable[[int], None] = lambda found: None,
    opening: int = PLIES,
) -> Questions:
    """`positions` critical and as many balanced ones, and openings of games.

    When too many positions were beyond the judge's budget, there may be fewer.
    """
    limit = max(1, positions // SKIPPED)
    exam = draw_exam(judge.game, positions, positions, seed, on_progress, judge, max_skipped=limit)
    return Questions(judge, exam, openings_or_start(judge.game, games, seed, opening), seed)


def examine(
    questions: Questions, name: str, on_progress: Callable[[int], None] = lambda games: None
) -> Examined:
    """Let a player answer them; `on_progress` gets the number of its judged games."""
    game, exam = questions.game, questions.exam
    player = make_player(name)
    try:
        check_player(player, game)
        random = None
        if exam.critical.positions:
            random = player_share(exam.critical, player, questions.seed)
        values = {}
        if exam.balanced.positions:
            found = values_of(player, exam.balanced.positions, questions.seed)
            values = {
                source: staged_sign_accuracy(each, exam.balanced) for source, each in found.items()
            }
        lines = play_itself(game, player, questions.openings, questions.seed)
        return Examined(
            name, random, judge_lines(game, lines, questions.judge, on_progress), values
        )
    finally:
        close_player(player)


def play_itself(game: Game, player: Player, openings: list[Position], seed: int = 0) -> list[Line]:
    """A player's games against itself.

    A player that keeps state between moves plays them one after the other, against a second
    instance of itself, so that its state contains no more than in other games.
    """
    mine = _along(player)
    if not remembers(player):
        return play_lines(game, (mine, mine), openings, seed)
    partner = make_player(player.name)
    try:
        sides = mine, _along(partner)
        return [
            play_lines(game, sides, [opening], seed + number)[0]
            for number, opening in enumerate(openings)
        ]
    finally:
        close_player(partner)


def values_of(player: Player, positions: Sequence[Position], seed: int = 0) -> dict[str, Floats]:
    """A player's values of positions, for the player to move, by source."""
    if isinstance(player, CanRate):
        return player.rate(positions)
    player = with_tree(player)
    if not isinstance(player, CanLook):
        return {}
    return {
        "search": np.array(
            [
                player.look(position, stream(seed, number)).analyse().value
                for number, position in enumerate(positions)
            ]
        )
    }


def _along(player: Player) -> ChooseAlong:
    return lambda positions, rngs: choose_all(player, positions, rngs)
