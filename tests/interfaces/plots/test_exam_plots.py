"""The graphs of an exam are asked what they show."""

from types import SimpleNamespace

import numpy as np

from tests.interfaces.figures import marked, ticks
from zerolab.evaluation.perfect.accuracy import KeepingShare, Share
from zerolab.evaluation.perfect.examination import Examined
from zerolab.interfaces.plots.curves import COLOURS
from zerolab.interfaces.plots.exam_plots import draw_regret, draw_shares, plot_exam

# Two players stand half of 0.5 / 3 to the left and right of their stage.
LEFT, RIGHT = -1 / 12, 1 / 12


def stage(critical, regret, error):
    return SimpleNamespace(critical=critical, regret=regret, regret_error=error)


def examined(name, random, selfplay):
    overall = KeepingShare(0.5, 9, 0.1, random) if random is not None else None
    return Examined(name, overall, SimpleNamespace(stages=selfplay), {})


RESULTS = [
    examined(
        "one",
        {"early": Share(0.5, 9, 0.1), "middle": Share(0.9, 9, 0.1), "late": Share(0.1, 9, 0.1)},
        {
            "early": stage(Share(0.6, 9, 0.05), 0.5, 0.1),
            "late": stage(Share(0.7, 9, 0.05), 0.05, 0.1),
        },
    ),
    examined(
        "two",
        {"early": Share(0.25, 9, 0.1), "middle": Share(0.0, 0, 0.0), "late": Share(0.75, 9, 0.1)},
        {
            "early": stage(Share(0.8, 9, 0.05), 0.25, None),
            "middle": stage(Share(0.0, 0, 0.0), 1.0, 0.2),
        },
    ),
]


def assert_marked(found, points, bars):
    """Points in places of one player, and where their bars end."""
    np.testing.assert_allclose(found.points, points)
    np.testing.assert_allclose(found.bars, bars, atol=1e-3)


def test_shares_by_stage_with_intervals_that_stay_within_0_and_1(axes):
    draw_shares(axes, "title", [result.random.stages for result in RESULTS])
    one, two = marked(axes, "y")
    # 1.96 x 0.1 to either side: 0.9 has 0.704 to 1, and 0.1 has 0 to 0.296.
    assert_marked(
        one,
        [(LEFT, 0.5), (1 + LEFT, 0.9), (2 + LEFT, 0.1)],
        [(0.304, 0.696), (0.704, 1.0), (0.0, 0.296)],
    )
    # In the middle there was no position.
    assert_marked(two, [(RIGHT, 0.25), (2 + RIGHT, 0.75)], [(0.054, 0.446), (0.554, 0.946)])
    assert [one.colour, two.colour] == [each.upper() for each in COLOURS[:2]]
    assert ticks(axes, "x") == ["early", "middle", "late"]
    assert axes.get_title(loc="left") == "title"


def test_regret_by_stage(axes):
    draw_regret(axes, RESULTS)
    one, two = marked(axes, "y")
    # 1.96 x 0.1 to either side, but not below 0; one game has no error.
    assert_marked(one, [(LEFT, 0.5), (2 + LEFT, 0.05)], [(0.304, 0.696), (0.0, 0.246)])
    assert_marked(two, [(RIGHT, 0.25), (1 + RIGHT, 1.0)], [(0.25, 0.25), (0.608, 1.392)])
    assert [one.colour, two.colour] == [each.upper() for each in COLOURS[:2]]


def test_random_positions_own_games_and_regret_beside_each_other(saved, tmp_path):
    nobody = examined("three", None, {})
    plot_exam("demo", [*RESULTS, nobody], tmp_path / "exam.png")
    (figure,) = saved
    heights = [[[y for _, y in each.points] for each in marked(axes, "y")] for axes in figure.axes]
    assert heights == [
        [[0.5, 0.9, 0.1], [0.25, 0.75], []],
        [[0.6, 0.7], [0.8], []],
        [[0.5, 0.05], [0.25, 1.0], []],
    ]
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert ["random games" in titles[0], "its own games" in titles[1]] == [True, True]
    assert titles[2].startswith("Regret per game against itself")
    (names,) = figure.legends
    assert [text.get_text() for text in names.get_texts()] == ["one", "two", "three"]
