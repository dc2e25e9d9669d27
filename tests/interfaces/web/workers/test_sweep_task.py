"""What a worker tells of a sweep."""

import pickle

import pytest

from tests.experiments.sweeps.small import small_sweep
from tests.experiments.sweeps.test_findings import CUT, DONE, FAIL, add
from zerolab.errors import UsageError
from zerolab.experiments.sweeps.definition import Place, open_sweep
from zerolab.experiments.sweeps.trials import ERRORS, REASON, RUNS, SECONDS
from zerolab.interfaces.web.workers.search_worker import Memory
from zerolab.interfaces.web.workers.sweep_task import LookAtSweep


def test_a_sweep_is_told_in_words_and_numbers(tmp_path):
    sweep = small_sweep(objectives=("elo", "time"))
    study = open_sweep(sweep, Place(tmp_path))
    add(study, 2, 0.5, DONE, (100.0, 5.0), **{ERRORS: [1.25, None], SECONDS: 5.0, RUNS: ["r"]})
    add(study, 3, 0.5, DONE, (200.0, 6.0))
    add(study, 3, 1.0, DONE, (90.0, 7.0))
    add(study, 2, 1.0, FAIL, **{REASON: "diverged"})
    add(study, 2, 1.0, CUT)
    told = []
    LookAtSweep(tmp_path).run(Memory(), told.append)
    (seen,) = told
    assert seen.title == "othello 5x5, grid: 5 of 5 trials ended"
    assert seen.varied == ("max_simulations", "uct_c")
    assert seen.objectives == ("elo", "time")
    assert seen.meanings[0] == "Elo of the final network above Random, more is better"
    assert seen.meanings[1] == "seconds that the run took, less is better"
    assert [each.number for each in seen.trials] == [1, 0, 2, 3, 4]
    assert [each.is_best for each in seen.trials] == [True, True, False, False, False]
    second = seen.trials[1]
    assert (second.settings, second.texts) == (("2", "0.5"), ("100 ± 1.25", "5"))
    assert (second.values, second.seconds, second.runs) == ((100.0, 5.0), 5.0, ("r",))
    assert [each.state for each in seen.trials[3:]] == ["failed: diverged", "pruned"]
    assert pickle.loads(pickle.dumps(seen)) == seen


def test_no_sweep_is_a_sentence(tmp_path):
    with pytest.raises(UsageError, match=r"there is no sweep\.json"):
        LookAtSweep(tmp_path).run(Memory(), print)
