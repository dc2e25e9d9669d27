"""The graphs are asked what they show, on axes that are never looked at."""

import json
from pathlib import Path
from typing import Any

import matplotlib.pyplot
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from zerolab.errors import UsageError
from zerolab.interfaces.curves import COLOURS, Shown, running_mean
from zerolab.interfaces.output import Output
from zerolab.interfaces.run_graphs import GRAPHS
from zerolab.interfaces.run_plots import (
    _short,
    _shown,
    choose_graphs,
    draw_runs,
    plot_files,
    show_plots,
)
from zerolab.training.logs import LOG, RunLog, open_log

CONFIG = {"game": "clobber 5x5", "nn_model": "resnet", "nn_width": 64, "nn_depth": 4}
NEEDS = {
    "Training loss": "loss",
    "Evaluation returns vs MCTS+Solver with x10^(n/2) sims": "eval",
    "The same without exact leaves": "eval_plain",
    "Judged by perfect play": "perfect",
    "The network alone, judged by perfect play": "perfect",
    "Moves that keep the value, by stage of the game": "perfect",
    "Its own games, judged by perfect play": "perfect",
    "Regret: value thrown away in a game of its own": "perfect",
    "MCTS value prediction accuracy": "value_accuracy",
    "MCTS absolute value prediction": "value_prediction",
    "Share of positions proven": "proven",
    "Outcomes": "outcomes",
    "Game length + stddev + min/max": "game_length",
    "Game length histogram": "game_length_hist",
    "Speed of actor state/s": "states_per_s",
    "Time per phase": "play_seconds",
    "Cache requests/s": "cache",
    "Cache usage and hit rate": "cache",
    "Inference batch size + stddev + min/max": "batch_size",
    "Inference batch size": "batch_size_hist",
}


def statistics(average: float, number: int = 5) -> dict[str, float]:
    spread = {"min": average - 1, "max": average + 1, "std_dev": 0.5}
    return {"num": number, "avg": average} | spread


def perfect(step: int) -> dict[str, float]:
    """What an evaluator measures."""
    return {
        "keeps": 0.9,
        "positions": 50,
        "value_accuracy": 0.8,
        "network_keeps": 0.7,
        "network_value_accuracy": 0.6,
        "keeps_early": 0.8,
        "keeps_middle": 0.9,
        "keeps_late": 1.0,
        "selfplay_keeps": 0.95,
        "selfplay_critical": 0.85,
        "regret": 3 / step,
        "regret_early": 2 / step,
        "regret_late": 1 / step,
    }


def line(step: int) -> dict[str, Any]:
    """A step with all that a log can hold."""
    return {
        "step": step,
        "time_rel": 30.0 * step,
        "total_states": 100 * step,
        "states_per_s": 50.0,
        "loss": {"policy": 1 / step, "value": 0.5 / step, "l2reg": 0.1, "sum": 1.5 / step + 0.1},
        "value_accuracy": [statistics(0.5 + 0.1 * stage) for stage in range(5)],
        "value_prediction": [statistics(0.1 * stage) for stage in range(5)],
        "eval": {"count": 5 * step, "results": [0.5, 0.25, 0.0 if step > 2 else None, None]},
        "eval_plain": {"count": 5 * step, "results": [0.2, 0.1, None, None]},
        "outcomes": {"counts": [3 * step, step, 0], "names": ["Player1", "Player2", "Draw"]},
        "game_length": statistics(15),
        "game_length_hist": [0] * 12 + [1, 4, 2 * step] + [0] * 85,
        "batch_size": statistics(60),
        "batch_size_hist": [0, 1, 2],
        "cache": {"requests_per_s": 2e4, "misses_per_s": 1e4, "hit_rate": 0.5, "usage": 0.1 * step},
        "proven": 0.7,
        "perfect": perfect(step) if step % 2 else None,
        "play_seconds": 2.0,
        "learn_seconds": 1.0,
        "trace_seconds": 0.1,
    }


def run(lines: list[dict[str, Any]], name: str = "demo", colour: str = COLOURS[0]) -> Shown:
    log = RunLog(Path(name), CONFIG, lines)
    return Shown(log, log.numbers("step"), name, colour)


FULL = [line(step) for step in range(1, 5)]


@pytest.fixture(name="axes")
def _axes() -> Any:
    figure, axes = matplotlib.pyplot.subplots()
    yield axes
    matplotlib.pyplot.close(figure)


def draw(title: str, axes: Axes, *runs: Shown) -> bool:
    return next(graph for graph in GRAPHS if graph.title == title).draw(axes, runs)


def curves(axes: Axes) -> list[list[float]]:
    return [[float(y) for y in each.get_ydata()] for each in axes.lines]


def legend(axes: Axes) -> list[str]:
    shown = axes.get_legend()
    return [] if shown is None else [text.get_text() for text in shown.get_texts()]


