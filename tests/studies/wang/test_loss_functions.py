"""wang-losses: a shrunken run, verdicts, and Elo from arena games."""

import pytest

from zerolab.games.clobber import Clobber
from zerolab.games.othello import Othello
from zerolab.studies.wang import loss_functions as losses
from zerolab.studies.wang.effort import EFFORTS, TINY
from zerolab.studies.wang.loss_functions import (
    BOARDS,
    best_of,
    compare,
    make_exam,
    training_elo,
)
from zerolab.studies.wang.paper import BEST_LOSS, LOSSES


def test_boards_are_those_of_the_paper():
    assert [losses.describe(game) for game in BOARDS] == list(BEST_LOSS)


def test_the_best_loss_must_stand_out():
    close = {"sum": (10.0, 12.0), "value": (9.0, 11.0), "policy": (0.0, 1.0), "product": (0.0, 0.0)}
    assert best_of(close) is None
    # Means 20 and 10, standard errors of 1 each: a gap of 10 where 2.83 would do.
    assert best_of(close | {"value": (19.0, 21.0), "sum": (9.0, 11.0)}) == "value"
    assert best_of(close | {"value": (12.8, 14.8), "sum": (10.0, 12.0)}) is None  # 2.8
    assert best_of(close | {"value": (12.9, 14.9), "sum": (10.0, 12.0)}) == "value"  # 2.9
    assert best_of({name: (float(n),) for n, name in enumerate(LOSSES)}) is None  # one seed


def line(step, wins, lost, accepted):
    return {
        "step": step,
        "arena": {"wins": wins, "draws": 0, "losses": lost},
        "accepted": accepted,
    }


def test_training_elo_follows_the_accepted_network():
    log = [line(1, 30, 10, True), line(2, 5, 35, False), line(3, 30, 10, True)]
    elo = training_elo(log)
    assert len(elo) == 4
    assert elo[0] == 0
    assert elo[1] == elo[2]  # the second network was rejected
    assert 0 < elo[1] < elo[3]


def test_without_an_arena_there_is_no_training_elo():
    assert training_elo([{"step": 1, "arena": None, "accepted": True}]) == []


def test_exams_where_the_solver_reaches():
    assert make_exam(Othello(6, 6), 2) is None
    exam = make_exam(Clobber(4, 4), 2)
    assert len(exam.critical.positions) == 2
    assert min(exam.critical.plies) >= 6


def test_a_shrunken_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(EFFORTS, TINY, EFFORTS[TINY]._replace(seeds=2))
    told = []
    (report,) = compare(TINY, 1, lambda *done: told.append(done), [Othello(5, 5)], workers=1)
    assert report.is_complete
    assert [row[0] for row in report.rows] == list(LOSSES.values())
    for each in report.values:
        assert len(each["elo"]) == len(each["keeps"]) == len(each["runs"]) == 2
        assert all(0 <= share <= 1 for share in each["keeps"])
    assert "by exact play" in report.verdict
    titles = [chart.title for chart in report.charts]
    assert titles == [
        *(f"trained by {name}" for name in LOSSES.values()),
        "Elo during training",
        "Tournament Elo of final players",
    ]
    assert [len(curve.y) for curve in report.charts[4].curves] == [3] * 4
    assert len(report.charts[5].curves[0].y) == 8
    assert report.charts[5].ticks == tuple(LOSSES.values())
    assert told[-1] == (1, 1)


def test_the_paper_s_finding_and_ours(monkeypatch, tmp_path):
    def judged(elo):
        return [losses.Judged(name, elo[name], (), ()) for name in LOSSES]

    monkeypatch.setattr(losses, "read_log", lambda path: [])
    monkeypatch.setattr(losses, "_charts", lambda judged: [])
    far = {"policy": (0.0, 1.0), "value": (99.0, 100.0), "sum": (2.0, 3.0), "product": (0.0, 1.0)}
    monkeypatch.setattr(losses, "in_words", lambda values, form: "")
    effort = EFFORTS[TINY]
    reproduced = losses._report(Othello(6, 6), judged(far), effort, tmp_path)
    assert reproduced.reproduced is True
    swapped = far | {"value": far["policy"], "policy": far["value"]}
    assert losses._report(Othello(6, 6), judged(swapped), effort, tmp_path).reproduced is False
    alike = dict.fromkeys(LOSSES, (1.0, 2.0))
    assert losses._report(Othello(6, 6), judged(alike), effort, tmp_path).reproduced is None
    assert losses._report(Othello(6, 6), judged(far)[:3], effort, tmp_path).is_complete is False


@pytest.mark.parametrize("board", BOARDS)
def test_runs_have_a_place_of_their_own(board):
    places = {str(losses.place_of("losses", TINY, 1, [losses.describe(game)])) for game in BOARDS}
    assert len(places) == len(BOARDS)


def test_the_best_is_above_every_other_not_only_the_second():
    """The third has a mean of 78 and an error of 21: the best is only one error above it."""
    found = {"value": (99.0, 101.0), "sum": (79.0, 81.0), "product": (57.0, 99.0)}
    assert losses.best_of(found) is None
    assert losses.best_of(found | {"product": (77.0, 79.0)}) == "value"
