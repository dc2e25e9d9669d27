"""Runs ordered by a form: what is refused before anything starts, and the command otherwise."""

import json

import pytest

from zerolab.errors import UsageError
from zerolab.interfaces.web import training_orders
from zerolab.interfaces.web.safety import Rules
from zerolab.interfaces.web.training_orders import Order, begin_training, resume_training

ORDER = Order("clobber", "3x3", "", "demo", "jans", "2", {"max_simulations": "5"})


@pytest.fixture
def rules(tmp_path, monkeypatch):
    monkeypatch.setattr(
        training_orders, "CommandProcess", lambda rules, name, arguments: (name, arguments)
    )
    return Rules(tmp_path)


def test_an_order_becomes_a_command(rules):
    name, arguments = begin_training(rules, ORDER._replace(options="variant=cannibal"))
    assert name == "demo"
    assert arguments == [
        *("train", "clobber", "--size", "3x3", "--run", str(rules.runs / "demo")),
        *("--preset", "jans", "--minutes", "2.0", "--games", "0"),
        *("--options", "variant=cannibal", "--set", "max_simulations=5"),
    ]


@pytest.mark.parametrize(
    "change",
    [
        {"game": "chess"},
        {"size": "0x0"},
        {"name": "../demo"},
        {"name": ""},
        {"name": "-x"},
        {"name": "a/b"},
        {"preset": "none"},
        {"minutes": "0"},
        {"minutes": "nan"},
        {"minutes": "soon"},
        {"settings": {"max_simulations": "0"}},
        {"settings": {"nothing": "1"}},
        {"settings": {"max_simulations": "1" * 10**6}},
    ],
)
def test_impossible_orders_get_a_sentence(rules, change):
    with pytest.raises(UsageError):
        begin_training(rules, ORDER._replace(**change))


def test_weights_come_from_runs_only(rules):
    """The page reads nothing outside the directory of runs."""
    _, arguments = begin_training(rules, ORDER._replace(settings={"nn_weights": "small"}))
    assert arguments[-1] == f"nn_weights={rules.runs / 'small'}"
    for path in ("../small", "/etc/passwd"):
        with pytest.raises(UsageError, match="not below the directory of runs"):
            begin_training(rules, ORDER._replace(settings={"nn_weights": path}))


def test_a_run_is_not_overwritten(rules):
    (rules.runs / "demo").mkdir()
    with pytest.raises(UsageError, match="already"):
        begin_training(rules, ORDER)


def test_a_run_is_resumed_with_its_own_game(rules):
    run = rules.runs / "paper" / "demo"
    run.mkdir(parents=True)
    (run / "config.json").write_text(json.dumps({"game": "clobber 3x4 variant=cannibal"}))
    name, arguments = resume_training(rules, "paper/demo", "7")
    assert name == "paper/demo"
    assert arguments == [
        *("train", "clobber", "--size", "3x4", "--run", str(run), "--resume"),
        *("--minutes", "7.0", "--games", "0", "--options", "variant=cannibal"),
    ]
    for other in ("nothing", "..", "../../etc", "paper"):
        with pytest.raises(UsageError):
            resume_training(rules, other, "7")
