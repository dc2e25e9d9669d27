"""Evaluators: processes that judge the current network during training."""

import math
from collections.abc import Sequence

import numpy as np

from zerolab.evaluation.matches.ladder import Pairing, play_games, simulations_of
from zerolab.evaluation.perfect.accuracy import measure_network
from zerolab.evaluation.perfect.exam_positions import Exam, draw_exam
from zerolab.evaluation.perfect.judge import Judge
from zerolab.evaluation.perfect.regret import judge_lines, play_lines
from zerolab.games.base import BLACK, Game
from zerolab.games.catalogue import describe, name_of, remake
from zerolab.games.clobber import Clobber
from zerolab.games.playing.openings import openings_or_start
from zerolab.games.position import Position
from zerolab.kernels.rng import Stream
from zerolab.networks.onnx_evaluator import OnnxEvaluator
from zerolab.records.recorded_game import RecordedGame
from zerolab.search.batched.searching_network import Moves, NetworkSearch, SearchingNetwork, to_win
from zerolab.solver.exact_leaves import NO_ORACLE, make_oracle
from zerolab.training.runs.evaluations import EVAL, EVAL_PLAIN, Evaluated, Measured
from zerolab.training.runs.kept_games import NETWORK_NAME
from zerolab.training.selfplay.workforce import Job, Link
from zerolab.training.settings.continuous_config import TrainingConfig
from zerolab.training.settings.loops import RunConfig

EXAMINED = 25  # cells: on larger boards exact answers take minutes
FIRST_PLY = 4  # of positions in exams, and of games against itself that are judged
QUESTIONS = 200  # in an exam while training
SELF_GAMES = 16  # in an exam while training
MEMORY = 2**26  # bytes, of the table of the solver that judges; it stays for the whole run
NICE = 10  # they take a tenth of what an actor takes where cores are short


def evaluator_jobs(game: Game, config: RunConfig) -> list[Job]:
    """The evaluators of these settings; the staged loop has none."""
    if not isinstance(config, TrainingConfig):
        return []
    arguments = name_of(game), describe(game), config
    return [
        Job(f"evaluator {number + 1}", keep_judging, arguments, NICE)
        for number in range(config.evaluators)
    ]


def make_exam(game: Game, questions: int, judge: Judge | None = None) -> Exam | None:
    """Positions with exact answers, the same for all runs; None where they take too long."""
    if not isinstance(game, Clobber) or game.rows * game.cols > EXAMINED:
        return None
    exam = draw_exam(game, questions, questions, judge=judge, first_ply=FIRST_PLY)
    return exam if exam.critical.positions and exam.balanced.positions else None


class Examiner:
    """Examines successive networks with the same questions.

    Games against itself always begin with the same openings, so that curves show the network and
    not its luck, and the solver has seen many of the positions before.
    """

    def __init__(self, game: Game, exam: Exam, judge: Judge, games: int = SELF_GAMES) -> None:
        self.game = game
        self.exam = exam
        self.judge = judge
        self.openings = openings_or_start(game, games, 0, FIRST_PLY)

    def examine(self, network: SearchingNetwork) -> Measured:
        """The results of a network for the log; see docs/training.md."""
        found = measure_network(network, self.exam)
        search = NetworkSearch(network, batch=len(self.openings))

        def choose(positions: Sequence[Position], rngs: Sequence[Stream]) -> Moves:
            return search.choose(np.array([position.words for position in positions]), rngs)

        lines = play_lines(self.game, (choose, choose), self.openings)
        played = judge_lines(self.game, lines, self.judge)
        fields = {
            "keeps": found.keeps.keeps,
            "positions": found.keeps.positions,
            "network_keeps": found.network_keeps.keeps,
            "value_accuracy": found.value_accuracy.right,
            "network_value_accuracy": found.network_value_accuracy.right,
            **{f"keeps_{name}": each.right for name, each in found.keeps.stages.items()},
            "selfplay_games": played.games,
            "selfplay_skipped": played.skipped,
            "selfplay_keeps": played.overall.keeps.right,
            "selfplay_critical": played.overall.critical.right,
            "regret": played.overall.regret,
            "regret_error": played.overall.regret_error or 0.0,
            **{f"regret_{name}": each.regret for name, each in played.stages.items()},
        }
        return Measured({name: each for name, each in fields.items() if math.isfinite(each)})


def make_examiner(game: Game) -> Examiner | None:
    """The examiner for a run; None where exact answers take too long."""
    judge = Judge(game, memory=MEMORY)
    exam = make_exam(game, QUESTIONS, judge)
    return None if exam is None else Examiner(game, exam, judge)


def keep_judging(
    link: Link, seed: int, rules: str, description: str, config: TrainingConfig
) -> None:
    """The work of an evaluator: both colours against each level of the ladder, then an exam.

    Where actors have exact leaves, it plays alternately with and without them, which shows what the
    network itself has learnt.
    """
    game = remake(rules, description)
    search = to_win(config.search)
    exact = make_oracle(game, config.exact_stones)
    examiner = make_examiner(game)
    evaluate: OnnxEvaluator | None = None
    games = 0
    while True:
        is_plain = config.exact_stones > 0 and games // (2 * config.eval_levels) % 2 == 1
        kind, oracle = (EVAL_PLAIN, NO_ORACLE) if is_plain else (EVAL, exact)
        for level in range(config.eval_levels):
            found = link.new_model()
            if found is not None:
                evaluate = OnnxEvaluator(found[1])
            assert evaluate is not None
            pairings = [Pairing(level, colour) for colour in range(2)]
            network = SearchingNetwork(game, evaluate, search, oracle)
            opponent = f"mcts:{simulations_of(level, config.search.max_simulations)}"
            ended: dict[int, Position] = {}
            results = play_games(network, pairings, seed + games, on_end=ended.__setitem__)
            for number, (pairing, result) in enumerate(zip(pairings, results, strict=True)):
                played = recorded_game(ended[number], pairing.colour, opponent)
                link.send(Evaluated(kind, level, result, played))
            link.check()
            games += 2
        if examiner is not None and not is_plain:
            assert evaluate is not None
            link.send(examiner.examine(SearchingNetwork(game, evaluate, search, exact)))


def recorded_game(position: Position, colour: int, opponent: str) -> RecordedGame:
    """The game that led to a position, in which the network had this colour."""
    names = (NETWORK_NAME, opponent)
    return RecordedGame.of(position, names if colour == BLACK else names[::-1])
