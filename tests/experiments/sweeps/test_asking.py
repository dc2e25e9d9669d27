"""What Optuna is asked for, and when it may end a run."""

import optuna
import pytest

from zerolab.errors import UsageError
from zerolab.experiments.sweeps.asking import NSGA2, TPE, open_study
from zerolab.experiments.sweeps.axes import Range


def drawn(study):
    """A number that the study proposes."""
    return study.ask().suggest_float("x", 0, 1)


def complete(study, losses):
    """A trial that has reported a loss for each share of its run, in percent."""
    trial = study.ask()
    for percent, loss in losses.items():
        trial.report(loss, percent)
    study.tell(trial, min(losses.values()))


def is_pruned(study, percent, loss):
    trial = study.ask()
    trial.report(loss, percent)
    pruned = trial.should_prune()
    study.tell(trial, state=optuna.trial.TrialState.FAIL)
    return pruned


def test_nothing_is_pruned_before_a_tenth_of_a_run_and_four_complete_trials():
    study = open_study(["minimize"])
    good = dict.fromkeys((5, 9, 10, 50), 1.0)
    for _ in range(3):
        complete(study, good)
    assert not is_pruned(study, 50, 2.0)
    complete(study, good)
    assert [is_pruned(study, percent, 2.0) for percent in (5, 9, 10, 50)] == [
        *(False, False),
        *(True, True),
    ]
    assert not is_pruned(study, 50, 0.5)


def test_the_direction_says_which_runs_are_hopeless():
    study = open_study(["maximize"])
    for _ in range(4):
        complete(study, {50: 1.0})
    assert is_pruned(study, 50, 0.5)
    assert not is_pruned(study, 50, 2.0)


def test_the_seed_decides_and_who_comes_later_proposes_something_else(tmp_path):
    assert drawn(open_study(["minimize"], seed=1)) == drawn(open_study(["minimize"], seed=1))
    assert drawn(open_study(["minimize"], seed=1)) != drawn(open_study(["minimize"], seed=2))
    kept = f"sqlite:///{tmp_path / 'sweep.db'}"
    first = drawn(open_study(["minimize"], seed=1, storage=kept))
    joined = open_study(["minimize"], seed=1, storage=kept)
    assert len(joined.get_trials()) == 1
    assert drawn(joined) != first


@pytest.mark.parametrize(
    ("axis", "kind", "is_logarithmic"),
    [
        (Range("x", 1, 49), int, False),
        (Range("x", 1, 50), int, True),
        (Range("x", 0, 50), int, False),
        (Range("x", 0.5, 2.0), float, False),
        (Range("x", 1e-4, 1e-2), float, True),
    ],
    ids=str,
)
def test_ranges_over_orders_of_magnitude_are_searched_by_logarithms(axis, kind, is_logarithmic):
    trial = open_study(["minimize"]).ask()
    value = axis.suggest(trial)
    assert axis.low <= value <= axis.high
    assert type(value) is kind
    asked = trial.distributions["x"]
    assert (asked.low, asked.high, asked.log) == (axis.low, axis.high, is_logarithmic)


@pytest.mark.parametrize(
    ("method", "sampler"),
    [(TPE, optuna.samplers.TPESampler), (NSGA2, optuna.samplers.NSGAIISampler)],
)
def test_methods_and_directions(method, sampler):
    study = open_study(["maximize", "minimize"], method)
    assert isinstance(study.sampler, sampler)
    assert [each.name for each in study.directions] == ["MAXIMIZE", "MINIMIZE"]


def test_studies_of_one_storage_are_told_apart_by_name(tmp_path):
    kept = f"sqlite:///{tmp_path / 'all.db'}"
    for name, directions in (("one", ["minimize"]), ("other", ["maximize", "minimize"])):
        open_study(directions, storage=kept, name=name).ask()
        assert len(open_study(directions, storage=kept, name=name).get_trials()) == 1


@pytest.mark.parametrize(
    ("storage", "message"),
    [
        ("sweep.db", "'sweep.db' is no storage; expected a URL such as sqlite:///sweep.db"),
        ("sqlite:////nowhere/at/all.db", "cannot be used"),
        ("nothing://here", "cannot be used"),
    ],
)
def test_storages_that_are_none(storage, message):
    with pytest.raises(UsageError, match=message):
        open_study(["minimize"], storage=storage)
