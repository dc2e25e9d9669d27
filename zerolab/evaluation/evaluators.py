"""Evaluators: processes that judge the network of the moment while it learns."""

from zerolab.evaluation.exam import Exam, draw_exam
from zerolab.evaluation.ladder import Pairing, play_games
from zerolab.evaluation.perfect import measure_network
from zerolab.games.base import Game
from zerolab.games.catalogue import describe, name_of, remake
from zerolab.games.clobber import Clobber
from zerolab.networks.evaluator import OnnxEvaluator
from zerolab.search.batched import SearchConfig
from zerolab.solver.oracle import NO_ORACLE, make_oracle
from zerolab.training.config import TrainingConfig
from zerolab.training.crew import Job, Link
from zerolab.training.evaluations import EVAL, EVAL_PLAIN, Evaluated, Measured

EXAMINED = 25  # cells: on larger boards exact answers take minutes
FIRST_PLY = 4  # of positions in exams
QUESTIONS = 200  # in an exam while training
NICE = 10  # they take a tenth of what an actor takes where cores are short


def evaluator_jobs(game: Game, config: TrainingConfig) -> list[Job]:
    """As many evaluators as the settings ask for."""
    arguments = name_of(game), describe(game), config
    return [
        Job(f"evaluator {number + 1}", keep_judging, arguments, NICE)
        for number in range(config.evaluators)
    ]


def match_search(config: TrainingConfig) -> SearchConfig:
    """How the network of a run searches when it plays to win."""
    return SearchConfig(
        max_simulations=config.max_simulations,
        uct_c=config.uct_c,
        urgency=config.urgency,
        encoding=config.encoding,
    )


def make_exam(game: Game, questions: int) -> Exam | None:
    """Positions with exact answers, the same for all runs; None where they take too long."""
    if not isinstance(game, Clobber) or game.rows * game.cols > EXAMINED:
        return None
    exam = draw_exam(game, questions, questions, first_ply=FIRST_PLY)
    return exam if len(exam.critical.states) and len(exam.balanced.states) else None


def keep_judging(
    link: Link, seed: int, rules: str, description: str, config: TrainingConfig
) -> None:
    """The work of an evaluator: both colours against each level of the ladder, then an exam.

    Where actors have exact leaves, it plays with and without them in turn, so that nobody is fooled
    about what the network has learnt.
    """
    game = remake(rules, description)
    search = match_search(config)
    exact = make_oracle(game, config.exact_stones)
    exam = make_exam(game, QUESTIONS)
    evaluate: OnnxEvaluator | None = None
    games = 0
    while True:
        is_plain = config.exact_stones > 0 and games // (2 * config.eval_levels) % 2 == 1
        kind, oracle = (EVAL_PLAIN, NO_ORACLE) if is_plain else (EVAL, exact)
        for level in range(config.eval_levels):
            news = link.news()
            if news is not None:
                evaluate = OnnxEvaluator(news[1])
            assert evaluate is not None
            pairings = [Pairing(level, colour) for colour in range(2)]
            for result in play_games(game, evaluate, search, pairings, seed + games, oracle):
                link.send(Evaluated(kind, level, result))
            link.check()
            games += 2
        if exam is not None and not is_plain:
            assert evaluate is not None
            found = measure_network(game, evaluate, search, exam, exact)
            link.send(
                Measured(
                    {
                        "keeps": found.keeps.keeps,
                        "positions": found.keeps.positions,
                        "network_keeps": found.network_keeps.keeps,
                        "value_accuracy": found.value_accuracy.right,
                        "network_value_accuracy": found.network_value_accuracy.right,
                    }
                )
            )
