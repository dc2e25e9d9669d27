import json
import math
from typing import NamedTuple

import pytest

from tests.search.evaluators import uniform
from zerolab.evaluation.perfect.judge import Judge
from zerolab.experiments import evaluators
from zerolab.experiments.evaluators import (
    Examiner,
    evaluator_jobs,
    keep_judging,
    make_exam,
    make_examiner,
    recorded_game,
)
from zerolab.games.clobber import Clobber
from zerolab.games.othello import Othello
from zerolab.games.position import Position
from zerolab.search.batched.batched_search import SearchConfig
from zerolab.search.batched.searching_network import SearchingNetwork
from zerolab.solver.exact_leaves import NO_ORACLE, make_exact_leaves
from zerolab.training.runs.evaluations import Evaluated
from zerolab.training.settings.continuous_config import TrainingConfig

GAME = Clobber(3, 4)
ALWAYS = {
    *("keeps", "positions", "network_keeps", "value_accuracy", "network_value_accuracy"),
    *("selfplay_games", "selfplay_skipped", "selfplay_keeps", "regret", "regret_error"),
}


@pytest.fixture(scope="module", name="examiner")
def _examiner():
    judge = Judge(GAME)
    exam = make_exam(GAME, 20, judge)
    return Examiner(GAME, exam, judge, games=5)


def test_perfect_play_in_the_log(examiner):
    config = SearchConfig(max_simulations=100)
    oracle = make_exact_leaves(GAME, 12)
    fields = examiner.examine(SearchingNetwork(GAME, uniform(GAME), config, oracle)).fields
    for name in ("keeps", "keeps_middle", "keeps_late", "selfplay_keeps", "selfplay_critical"):
        assert fields[name] == 1
    assert fields["regret"] == 0 == fields["regret_error"]
    assert (fields["selfplay_games"], fields["selfplay_skipped"]) == (5, 0)


def test_weak_play_in_the_log(examiner):
    config = SearchConfig(max_simulations=1)
    network = SearchingNetwork(GAME, uniform(GAME), config)
    fields, again = (examiner.examine(network).fields for _ in range(2))
    assert fields == again  # the same openings each time
    assert set(fields) >= ALWAYS
    assert fields["regret"] > 0 < fields["regret_error"]
    assert fields["selfplay_critical"] < fields["selfplay_keeps"] < 1
    stages = [fields.get(f"regret_{name}", 0) for name in ("early", "middle", "late")]
    assert sum(stages) == pytest.approx(fields["regret"])
    assert json.loads(json.dumps(fields), parse_constant=pytest.fail) == fields
    assert all(math.isfinite(value) for value in fields.values())


def test_positions_that_cannot_be_settled_are_told():
    game = Clobber(4, 5)
    examiner = Examiner(game, make_exam(game, 4), Judge(game, max_nodes=1), games=2)
    network = SearchingNetwork(game, uniform(game), SearchConfig(max_simulations=1))
    fields = examiner.examine(network).fields
    assert fields["selfplay_skipped"] > 0
    assert "regret_early" not in fields
    assert all(math.isfinite(value) for value in fields.values())


def test_only_where_exact_answers_are_cheap(monkeypatch):
    monkeypatch.setattr(evaluators, "QUESTIONS", 4)
    assert make_examiner(Othello(4, 4)) is None
    assert make_examiner(Clobber(5, 6)) is None
    examiner = make_examiner(Clobber(4, 4))
    assert len(examiner.exam.critical.states) == 4
    assert len(examiner.openings) == evaluators.SELF_GAMES
    assert {len(opening.actions) for opening in examiner.openings} == {evaluators.FIRST_PLY}


class Done(Exception):  # noqa: N818  # no error: it has seen enough
    """Ends an evaluator."""


class Link:
    """Has a new network before some of the games, and hangs up after a number of pairs."""

    def __init__(self, networks, pairs):
        self.networks, self.pairs, self.sent = networks, pairs, []
        self.asked = 0

    def new_model(self):
        self.asked += 1
        return self.networks.get(self.asked)

    def send(self, message):
        self.sent.append(message)

    def check(self):
        self.pairs -= 1
        if self.pairs == 0:
            raise Done


