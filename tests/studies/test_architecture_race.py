from types import SimpleNamespace

import numpy as np
import pytest

from tests.clocks import ticking
from zerolab.games.base import step
from zerolab.games.clobber import Clobber
from zerolab.games.notation import legal_list
from zerolab.networks.architectures import NetworkConfig
from zerolab.records.samples import Batch
from zerolab.solver.alphabeta import Solver
from zerolab.studies import architecture_race as architectures
from zerolab.studies.architecture_race import Skill


def test_labels_are_exact(monkeypatch):
    game = Clobber(3, 4)
    monkeypatch.setattr(architectures, "PLIES", range(0, 5))
    samples = architectures.label_positions(game, 30, 1, lambda done: None)
    solver = Solver(game)
    for state, policy, value in zip(samples.states, samples.policy, samples.value, strict=True):
        assert solver.value(state) == value
        actions = legal_list(game, state)
        winning = []
        for action in actions:
            after = state.copy()
            step(game, after, action)
            if solver.value(after) == -1:
                winning.append(action)
        assert list(np.flatnonzero(policy)) == (winning or actions)
        assert policy.sum() == pytest.approx(1)


def test_judgement():
    test = Batch(
        planes=np.zeros((3, 1, 1, 1), np.float32),
        legal=np.array([[1, 1, 0], [1, 1, 1], [1, 0, 0]], bool),
        policy=np.array([[1, 0, 0], [0, 1, 0], [1, 0, 0]], np.float32),
        value=np.array([1, 1, -1], np.float32),
        weight=np.ones(3, np.float32),
    )
    logits = np.array([[1, 0, 9], [1, 0, 0], [0, 0, 0]], np.float32)
    values = np.array([0.9, 0.1, 0.3], np.float32)  # on average 0.5 if won, 0.3 if lost
    # Of two won positions one is seen; the lost one is. The first winning move is found: an
    # illegal action does not count. The second is not.
    value, value_error, move, move_error = architectures.judge(logits, values, test)
    assert (value, move) == (0.75, 0.5)
    assert value_error == pytest.approx((0.25 / 2) ** 0.5 / 2)
    assert move_error == pytest.approx((0.25 / 2) ** 0.5)


def test_first_moves_count_where_some_lose():
    """In the first position all three moves win: the wrong first move there is no mistake."""
    test = Batch(
        planes=np.zeros((3, 1, 1, 1), np.float32),
        legal=np.array([[1, 1, 1], [1, 1, 0], [1, 1, 1]], bool),
        policy=np.array([[1, 1, 1], [0, 1, 0], [0, 0, 0]], np.float32),
        value=np.array([1, 1, -1], np.float32),
        weight=np.ones(3, np.float32),
    )
    logits = np.array([[1, 0, 0], [1, 0, 0], [1, 0, 0]], np.float32)
    *_, move, _ = architectures.judge(logits, test.value, test)
    assert move == 0


def test_study_runs_when_shrunken(monkeypatch):
    monkeypatch.setattr(architectures, "TRAINING", 60)
    monkeypatch.setattr(architectures, "TEST", 40)
    monkeypatch.setattr(architectures, "PLIES", range(9, 12))
    monkeypatch.setattr(architectures, "NAMES", ("tiny",))
    monkeypatch.setattr(architectures, "NETWORKS", {"tiny": NetworkConfig(width=4, depth=1)})
    monkeypatch.setattr(architectures, "time", SimpleNamespace(perf_counter=ticking(1 / 8)))
    report = architectures.compare(1, 1, lambda done, total: None)
    assert report.is_complete
    (skill,) = report.values
    assert skill["steps"] == 7  # the clock goes on by 1/8 of the second at each look
    assert 0 <= skill["value_accuracy"] <= 1
    assert report.reproduced is None
    assert len(report.rows[0]) == len(report.headings)


def test_networks_are_judged_on_positions_they_have_not_learnt(monkeypatch):
    labelled = np.arange(100)
    given = []

    def train(name, training, test, seconds, seed):
        given.append((name, training.tolist(), test.tolist(), seconds, seed))
        return Skill(name, 1, *[0.5] * 6)

    monkeypatch.setattr(architectures, "TRAINING", 60)
    monkeypatch.setattr(architectures, "TEST", 40)
    monkeypatch.setattr(architectures, "NAMES", ("one", "two"))
    monkeypatch.setattr(
        architectures,
        "label_positions",
        lambda game, count, seed, told: SimpleNamespace(take=lambda part: labelled[part]),
    )
    monkeypatch.setattr(architectures, "make_batch", lambda game, view, samples: samples)
    monkeypatch.setattr(architectures, "_train", train)
    architectures.compare(7, 5, lambda done, total: None)
    everyone = list(range(100))
    assert given == [(name, everyone[:60], everyone[60:], 7, 5) for name in ("one", "two")]
