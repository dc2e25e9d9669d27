"""The search for better parameters, on invented trials."""

import math

import pytest

from zerolab.experiments.cells import Cells
from zerolab.studies.damhuis import parameter_search as damhuis_search
from zerolab.studies.damhuis.parameter_search import AT_ONCE, FULL, THESIS, Effort, Tried, search

NETWORK = THESIS["4x4"]


def report(board, *scores, is_complete=True):
    final = [Tried(NETWORK._replace(alpha=rate), score, False) for rate, score in enumerate(scores)]
    tried = [Tried(NETWORK, 0.5, is_dead) for is_dead in (True, False, True)]
    return damhuis_search._report(board, tried, final, FULL, is_complete)


@pytest.mark.parametrize(
    ("scores", "gain"), [((0.9, 0.5, 0.95), "+5.0%"), ((0.9, 0.85, 0.8), "-5.0%")]
)
def test_the_best_found_beside_that_of_the_thesis(scores, gain):
    found = report("4x4", *scores)
    assert [row[0] for row in found.rows] == ["thesis", "found", "found"]
    assert [value["score"] for value in found.values] == list(scores)
    assert "3 settings tried" in found.verdict
    assert "2 died" in found.verdict
    assert f"the best found wins {gain} of the games more" in found.verdict
    assert found.reproduced is None


def test_a_board_that_the_thesis_does_not_have():
    found = report("5x5", 0.9, 0.8)
    assert [row[0] for row in found.rows] == ["found", "found"]
    assert "more than the thesis" not in found.verdict
    assert not report("4x4", is_complete=False).is_complete


EFFORT = Effort(proposals=12, games=7, final_games=70, finalists=3, tests=1000)


class Trials:
    """Whatever is tried, without training: a rate is the better the nearer it is to `peak`."""

    def __init__(self):
        self.batches = []
        self.peak = 1e-6

    def wins(self, network):
        return 900 - round(100 * abs(math.log10(network["alpha"] / self.peak)))

    def run_cells(self, path, study, jobs, on_progress):
        self.batches.append([(job.about["tests"], job.about["network"]) for job in jobs])
        return Cells(
            [
                {
                    "wins": {"random": self.wins(each)},
                    "first_moves": 0.99 if each["alpha"] > self.peak else 0.989,
                }
                for _, each in self.batches[-1]
            ]
        )


@pytest.fixture
def trials(monkeypatch):
    trials = Trials()
    monkeypatch.setattr(damhuis_search, "run_cells", trials.run_cells)
    monkeypatch.setattr(damhuis_search, "FULL", EFFORT)
    return trials


def test_the_best_of_all_proposals_are_trained_in_full(trials, tmp_path):
    [found] = search(["6x6"], None, 1, tmp_path / "cells", lambda done, total: None)
    assert {tests for batch in trials.batches for tests, _ in batch} == {1000}
    *proposed, final = [[network for _, network in batch] for batch in trials.batches]
    assert [len(batch) for batch in proposed] == [AT_ONCE] * 3
    every = [network for batch in proposed for network in batch]
    assert {(network["board"], network["games"]) for network in every} == {("6x6", 7)}
    best = sorted(every, key=trials.wins, reverse=True)[:3]
    assert final == [each | {"games": 70} for each in (THESIS["6x6"]._asdict(), *best)]
    assert [value["whose"] for value in found.values] == ["thesis", "found", "found", "found"]
    assert [value["network"] for value in found.values] == final
    assert [value["score"] for value in found.values] == [
        trials.wins(each) / 1000 for each in final
    ]
    dead = sum(each["alpha"] > trials.peak for each in every)
    assert 0 < dead < 12
    assert f"12 settings tried with 7 games each, {dead} died" in found.verdict


def test_proposals_follow_the_seed_and_the_results(trials, tmp_path):
    def proposals(seed, peak):
        trials.batches, trials.peak = [], peak
        search(["4x4"], None, seed, tmp_path / "cells", lambda done, total: None)
        return [network for batch in trials.batches[:-1] for _, network in batch]

    first = proposals(1, 1e-6)
    assert proposals(1, 1e-6) == first != proposals(2, 1e-6)
    other = proposals(1, 1e-4)
    assert other[:8] == first[:8]  # at random, before there are results to go by
    assert other[8:] != first[8:]
