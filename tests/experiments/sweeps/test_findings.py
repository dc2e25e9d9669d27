import optuna
import pytest

from tests.experiments.sweeps.small import small_sweep
from zerolab.experiments.sweeps.definition import Place, open_sweep
from zerolab.experiments.sweeps.findings import summarise
from zerolab.experiments.sweeps.trials import ERRORS, REASON, REPLACES, RUNS, SECONDS, STEPS

DONE, CUT, FAIL = (
    optuna.trial.TrialState.COMPLETE,
    optuna.trial.TrialState.PRUNED,
    optuna.trial.TrialState.FAIL,
)


def add(study, simulations, uct_c, state, values=None, **about):
    names = ("max_simulations", "uct_c")
    choices = {"max_simulations": (2, 3), "uct_c": (0.5, 1.0)}
    study.add_trial(
        optuna.trial.create_trial(
            state=state,
            params=dict(zip(names, (simulations, uct_c), strict=True)),
            distributions={
                name: optuna.distributions.CategoricalDistribution(each)
                for name, each in choices.items()
            },
            values=values,
            user_attrs=about,
        )
    )


@pytest.fixture
def two(tmp_path):
    """A sweep with two objectives, a large one wanted and a small one."""
    sweep = small_sweep(objectives=("elo", "time"))
    return sweep, open_sweep(sweep, Place(tmp_path))


def test_the_best_are_those_that_none_beats_in_all(two):
    sweep, study = two
    for values in ((100.0, 5.0), (200.0, 9.0), (90.0, 6.0), (200.0, 10.0), (50.0, 1.0)):
        add(study, 2, 0.5, DONE, values)
    summary = summarise(sweep, study)
    assert summary.best == (0, 1, 4)
    assert summary.importances == ()  # all settings are the same


def test_importances_are_of_the_setting_that_matters(two):
    sweep, study = two
    for simulations in (2, 3):
        for uct_c in (0.5, 1.0):
            add(study, simulations, uct_c, DONE, (100.0 * simulations, 7.0))
    (importance,) = summarise(sweep, study).importances  # time is the same in all
    assert importance.objective == "elo"
    assert list(importance.shares) == ["max_simulations", "uct_c"]
    assert importance.shares["max_simulations"] > 0.9  # the forest is grown from samples
    assert sum(importance.shares.values()) == pytest.approx(1)


def test_few_trials_say_nothing_about_importance(two):
    sweep, study = two
    for number in range(3):
        add(study, 2, 0.5, DONE, (float(number), 1.0))
    assert summarise(sweep, study).importances == ()


def test_what_is_known_of_a_trial(two):
    sweep, study = two
    about = {RUNS: ["a", "b"], SECONDS: 12.5, STEPS: 4, ERRORS: [1.5, None]}
    add(study, 3, 1.0, DONE, (70.0, 6.25), **about)
    add(study, 2, 1.0, FAIL, **{REASON: "diverged in step 2"})
    add(study, 2, 0.5, FAIL)
    add(study, 2, 0.5, DONE, (1.0, 1.0), **{REPLACES: 2})
    first, second, third = summarise(sweep, study).trials
    assert first == (
        *(0, "complete", {"max_simulations": 3, "uct_c": 1.0}, (70.0, 6.25)),
        *((1.5, None), ("a", "b"), 4, 12.5, None),
    )
    assert (second.state, second.values, second.reason) == ("failed", None, "diverged in step 2")
    assert second.errors == (None, None)
    assert third.number == 3  # instead of the one that was killed


def test_a_sweep_is_complete_when_all_trials_have_ended(two):
    sweep, study = two
    assert not summarise(sweep, study).is_complete
    for state, values in ((DONE, (1.0, 2.0)), (DONE, (2.0, 3.0)), (FAIL, None)):
        add(study, 2, 0.5, state, values)
    assert not summarise(sweep, study).is_complete
    add(study, 2, 0.5, FAIL)
    assert summarise(sweep, study).is_complete
    assert summarise(sweep, study).time_saved is None
