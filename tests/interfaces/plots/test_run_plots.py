"""The graphs are asked what they show, on axes that are never looked at."""

import json
from pathlib import Path
from typing import Any

import matplotlib.pyplot
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tests.interfaces.figures import legend
from zerolab.errors import UsageError
from zerolab.interfaces.plots.curves import COLOURS, GREY, Shown, running_mean
from zerolab.interfaces.plots.run_graphs import GRAPHS, graphs_of
from zerolab.interfaces.plots.run_plots import (
    _short,
    _shown,
    choose_graphs,
    draw_runs,
    plot_files,
    show_plots,
)
from zerolab.interfaces.views.output import Output
from zerolab.training.runs.logs import LOG, RunLog, open_log

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
        "states_per_s_actor": 70.0,
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


def draw(title: str, axes: Axes, *runs: Shown) -> bool:
    return next(graph for graph in GRAPHS if graph.title == title).draw(axes, runs)


def curves(axes: Axes) -> list[list[float]]:
    return [[float(y) for y in each.get_ydata()] for each in axes.lines]


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
    any_will_do = {"play_seconds": "_seconds", "states_per_s": ("_per_s", "_per_s_actor")}
    ending = any_will_do.get(field, field)
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


# The first value of each series; by hand from the line of step 1.
SERIES = {
    "Training loss": {"sum": 1.6, "policy": 1.0, "value": 0.5, "l2reg": 0.1},
    "Evaluation returns vs MCTS+Solver with x10^(n/2) sims": {"x1": 0.5, "x3": 0.25, "x10": 0.0},
    "The same without exact leaves": {"x1": 0.2, "x3": 0.1},
    "Judged by perfect play": {
        "moves that keep the value": 0.9,
        "values with the right sign": 0.8,
    },
    "The network alone, judged by perfect play": {
        "moves that keep the value": 0.7,
        "values with the right sign": 0.6,
    },
    "Moves that keep the value, by stage of the game": {"early": 0.8, "middle": 0.9, "late": 1.0},
    "Its own games, judged by perfect play": {
        "critical moves that keep the value": 0.85,
        "all moves": 0.95,
    },
    "Regret: value thrown away in a game of its own": {"per game": 3.0, "early": 2.0, "late": 1.0},
    "MCTS value prediction accuracy": {
        **{"start": 0.5, "2": 0.6, "middle": 0.7, "4": 0.8, "end": 0.9}
    },
    "MCTS absolute value prediction": {
        **{"start": 0.0, "2": 0.1, "middle": 0.2, "4": 0.3, "end": 0.4}
    },
    "Share of positions proven": {"proven": 0.7},
    "Outcomes": {"Player1": 0.75, "Player2": 0.25, "Draw": 0.0},
    "Speed of actor state/s": {"while playing": 70.0, "learning included": 50.0},
    "Time per phase": {"play": 2.0, "learn": 1.0, "trace": 0.1},
    "Cache requests/s": {"requests": 2e4, "misses": 1e4},
    "Cache usage and hit rate": {"hit rate": 0.5, "usage": 0.1},
}


@pytest.mark.parametrize("title", [*SERIES])
def test_each_graph_shows_its_series(title: str, axes: Axes) -> None:
    """Those of one run, with a colour each, in the order of the legend."""
    draw(title, axes, run(FULL))
    expected = SERIES[title]
    assert [y[0] for y in curves(axes)] == pytest.approx(list(expected.values()))
    assert len({each.get_color() for each in axes.lines}) == len(expected)
    if len(expected) == 1:
        assert legend(axes) == []
        return
    assert legend(axes) == list(expected)
    colours = [handle.get_color() for handle in axes.get_legend().legend_handles]
    assert colours == [each.get_color() for each in axes.lines]


def test_all_graphs_but_those_of_spreads_and_histograms_are_asked() -> None:
    others = {title for title in NEEDS if title not in SERIES}
    assert others == {
        *("Game length + stddev + min/max", "Game length histogram"),
        *("Inference batch size + stddev + min/max", "Inference batch size"),
    }


MAIN = {
    "Evaluation returns vs MCTS+Solver with x10^(n/2) sims": ["x1", "x3", "x10"],
    "The same without exact leaves": ["x1", "x3"],
    "MCTS absolute value prediction": ["start", "middle", "end"],
    "Time per phase": ["play", "learn"],
    "Speed of actor state/s": ["while playing"],
    "Cache usage and hit rate": ["hit rate"],
}


