"""Sweeps read from their directories."""

import json

import optuna
import pytest

from tests.experiments.sweeps.small import small_sweep
from tests.experiments.sweeps.test_findings import DONE, add
from zerolab.errors import UsageError
from zerolab.experiments.sweeps.asking import look_at_study
from zerolab.experiments.sweeps.axes import Variants
from zerolab.experiments.sweeps.definition import DATABASE, Place, open_sweep
from zerolab.experiments.sweeps.findings import summarise
from zerolab.experiments.sweeps.reading import read_definition, read_sweep
from zerolab.experiments.sweeps.sweep_list import SWEEP, find_sweeps


@pytest.fixture
def sweep():
    return small_sweep(objectives=("loss", "time"))


def filled(sweep, directory):
    """A sweep of two objectives with a result for each combination."""
    study = open_sweep(sweep, Place(directory))
    for number, (simulations, uct_c) in enumerate([(2, 0.5), (2, 1.0), (3, 0.5), (3, 1.0)]):
        add(study, simulations, uct_c, DONE, (float(simulations), 9.0 - number))
    return study


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"over": ("uct_c=0.5..2.0", "epochs=1..80"), "method": "tpe", "trials": 3},
        {"prune": "loss", "repeats": 2, "seed": 7},
    ],
)
def test_a_definition_is_read_as_it_was_written(tmp_path, changes):
    written = small_sweep(*changes.pop("over", ()), **changes)
    open_sweep(written, Place(tmp_path))
    assert read_definition(tmp_path / SWEEP) == written._replace(trials=None)


def test_sweeps_from_before_a_setting_was_added_are_read(tmp_path, sweep):
    about = sweep.about
    del about["settings"]["shares"]
    (tmp_path / SWEEP).write_text(json.dumps(about))
    assert read_definition(tmp_path / SWEEP).base.flat()["shares"] == 1


def test_variants_are_read_too(tmp_path, sweep):
    loss = Variants("loss", {"sum": {"uct_c": 1.0}, "other": {"uct_c": 2.0}})
    (tmp_path / SWEEP).write_text(json.dumps(sweep._replace(axes=(loss,)).about))
    assert read_definition(tmp_path / SWEEP).axes == (loss,)


def test_a_sweep_is_read_and_nothing_is_written(tmp_path, sweep):
    expected = summarise(sweep, filled(sweep, tmp_path / "plain"))
    # No sign of a path may be taken for one of an address.
    directory = (tmp_path / "plain").rename(tmp_path / "a b#c?d%20e")
    before = {path: path.read_bytes() for path in directory.rglob("*") if path.is_file()}
    summary = read_sweep(directory)
    assert summary == expected
    assert [each.number for each in summary.ranked] == [0, 1, 2, 3]
    assert summary.best == (1, 3)
    with pytest.raises(optuna.exceptions.StorageInternalError):
        look_at_study(directory / DATABASE).set_user_attr("a", "b")
    after = {path: path.read_bytes() for path in directory.rglob("*") if path.is_file()}
    assert before == after


def test_those_that_should_be_large_come_in_that_order(tmp_path):
    sweep = small_sweep(objectives=("elo",))
    study = open_sweep(sweep, Place(tmp_path))
    for value in (10.0, 30.0, 20.0):
        add(study, 2, 0.5, DONE, (value,))
    study.ask()
    assert [each.number for each in summarise(sweep, study).ranked] == [1, 2, 0, 3]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"format": "zerolab sweep 99"}, "another version"),
        ({"game": "evil.py 5x5"}, "'evil.py' are shown by zerolab sweep only"),
        ({"game": "othello 99x99"}, "not possible"),
        ({"loop": "odd"}, "damaged"),
        ({"axes": [["Exec", "uct_c"]]}, "damaged"),
        ({"axes": 5}, "damaged"),
        ({"limits": {"years": 1}}, "damaged"),
        ({"settings": {"nn_width": "x"}}, "nn_width"),
    ],
)
def test_bad_definitions_get_a_sentence(tmp_path, sweep, changes, sentence):
    (tmp_path / SWEEP).write_text(json.dumps(sweep.about | changes))
    with pytest.raises(UsageError, match=sentence):
        read_definition(tmp_path / SWEEP)


def test_damaged_files_get_a_sentence(tmp_path, sweep):
    with pytest.raises(UsageError, match=r"there is no sweep\.json"):
        read_sweep(tmp_path)
    for text, sentence in (("[1]", "damaged"), ("{", "damaged"), ("x" * 1_000_001, "too long")):
        (tmp_path / SWEEP).write_text(text)
        with pytest.raises(UsageError, match=sentence):
            read_sweep(tmp_path)
    (tmp_path / SWEEP).write_text(json.dumps(sweep.about))
    with pytest.raises(UsageError, match="in another storage"):
        read_sweep(tmp_path)
    for data in (b"", b"no database at all" * 100):
        (tmp_path / DATABASE).write_bytes(data)
        with pytest.raises(UsageError, match=r"sweep\.db cannot be read"):
            read_sweep(tmp_path)


def test_sweeps_are_found_below_a_directory(tmp_path, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    for path in (tmp_path / "b", tmp_path / "a" / "deep", tmp_path / "1/2/3/4/5", outside):
        path.mkdir(parents=True, exist_ok=True)
        (path / SWEEP).write_text("{}")
    (tmp_path / "b" / "within").mkdir()
    (tmp_path / "b" / "within" / SWEEP).write_text("{}")
    (tmp_path / "link").symlink_to(outside)
    assert find_sweeps(tmp_path) == ["a/deep", "b"]
    assert find_sweeps(tmp_path / "nothing") == []
