"""The strength of a trained network: the ladder of jans, and perfect play where it is known.

Where training used exact leaves, the network is judged with them and without, which shows what it
has learnt itself.
"""

import functools
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from zerolab.evaluation.matches.ladder import LevelResult, play_level
from zerolab.evaluation.perfect.accuracy import Perfect, measure_network
from zerolab.evaluation.perfect.exam_positions import Exam
from zerolab.evaluation.perfect.exhaustive import Walks, find_mistakes
from zerolab.experiments.evaluators import make_exam
from zerolab.games.base import Game, shape
from zerolab.games.boards.stones import starts_at_random
from zerolab.networks.onnx_evaluator import OnnxEvaluator
from zerolab.search.batched.batched_search import SearchConfig
from zerolab.search.batched.searching_network import NetworkSearch, SearchingNetwork, to_win
from zerolab.solver.exact_leaves import make_oracle

LEVELS = 5
QUESTIONS = 500  # of the exam
WALKED = 16  # cells of boards on which all games of the network are examined
EXACT, PLAIN = "with exact leaves", "network and search"

Networks = dict[str, SearchingNetwork]  # by what they are called in tables


class ExamResult(NamedTuple):
    """The results of a network in an exam."""

    perfect: Perfect
    walks: Walks | None
    """All games that it can reach, on small boards."""

    @property
    def fields(self) -> dict[str, Any]:
        """The result as a record for JSON."""
        fields: dict[str, Any] = {
            "keeps": self.perfect.keeps.keeps,
            "keeps_error": self.perfect.keeps.error,
            "positions": self.perfect.keeps.positions,
            "value_accuracy": self.perfect.value_accuracy.right,
            "network_keeps": self.perfect.network_keeps.keeps,
            "network_value_accuracy": self.perfect.network_value_accuracy.right,
        }
        if self.walks is not None:
            walks = self.walks.first, self.walks.second
            fields["reachable_positions"] = sum(walk.positions for walk in walks)
            fields["mistakes"] = sum(len(walk.mistakes) for walk in walks)
        return fields


def networks_to_judge(game: Game, model: bytes, search: SearchConfig, stones: int) -> Networks:
    """A model with its settings for play: with exact leaves, if there are any, and without."""
    plain = SearchingNetwork(game, OnnxEvaluator(model), to_win(search))
    networks = {PLAIN: plain}
    if stones:
        networks = {EXACT: plain._replace(oracle=make_oracle(game, stones)), **networks}
    return networks


def climb(
    networks: Networks,
    games: int,
    seed: int = 0,
    on_progress: Callable[[int], None] = lambda games: None,
    levels: int = LEVELS,
) -> Iterator[tuple[str, LevelResult]]:
    """Play the ladder with each network, level by level; results carry the name of the network.

    `on_progress` gets the number of finished games, of levels x games x networks.
    """
    done = 0
    for name, network in networks.items():
        for level in range(levels):

            def on_games(played: int, done: int = done) -> None:
                on_progress(done + played)

            yield name, play_level(network, level, games, seed + level, on_games)
            done += games


@functools.lru_cache(maxsize=1)
def exam_of(game: Game, questions: int) -> Exam | None:
    """The exam of a game; it is remembered, since sweeps examine many networks."""
    return make_exam(game, questions)


def examine_networks(networks: Networks) -> Iterator[tuple[str, ExamResult]]:
    """Compare each network with perfect play; nothing where perfect play is not known."""
    game = next(iter(networks.values())).game
    exam = exam_of(game, QUESTIONS)
    if exam is None:
        return
    rows, cols = shape(game)
    for name, network in networks.items():
        walks = None
        if rows * cols <= WALKED and not starts_at_random(game):
            walks = find_mistakes(game, NetworkSearch(network).choose)
        yield name, ExamResult(measure_network(network, exam), walks)
