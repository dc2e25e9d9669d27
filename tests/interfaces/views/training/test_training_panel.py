from typing import Any

from rich.console import Console

from zerolab.interfaces.views.training.training_panel import BARS, TrainingView, sparkline
from zerolab.training.loop import Limits
from zerolab.training.settings.continuous_config import TrainingConfig

CONFIG = TrainingConfig(actors=1, evaluators=1, exact_stones=8)


def line(step: int) -> dict[str, Any]:
    return {
        "step": step,
        "time_rel": 6.0 * step,
        "total_trajectories": 10 * step,
        "total_states": 1000 * step,
        "states_per_s": 123.0,
        "proven": 0.5,
        "loss": {"policy": 3.0 - step / 10, "value": 0.25, "sum": 3.0},
        "eval": {"results": [0.5, None]},
        "eval_plain": {"results": [None, None]},
        "perfect": {"keeps": 0.975, "value_accuracy": 0.8},
        "game_length": {"num": 10, "std_dev": 1.0},
        "outcomes": {"counts": [6, 4, 0]},
        "actors": 1,
        "restarts": 0,
        "play_seconds": 1.0,
        "learn_seconds": 1.0,
    }


def drawn(view: TrainingView) -> str:
    console = Console(width=100, force_terminal=False)
    with console.capture() as capture:
        console.print(view.panel())
    return capture.get()


def test_all_that_is_known_is_shown() -> None:
    view = TrainingView("clobber 5x5", CONFIG, Limits(seconds=60.0), [])
    view.set_phase("playing", 0.5)
    assert "playing" in drawn(view)
    view.add(line(1))
    view.add(line(2))
    text = drawn(view)
    for part in ("clobber 5x5", "50%", "2,000", "2.800", "100: +0.50", "97.5%", "no games yet"):
        assert part in text
    assert "regret" not in text  # a run of an earlier version
    judged = {"perfect": {"keeps": 0.975, "value_accuracy": 0.8, "regret": 0.25}}
    view.add(line(3) | judged)
    assert "regret 0.25 a game" in drawn(view)
    assert "316" not in text  # no game has been played there
    assert "step 3: 30 games" in view.line()
    assert "100: +0.50" in view.line()


def test_warnings_are_shown() -> None:
    view = TrainingView("clobber 5x5", CONFIG, Limits(), [])
    for step in range(1, 10):
        view.add(line(step) | {"loss": {"policy": 0.001, "value": 0.1, "sum": 0.1}})
    assert "policy has collapsed" in drawn(view)


def test_a_sparkline_falls_with_its_values() -> None:
    assert sparkline([7.0, 4.0, 0.0]) == BARS[7] + BARS[4] + BARS[0]
    assert sparkline([1.0, 1.0]) == BARS[0] * 2
    assert len(sparkline([float(i) for i in range(1000)])) == 24


def test_numbers_that_are_none_leave_gaps() -> None:
    assert sparkline([1.0, float("nan"), 0.0]) == f"{BARS[-1]} {BARS[0]}"
    assert sparkline([float("nan")]) == " "
    view = TrainingView("clobber 5x5", CONFIG, Limits(), [])
    for step in range(1, 10):
        view.add(line(step) | {"loss": {"policy": float("nan"), "value": 0.1, "sum": float("nan")}})
    assert "learning rate is too high" in drawn(view)
    assert "nan" in view.line()
