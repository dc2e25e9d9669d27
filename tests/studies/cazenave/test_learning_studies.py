"""cazenave-small, -large and -parameters: shrunken runs, curves, sizes."""

import pytest

from tests.studies.cazenave.records_of_go import write_games
from zerolab.errors import UsageError
from zerolab.networks.architectures import make_recipe
from zerolab.studies.cazenave import large_networks, parameter_efficiency, small_networks
from zerolab.studies.cazenave.learning_sweeps import (
    Course,
    Learnt,
    Measured,
    by_parameters,
    curve_of,
    curves_over,
    learn_all,
    place_of,
)
from zerolab.studies.cazenave.parameter_efficiency import MOBILE, RESIDUAL, at_equal_size
from zerolab.studies.cazenave.scales import (
    EFFORTS,
    EVENING,
    FULL,
    KINDS,
    SCALES,
    SHRUNKEN,
    effort_of,
)


@pytest.fixture
def games(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return write_games(tmp_path / "games.sgfl")


def learnt(network: str, parameters: int, *ends: tuple[float, float]) -> Learnt:
    """A network whose seeds end with these accuracies and errors."""
    curves = tuple(
        (Measured(100, 60.0, 0.1, 0.25), Measured(200, 180.0 + 120 * seed, *end))
        for seed, end in enumerate(ends)
    )
    return Learnt(network, 3, parameters, ("run",) * len(ends), curves)


def test_the_paper_s_networks_at_full_scale():
    assert effort_of(FULL).small_networks == (
        *("a0.small", "a0.small.conv.bin", "a0.small.conv.bin.val4"),
        *("mobile.small", "mobile.small.conv.bin", "mobile.small.conv.bin.val4"),
    )
    full = EFFORTS[FULL]
    assert (full.epochs, full.epoch_samples, full.validation) == (200, 1_000_000, 100_000)
    assert full.residual_blocks == (5, 10, 15, 20, 30, 40)
    assert full.mobile_blocks == (10, 20, 40)
    assert EFFORTS[EVENING].epochs * EFFORTS[EVENING].epoch_samples == 1_000_000


@pytest.mark.parametrize("scale", SCALES)
def test_every_network_of_a_scale_exists(scale):
    effort = effort_of(scale)
    assert len(effort.small_networks) == len(KINDS)
    for name in (*effort.small_networks, *effort.large, effort.residual, effort.mobile):
        make_recipe(name)


def test_an_unknown_scale():
    with pytest.raises(UsageError, match="'huge' is no scale; expected quick, evening, full"):
        effort_of("huge")


def test_a_log_becomes_a_curve():
    def line(step, accuracy):
        validation = {"accuracy": accuracy, "mse": 0.2}
        return {
            "total_states": 50 * step,
            "learn_processor_seconds": 10.0 * step,
            "validation": validation,
        }

    assert curve_of([line(1, 0.1), line(2, 0.3)]) == (
        Measured(50, 10.0, 0.1, 0.2),
        Measured(100, 30.0, 0.3, 0.2),  # times add up
    )


def test_curves_over_positions_and_over_time():
    charts = curves_over([learnt("a0.tiny", 9, (0.3, 0.2), (0.5, 0.1))])
    assert [chart.axes for chart in charts] == [
        ("positions learnt", "share of moves foreseen"),
        ("positions learnt", "squared error of the value"),
        ("processor minutes", "share of moves foreseen"),
        ("processor minutes", "squared error of the value"),
    ]
    (accuracy,), (error,), (timed,), _ = (chart.curves for chart in charts)
    assert (accuracy.x, accuracy.y, accuracy.label) == ((100, 200), (0.1, 0.4), "a0.tiny")
    assert accuracy.errors == pytest.approx((0, 0.1))
    assert error.y == pytest.approx((0.25, 0.15))
    assert timed.x == (1.0, 4.0)  # the mean of 180 and 300 seconds


def test_speed_and_label():
    one = learnt("a0.tiny", 9, (0.3, 0.2), (0.5, 0.1))
    assert one.speed == pytest.approx(400 / 480)
    assert one.label == "a0.tiny"
    assert one._replace(blocks=7).label == "a0.tiny, 7 blocks"


def test_families_over_their_parameters():
    family = [learnt("a0.tiny", 10, (0.3, 0.2)), learnt("a0.tiny", 20, (0.5, 0.1))]
    accuracy, error = by_parameters({"residual": family})
    assert (accuracy.curves[0].x, accuracy.curves[0].y) == ((10, 20), (0.3, 0.5))
    assert error.curves[0].y == (0.2, 0.1)


def test_families_are_compared_at_equal_size():
    """Half-way between 100 and 10,000 on a scale of logarithms lies 1,000."""
    found = at_equal_size(
        {
            RESIDUAL: [
                learnt("a0.tiny", 100, (0.2, 0.24), (0.3, 0.22)),
                learnt("a0.tiny", 10_000, (0.6, 0.20), (0.5, 0.18)),
            ],
            MOBILE: [learnt("mobile.tiny", 1_000, (0.7, 0.1), (0.8, 0.1))],
        }
    )
    assert found["accuracy"][RESIDUAL] == pytest.approx([0.4, 0.4])
    assert found["mse"][RESIDUAL] == pytest.approx([0.22, 0.20])
    assert found["accuracy"][MOBILE] == [0.7, 0.8]


def test_small_networks_shrunken(games):
    told = []
    table, verdicts = small_networks.compare(
        SHRUNKEN, 1, lambda *done: told.append(done), games, workers=1
    )
    assert table.is_complete
    effort = effort_of(SHRUNKEN)
    assert [each["network"] for each in table.values] == list(effort.small_networks)
    for each in table.values:
        assert [len(curve) for curve in each["curves"]] == [effort.epochs] * effort.seeds
        assert each["curves"][0] != each["curves"][1]  # other seeds learn otherwise
        assert each["curves"][0][-1]["samples"] == 1024
    assert len(verdicts.rows) == len(small_networks.STATEMENTS)
    assert told[-1] == (6, 6)
    again, _ = small_networks.compare(SHRUNKEN, 1, lambda *done: None, games, workers=1)
    assert again.values == table.values  # nothing is learnt twice


def test_large_networks_shrunken(games):
    table, verdicts = large_networks.compare(SHRUNKEN, 1, lambda *done: None, games, workers=1)
    assert [each["network"] for each in table.values] == list(effort_of(SHRUNKEN).large)
    assert len(verdicts.rows) == len(large_networks.STATEMENTS)


def test_parameters_shrunken(games):
    told = []
    table, verdicts = parameter_efficiency.compare(
        SHRUNKEN, 1, lambda *done: told.append(done), games, workers=1
    )
    assert [each["blocks"] for each in table.values] == [1, 2, 1]
    first, second, _ = (each["parameters"] for each in table.values)
    assert first < second
    assert len(verdicts.rows) == 2
    assert told[-1] == (2, 2)


def test_a_network_that_cannot_learn_is_named(games, monkeypatch):
    course = Course(small_networks.pack_once(games), ("a0.tiny",))
    effort = effort_of(SHRUNKEN)._replace(seeds=1)
    from zerolab.experiments.sweeps import trials

    def fail(*arguments):
        raise ValueError("no room")

    monkeypatch.setattr(trials, "run_experiment", fail)
    place = place_of(course.data, "part", effort, 1)
    with pytest.raises(UsageError, match=r"the nn_model a0\.tiny failed: no room"):
        learn_all(course, effort, place, 1, lambda *done: None, workers=1)