def drawn(*runs: Shown) -> tuple[Figure, list[str]]:
    figure, empty = draw_runs(runs, "step")
    matplotlib.pyplot.close(figure)
    return figure, empty


def test_a_log_with_everything_fills_every_graph() -> None:
    figure, empty = drawn(run(FULL))
    assert empty == []
    assert figure.get_suptitle() == "clobber 5x5   ·   resnet 64x4   ·   demo"
    assert [axes.get_title(loc="left") for axes in figure.axes] == list(NEEDS)
    assert [axes.get_xlabel() for axes in figure.axes] == ["step"] * len(GRAPHS)


@pytest.mark.parametrize("field", sorted(set(NEEDS.values())))
def test_a_graph_without_its_field_has_no_data(field: str, axes: Axes) -> None:
    ending = "_seconds" if field == "play_seconds" else field  # any phase will do
    lines = [{name: each[name] for name in each if not name.endswith(ending)} for each in FULL]
    for graph in GRAPHS:
        assert graph.draw(axes, [run(lines)]) == (NEEDS[graph.title] != field)


@pytest.mark.parametrize("nothing", [None, "text", [], {}, [None], {"num": 0}, True])
def test_what_is_no_number_is_no_data(nothing: Any, axes: Axes) -> None:
    lines = [dict.fromkeys(each, nothing) for each in FULL]
    assert not any(graph.draw(axes, [run(lines)]) for graph in GRAPHS)


def test_an_empty_figure_says_no_data_everywhere() -> None:
    figure, empty = drawn(run([{}, {"step": 2}]))
    assert empty == list(NEEDS)
    assert all([text.get_text() for text in axes.texts] == ["no data"] for axes in figure.axes)


def test_fields_that_come_late_or_now_and_then(axes: Axes) -> None:
    lines = [{"step": 1}, *FULL[1:]]
    assert drawn(run(lines))[1] == []
    draw("Judged by perfect play", axes, run(FULL))  # measured at the steps 1 and 3
    assert list(axes.lines[0].get_xdata()) == [1, 3]


def test_regret_and_its_stages(axes: Axes) -> None:
    draw("Regret: value thrown away in a game of its own", axes, run(FULL))
    assert curves(axes) == [[3, 1], [2, 2 / 3], [1, 1 / 3]]
    assert legend(axes) == ["per game", "early", "late"]  # nothing was measured in the middle


def test_runs_from_before_self_play_was_judged(axes: Axes) -> None:
    """Their logs have fewer fields, and their graphs are those they had."""
    old = {"keeps": 0.9, "positions": 50, "network_keeps": 0.7}
    shown = run([line(step) | {"perfect": old} for step in range(1, 4)])
    assert draw("Judged by perfect play", axes, shown)
    assert drawn(shown)[1] == [
        "Moves that keep the value, by stage of the game",
        "Its own games, judged by perfect play",
        "Regret: value thrown away in a game of its own",
    ]


def test_results_that_are_not_there_are_no_draws(axes: Axes) -> None:
    title = "Evaluation returns vs MCTS+Solver with x10^(n/2) sims"
    draw(title, axes, run(FULL))
    assert curves(axes) == [[0.5] * 4, [0.25] * 4, [0, 0]]
    assert legend(axes) == ["x1", "x3", "x10"]
    unplayed = [{"eval": {"count": 0, "results": [0, 0]}}]  # as OpenSpiel has it
    assert not draw(title, axes, Shown(RunLog(Path(), {}, unplayed), np.ones(1), "a", "b"))


def test_outcomes_are_shares(axes: Axes) -> None:
    draw("Outcomes", axes, run(FULL))
    assert curves(axes) == [[0.75] * 4, [0.25] * 4, [0] * 4]
    assert legend(axes) == ["Player1", "Player2", "Draw"]


def test_the_heat_map_has_shares_of_each_step(axes: Axes) -> None:
    draw("Game length histogram", axes, run(FULL))
    (mesh,) = axes.collections
    shares = mesh.get_array()
    assert shares.shape == (3, 4)  # lengths 12 to 14
    np.testing.assert_allclose(shares[:, 0], [1 / 7, 4 / 7, 2 / 7])
    assert axes.get_ylim() == (11.5, 14.5)


def test_a_long_run_has_several_steps_in_a_column(axes: Axes) -> None:
    draw("Game length histogram", axes, run([line(1) | {"step": step} for step in range(1000)]))
    assert axes.collections[0].get_array().shape == (3, 334)


def test_several_runs_have_a_colour_each_and_their_main_series(axes: Axes) -> None:
    runs = run(FULL, "one", "blue"), run(FULL[:3], "two", "red")
    draw("Training loss", axes, *runs)
    assert [each.get_color() for each in axes.lines] == ["blue", "red"]
    assert [len(y) for y in curves(axes)] == [4, 3]
    assert curves(axes)[0][0] == 1.6  # the sum
    assert legend(axes) == ["sum"]


