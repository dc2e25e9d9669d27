import json

import pytest

from tests.experiments.sweeps.small import BASE, small_sweep
from zerolab.errors import UsageError
from zerolab.experiments.sweeps.axes import Values
from zerolab.experiments.sweeps.definition import DATABASE, SWEEP, Place, open_sweep
from zerolab.training.loop import Limits
from zerolab.training.settings.continuous_config import TrainingConfig

ENDLESS = TrainingConfig()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"axes": ()}, "a sweep varies something"),
        ({"method": "guess"}, "'guess' is no method; expected grid, one-at-a-time, tpe, nsga2"),
        ({"objectives": ("fame",)}, "'fame' is no objective; expected elo, ladder, perfect, loss"),
        ({"objectives": ()}, "one objective or more"),
        ({"objectives": ("loss", "loss")}, "each once"),
        ({"method": "nsga2", "trials": 3}, "nsga2 is for two objectives or more"),
        ({"method": "tpe"}, "tpe needs to know how many trials"),
        ({"prune": "elo"}, "cannot be pruned by 'elo'; expected ladder, perfect, loss"),
        ({"prune": "loss", "objectives": ("loss", "time")}, "pruning is for sweeps with one"),
        ({"base": ENDLESS, "limits": Limits()}, "each run needs an end; expected --minutes"),
        ({"axes": (Values("epochs", (0, 1)),)}, "epochs"),
    ],
)
def test_what_is_no_sweep(changes, message):
    with pytest.raises(UsageError, match=message):
        small_sweep()._replace(**changes).check()


def test_the_settings_of_a_trial():
    config = small_sweep().config({"max_simulations": 3, "uct_c": 0.5})
    assert config == BASE.changed(max_simulations=3, uct_c=0.5)


def test_size():
    assert small_sweep().size == 4
    assert small_sweep(method="one-at-a-time").size == 3
    assert small_sweep(method="tpe", trials=7).size == 7


def test_settings_may_say_when_a_run_ends():
    sweep = small_sweep(limits=Limits())
    assert sweep.limits_of(BASE.changed(iterations=3)) == Limits(steps=3)
    assert small_sweep().limits_of(BASE.changed(iterations=3)) == Limits(steps=2)


def test_sweeps_from_before_a_setting_was_added_go_on(tmp_path):
    place = Place(tmp_path / "sweep")
    open_sweep(small_sweep(), place)
    path = tmp_path / "sweep" / SWEEP
    about = json.loads(path.read_text())
    for name in ("nn_weights", "shares", "int8"):
        del about["settings"][name]
    about["settings"]["shares"] = 4  # as it was set; older runs imply 1
    path.write_text(json.dumps(about))
    open_sweep(small_sweep(), place)
    del about["settings"]["shares"]
    path.write_text(json.dumps(about))
    with pytest.raises(UsageError, match="differs in settings"):
        open_sweep(small_sweep(), place)
    for settings in (None, [1], "x"):
        path.write_text(json.dumps(about | {"settings": settings}))
        with pytest.raises(UsageError, match="is damaged"):
            open_sweep(small_sweep(), place)


def test_a_directory_holds_one_sweep(tmp_path):
    place = Place(tmp_path / "sweep")
    open_sweep(small_sweep(), place)
    open_sweep(small_sweep(), place)
    with pytest.raises(UsageError, match="holds another sweep, which differs in objectives, seed"):
        open_sweep(small_sweep(objectives=("time",), seed=3), place)
    (tmp_path / "sweep" / SWEEP).write_text("[")
    with pytest.raises(UsageError, match="is damaged"):
        open_sweep(small_sweep(), place)


def test_more_trials_of_the_same_sweep_may_be_asked_for(tmp_path):
    place = Place(tmp_path)
    open_sweep(small_sweep(method="tpe", trials=3), place)
    open_sweep(small_sweep(method="tpe", trials=5), place)


def test_how_many_processes_share_the_work_does_not_count(tmp_path):
    one, two = TrainingConfig(actors=1), TrainingConfig(actors=2)
    axes = {"max_simulations=2,3"}
    assert small_sweep(*axes, base=one).about == small_sweep(*axes, base=two).about
    assert json.loads(json.dumps(small_sweep().about)) == small_sweep().about


def test_storages(tmp_path):
    path = tmp_path / "elsewhere.db"
    open_sweep(small_sweep(), Place(tmp_path / "a", f"sqlite:///{path}"))
    assert path.exists()
    assert not (tmp_path / "a" / DATABASE).exists()
    with pytest.raises(UsageError, match="expected a URL such as sqlite"):
        open_sweep(small_sweep(), Place(tmp_path / "b", "elsewhere.db"))
    with pytest.raises(UsageError, match="cannot be used"):
        open_sweep(small_sweep(), Place(tmp_path / "c", "nosuch://host/base"))
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / DATABASE).write_bytes(b"not a database" * 100)
    with pytest.raises(UsageError, match="file is not a database"):
        open_sweep(small_sweep(), Place(tmp_path / "d"))
