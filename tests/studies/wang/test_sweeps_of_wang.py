"""What the studies of wang ask of sweeps, and where they find it in what sweeps know."""

import pytest

from zerolab.experiments.sweeps.findings import TrialSummary
from zerolab.experiments.sweeps.objectives import Judging
from zerolab.games.gobang import Gobang
from zerolab.studies.wang import hyper_parameters, loss_functions
from zerolab.studies.wang.effort import EFFORTS, EVENING
from zerolab.studies.wang.paper import PARAMETERS
from zerolab.training.loop import Limits

GAME = Gobang(5, 5)
EFFORT = EFFORTS[EVENING]


class Asked(Exception):  # noqa: N818  (it ends a study once it has asked)
    """The sweep that a study would make."""


@pytest.fixture(autouse=True)
def _only_asked(monkeypatch):
    def run_to_the_end(sweep, place, on_progress, workers):
        raise Asked(sweep)

    for study in (hyper_parameters, loss_functions):
        monkeypatch.setattr(study, "run_to_the_end", run_to_the_end)


def asked(study):
    with pytest.raises(Asked) as raised:
        study(lambda done, total: None)
    sweep = raised.value.args[0]
    sweep.check()
    return sweep


def test_each_parameter_changes_alone_with_several_seeds():
    sweep = asked(lambda told: hyper_parameters.compare(EVENING, 5, told, GAME))
    assert (sweep.game, sweep.base, sweep.seed) == (GAME, EFFORT.base, 5)
    assert (sweep.repeats, sweep.objectives) == (3, ("loss",))
    default, *others = sweep.plan
    assert len(others) == 24  # twelve parameters, each at its minimum and its maximum
    assert all(len(other.items() - default.items()) == 1 for other in others)
    assert sweep.limits_of(sweep.config(default)) == Limits(steps=EFFORT.base.max_steps)


def test_losses_are_compared_with_several_seeds():
    sweep = asked(lambda told: loss_functions.compare_board(GAME, EFFORT, 5, told))
    assert (sweep.game, sweep.base, sweep.seed, sweep.repeats) == (GAME, EFFORT.base, 5, 3)
    assert [trial["loss"] for trial in sweep.plan] == ["policy", "value", "sum", "product"]
    assert sweep.judging == Judging(games=10, simulations=40, seed=5)


def test_a_row_has_the_losses_and_times_of_its_three_runs(monkeypatch):
    """Losses and their errors are those of the trials, times those of their runs."""
    monkeypatch.setattr(hyper_parameters, "seconds_of", lambda trial: 60 * trial.seconds)
    parameter = next(each for each in PARAMETERS if each.setting == "uct_c")
    base = EFFORT.base.flat()
    default = {each.setting: base[each.setting] for each in PARAMETERS}
    found = [
        TrialSummary(
            *(number, "complete", default | {"uct_c": c}, (c / 10,)),
            *((c / 100,), (f"run of {c}",), 12, c, None),
        )
        for number, c in enumerate((2.0, 0.5, 1.0))
    ]
    found.append(found[0]._replace(parameters=default | {"uct_c": 2.0, "epochs": 99}))
    row = hyper_parameters._row(parameter, EFFORT, found)
    assert row.values == (0.5, 1.0, 2.0)
    assert row.losses == (0.05, 0.1, 0.2)
    assert row.loss_errors == (0.005, 0.01, 0.02)
    assert row.seconds == (30.0, 60.0, 120.0)
    assert row.runs == (("run of 0.5",), ("run of 1.0",), ("run of 2.0",))
    missing = hyper_parameters._row(parameter, EFFORT, found[:1])
    assert (missing.losses, missing.seconds) == ((None, None, 0.2), (None, None, 120.0))