def test_of_several_runs_first_middle_and_last_stage(axes: Axes) -> None:
    draw("MCTS value prediction accuracy", axes, run(FULL), run(FULL))
    styles = [(each.get_linestyle(), each.get_ydata()[0]) for each in axes.lines]
    assert styles == 2 * [(":", 0.5), ("--", 0.7), ("-", 0.9)]
    assert legend(axes) == ["start", "middle", "end"]


def test_a_figure_of_several_runs() -> None:
    other = run([{"step": 1}, {"step": 2}], "$other_")  # no formula
    figure, empty = drawn(run(FULL, "_one"), other)
    assert empty == []
    (names,) = figure.legends
    assert [text.get_text() for text in names.get_texts()] == ["./_one", r"\$other_"]
    assert names.get_title().get_text() == "clobber 5x5   ·   resnet 64x4"
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert "Inference batch size (./_one only)" in titles


def test_more_runs_than_colours() -> None:
    shown = _shown([RunLog(Path(f"r{number}"), {}, FULL) for number in range(20)], "step")
    assert len({each.colour for each in shown}) == 20


def test_x_axes() -> None:
    lines = [{"time_rel": 90.0, "total_states": 7}, {"step": 5}]
    log = RunLog(Path("a/run"), {}, lines)
    assert list(_shown([log], "step")[0].x) == [1, 5]
    (timed,) = _shown([log], "time")
    assert list(timed.x) == [1.5]
    assert timed.log.lines == lines[:1]
    assert list(_shown([log], "states")[0].x) == [7]
    with pytest.raises(UsageError, match="a/run does not tell the time; take another --x"):
        _shown([log._replace(lines=lines[1:])], "time")


def test_runs_of_one_name_are_told_apart() -> None:
    logs = [RunLog(Path(name), {}, FULL) for name in ("a/run", "b/run")]
    assert [each.name for each in _shown(logs, "step")] == ["a/run", "b/run"]


def test_the_running_mean_is_over_what_is_there() -> None:
    assert list(running_mean(np.array([0.0, 3, 6, 3]), 3)) == [1.5, 3, 4, 4.5]


def test_long_lines_are_smoothed(axes: Axes) -> None:
    noise = [{"step": step, "proven": step % 2} for step in range(300)]
    draw("Share of positions proven", axes, run(noise))
    raw, smooth = curves(axes)
    assert set(raw) == {0, 1}
    assert max(smooth[10:-10]) - min(smooth[10:-10]) < 0.1


def test_short_numbers() -> None:
    numbers = 0, 0.25, 1500, 2e6, -3e9
    assert [_short(each) for each in numbers] == [
        "0",
        "0.25",
        "1.5k",
        "2M",
        "-3G",
    ]


def test_files(tmp_path: Path) -> None:
    both = [tmp_path / "plots.png", tmp_path / "plots.svg"]
    assert plot_files(None, tmp_path, "plots") == both == plot_files(tmp_path, Path("run"), "plots")
    assert plot_files(tmp_path / "a.pdf", Path("run"), "plots") == [tmp_path / "a.pdf"]
    with pytest.raises(UsageError, match="there is no directory"):
        plot_files(tmp_path / "a", Path("run"), "plots")
    with pytest.raises(UsageError, match="there is no directory"):
        plot_files(tmp_path / "a" / "b.png", Path("run"), "plots")
    with pytest.raises(UsageError, match=r"ends in \.png, \.svg or \.pdf"):
        plot_files(tmp_path / "a.gif", Path("run"), "plots")


def test_graphs_are_chosen_by_parts_of_their_titles() -> None:
    assert choose_graphs([]) == GRAPHS
    titles = [graph.title for graph in choose_graphs(["outcomes", "LOSS", "training loss"])]
    assert titles == ["Outcomes", "Training loss"]
    with pytest.raises(UsageError, match="no graph has 'losses' in its title; there are 'Training"):
        choose_graphs(["losses"])
    figure, _ = draw_runs([run(FULL)], "step", choose_graphs(["game", "cache", "speed"]))
    matplotlib.pyplot.close(figure)
    assert len(figure.axes) == len(choose_graphs(["game", "cache", "speed"])) > 4


def test_the_same_log_gives_the_same_file(tmp_path: Path) -> None:
    (tmp_path / LOG).write_text("".join(json.dumps(each) + "\n" for each in FULL))
    assert open_log(tmp_path).lines == FULL
    pictures = [tmp_path / "a.svg", tmp_path / "b.svg"]
    for picture in pictures:
        show_plots(Output(json=True), [tmp_path], "time", picture, ["own games", "regret"])
    assert pictures[0].read_bytes() == pictures[1].read_bytes()
