import json
import math

import pytest

from tests.search.evaluators import uniform
from zerolab.evaluation import evaluators
from zerolab.evaluation.evaluators import Examiner, make_exam, make_examiner
from zerolab.evaluation.judge import Judge
from zerolab.games.clobber import Clobber
from zerolab.games.othello import Othello
from zerolab.search.batched import SearchConfig
from zerolab.solver.oracle import NO_ORACLE, make_exact_leaves

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
    fields = examiner.examine(uniform(GAME), config, make_exact_leaves(GAME, 12)).fields
    for name in ("keeps", "keeps_middle", "keeps_late", "selfplay_keeps", "selfplay_critical"):
        assert fields[name] == 1
    assert fields["regret"] == 0 == fields["regret_error"]
    assert (fields["selfplay_games"], fields["selfplay_skipped"]) == (5, 0)


def test_weak_play_in_the_log(examiner):
    config = SearchConfig(max_simulations=1)
    fields, again = (examiner.examine(uniform(GAME), config, NO_ORACLE).fields for _ in range(2))
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
    fields = examiner.examine(uniform(game), SearchConfig(max_simulations=1), NO_ORACLE).fields
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
    assert {len(opening.moves) for opening in examiner.openings} == {evaluators.FIRST_PLY}