class Seen(NamedTuple):
    """What was played, or examined."""

    what: object
    network: object
    simulations: int
    oracle: object


@pytest.fixture(name="seen")
def _seen(monkeypatch):
    """Everything that evaluators have played, with stand-ins for networks, oracles and games."""
    seen, seeds = [], []

    def play_games(network, pairings, seed, on_end):
        game, evaluate, search, oracle = network
        assert game == GAME
        seen.append(Seen([tuple(each) for each in pairings], evaluate, search[0], oracle))
        seeds.append(seed)
        assert len(set(seeds)) == len(seeds), "the same games again"
        for number in range(len(pairings)):
            on_end(number, Position.start(GAME))
        return [1.0, -0.5]

    class StandIn:
        def examine(self, network):
            _, evaluate, search, oracle = network
            seen.append(Seen("exam", evaluate, search[0], oracle))
            return "measured"

    monkeypatch.setattr(evaluators, "play_games", play_games)
    monkeypatch.setattr(evaluators, "to_win", lambda config: (config.max_simulations,))
    monkeypatch.setattr(evaluators, "OnnxEvaluator", lambda model: model.decode())
    monkeypatch.setattr(evaluators, "make_oracle", lambda game, stones: f"exact {stones}")
    monkeypatch.setattr(evaluators, "make_examiner", lambda game: StandIn())
    return seen


def judge(config, pairs, networks=None):
    """Let an evaluator play some pairs of games; return what it sent."""
    link = Link(networks or {1: (0, b"first")}, pairs)
    with pytest.raises(Done):
        keep_judging(link, 7, "clobber", "clobber 3x4", config)
    return link.sent


@pytest.mark.parametrize("stones", [1, 6])
def test_with_and_without_exact_leaves_in_turn(seen, stones):
    """Both colours at each level; the plain curve, and only that, is without exact leaves."""
    config = TrainingConfig(exact_stones=stones, eval_levels=3, max_simulations=50)
    sent = judge(config, 3 * 3)

    def ladder(oracle):
        return [Seen([(n, 0), (n, 1)], "first", 50, oracle) for n in range(3)]

    exact = f"exact {stones}"
    exam = Seen("exam", "first", 50, exact)
    # The exam has exact leaves, and none follows the plain games; the last was cut off.
    assert seen == [*ladder(exact), exam, *ladder(NO_ORACLE), *ladder(exact)]

    def results(kind):
        return [
            Evaluated(kind, n, result, recorded_game(Position.start(GAME), colour, f"mcts:{s}"))
            for n, s in enumerate((50, 158, 500))
            for colour, result in enumerate((1.0, -0.5))
        ]

    assert sent == [*results("eval"), "measured", *results("eval_plain"), *results("eval")]


def test_without_exact_leaves_in_training_there_is_one_curve(seen):
    sent = judge(TrainingConfig(exact_stones=0, eval_levels=2), 5)
    assert {each.kind for each in sent if each != "measured"} == {"eval"}
    assert [each.what for each in seen] == [
        *([(0, 0), (0, 1)], [(1, 0), (1, 1)], "exam"),
        *([(0, 0), (0, 1)], [(1, 0), (1, 1)], "exam"),
        [(0, 0), (0, 1)],
    ]
    assert {each.oracle for each in seen} == {"exact 0"}  # which is none


def test_games_are_played_by_the_newest_network(seen):
    judge(TrainingConfig(eval_levels=3), 5, {1: (0, b"a"), 3: (1, b"b"), 5: (2, b"c")})
    assert [(each.what == "exam", each.network) for each in seen] == [
        *[(False, "a"), (False, "a"), (False, "b")],
        *[(True, "b"), (False, "b"), (False, "c")],
    ]


def test_as_many_evaluators_as_the_settings_say():
    config = TrainingConfig(actors=1, evaluators=2)
    jobs = evaluator_jobs(GAME, config)
    assert [each.name for each in jobs] == ["evaluator 1", "evaluator 2"]
    assert {each.arguments for each in jobs} == {("clobber", "clobber 3x4", config)}
    assert {each.work for each in jobs} == {keep_judging}