@pytest.mark.parametrize("title", [*MAIN])
def test_of_several_runs_the_main_series(title: str, axes: Axes) -> None:
    draw(title, axes, run(FULL, "one", "blue"), run(FULL, "two", "red"))
    assert legend(axes) == MAIN[title]
    heights = [SERIES[title][label] for label in MAIN[title]]
    assert [y[0] for y in curves(axes)] == pytest.approx(2 * heights)
    colours = [each.get_color() for each in axes.lines]
    assert colours == ["blue"] * len(heights) + ["red"] * len(heights)


def spreading(step: int) -> dict[str, float]:
    """A mean of 10 and more, its deviation 1, 2, ..., and extremes that are no symmetric."""
    return {"num": 5, "avg": 10.0 + step, "std_dev": float(step), "min": 4.0, "max": 30.0 + step}


@pytest.mark.parametrize(
    ("title", "field"),
    [
        ("Game length + stddev + min/max", "game_length"),
        ("Inference batch size + stddev + min/max", "batch_size"),
    ],
)
def test_a_mean_with_its_spread(title: str, field: str, axes: Axes) -> None:
    lines = [line(step) | {field: spreading(step)} for step in (1, 2, 3)]
    draw(title, axes, run(lines))
    assert curves(axes) == [[11, 12, 13], [4, 4, 4], [31, 32, 33]]
    assert [each.get_linestyle() for each in axes.lines] == ["-", ":", ":"]
    corners = axes.collections[0].get_paths()[0].vertices
    for step in (1, 2, 3):
        there = corners[corners[:, 0] == step][:, 1]
        assert (there.min(), there.max()) == (10, 10 + 2 * step)  # the mean less and plus step
    assert legend(axes) == ["mean", "± standard deviation", "least, greatest"]


def test_of_several_runs_the_means(axes: Axes) -> None:
    runs = [run([line(1) | {"game_length": spreading(n)}], f"{n}", f"C{n}") for n in (1, 2)]
    draw("Game length + stddev + min/max", axes, *runs)
    assert curves(axes) == [[11], [12]]
    assert [each.get_color() for each in axes.lines] == ["C1", "C2"]
    assert legend(axes) == ["mean"]
    (sample,) = axes.get_legend().legend_handles
    assert sample.get_color() == GREY  # of no run in particular


def test_columns_of_the_heat_map_stand_at_their_steps(axes: Axes) -> None:
    """Games of 12 moves in the first step, of 14 in the second, four steps later."""
    short, long = [0] * 12 + [5], [0] * 14 + [5]
    lines = [{"step": 2, "game_length_hist": short}, {"step": 6, "game_length_hist": long}]
    draw("Game length histogram", axes, run(lines))
    (mesh,) = axes.collections
    shares = np.ma.filled(mesh.get_array(), 0)
    assert shares.tolist() == [[1, 0], [0, 0], [0, 1]]  # lengths from 12 up, steps to the right
    corners = mesh.get_coordinates()
    assert corners[0, :, 0].tolist() == [0, 4, 8]
    assert corners[:, 0, 1].tolist() == [11.5, 12.5, 13.5, 14.5]


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
    assert all(tick == round(tick) for tick in axes.get_yticks())  # no game has 12.5 moves


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
    with pytest.raises(UsageError, match="a/run has no time; choose another --x"):
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


@pytest.mark.parametrize(("steps", "marker"), [(30, "."), (31, "")])
def test_short_lines_show_their_points(steps: int, marker: str, axes: Axes) -> None:
    draw("Share of positions proven", axes, run([{"step": n, "proven": n} for n in range(steps)]))
    assert axes.lines[-1].get_marker() == marker


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


def test_a_supervised_run_has_graphs_of_its_own() -> None:
    lines = [
        {
            **{"step": step, "loss": {"sum": 3.0, "policy": 2.0, "value": 1.0, "l2reg": 0.0}},
            "validation": {"accuracy": 0.1 * step, "value_accuracy": 0.6, "mse": 0.2, "policy": 4},
            **{"learning_rate": 0.005, "states_per_s": 100.0},
        }
        for step in (1, 2, 3)
    ]
    log = RunLog(Path("learnt"), CONFIG, lines)
    graphs = graphs_of([log])
    figure, empty = draw_runs(_shown([log], "step"), "step", graphs)
    assert empty == []
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert titles == [graph.title for graph in graphs]
    moves = figure.axes[1].lines[0]
    assert list(moves.get_ydata()) == pytest.approx([0.1, 0.2, 0.3])
    assert "winners" in legend(figure.axes[1])
    assert graphs_of([run(FULL).log]) == GRAPHS
    assert graphs_of([log, run(FULL).log]) == GRAPHS
