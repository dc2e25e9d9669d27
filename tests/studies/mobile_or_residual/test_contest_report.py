"""Tables and verdicts of the contest, for outcomes that are invented."""

from pathlib import Path

import pytest

from zerolab.evaluation.ratings.intervals import Interval
from zerolab.studies.mobile_or_residual.contest_games import Paired, Standing
from zerolab.studies.mobile_or_residual.contest_report import (
    HEADINGS,
    UNKNOWN,
    Findings,
    Result,
    Trained,
    by_chance,
    how_equal,
    report_networks,
    report_results,
    summary_of,
    verdict_on,
)
from zerolab.studies.mobile_or_residual.contest_scales import EVENING, QUICK, SCALES
from zerolab.studies.mobile_or_residual.contestants import (
    EQUAL_STEPS,
    EQUAL_TIME,
    MOBILE,
    RESIDUAL,
    WAYS,
    Contestant,
)
from zerolab.studies.mobile_or_residual.network_speeds import NetworkSpeed

PAIRED = Paired(0.6, Interval(0.5, 0.7), 36)
MOVES = ("100 simulations", "30 ms")


def result(
    residual: tuple[float, ...],
    mobile: tuple[float, ...],
    way: str = EQUAL_TIME,
    move: str = MOVES[0],
    board: str = "clobber 6x6",
) -> Result:
    elo = {RESIDUAL: residual, MOBILE: mobile}
    return Result(board, Standing(way, move, elo, PAIRED, {RESIDUAL: 0.03, MOBILE: 0.04}))


@pytest.mark.parametrize(
    ("difference", "error", "verdict"),
    [
        (20.1, 10.0, "mobile is stronger"),
        (20.0, 10.0, UNKNOWN),
        (0.0, 10.0, UNKNOWN),
        (-20.0, 10.0, UNKNOWN),
        (-20.1, 10.0, "residual is stronger"),
        (500.0, None, UNKNOWN),
    ],
)
def test_two_standard_errors_decide(difference: float, error: float | None, verdict: str) -> None:
    assert verdict_on(difference, error) == verdict


def test_errors_are_those_of_both_means_over_seeds() -> None:
    # Means 0 and 10, errors of 3 and 4: the difference has one of 5.
    spread = 3**0.5
    found = result((-3 * spread, 0.0, 3 * spread), (10 - 4 * spread, 10.0, 10 + 4 * spread))
    assert found.difference == pytest.approx(10)
    assert found.error == pytest.approx(5)
    residual, mobile = found.standing.elo[RESIDUAL], found.standing.elo[MOBILE]
    above = result(residual, tuple(each + 0.1 for each in mobile))
    below = result(residual, tuple(each - 0.1 for each in mobile))
    assert (above.verdict, below.verdict) == ("mobile is stronger", UNKNOWN)
    assert result(above.standing.elo[MOBILE], residual).verdict == "residual is stronger"


def test_one_seed_tells_nothing() -> None:
    found = result((0.0,), (400.0,))
    assert (found.difference, found.error, found.verdict) == (400, None, UNKNOWN)
    assert "with one seed nothing can be told" in summary_of([found], 1)


def test_how_often_chance_alone_decides() -> None:
    """Student's t with four degrees of freedom exceeds 2 in 11.6 % of cases."""
    assert by_chance(3) == pytest.approx(0.1161, abs=1e-4)
    assert by_chance(2) == pytest.approx(0.1835, abs=1e-4)
    assert by_chance(1) is None


def test_the_summary_counts_rows() -> None:
    rows = [
        result((0.0, 1.0), (90.0, 91.0)),
        result((0.0, 1.0), (80.0, 81.0)),
        result((90.0, 91.0), (0.0, 1.0)),
        result((0.0, 90.0), (1.0, 91.0)),
    ]
    text = summary_of(rows[1:] + rows[:1], 2)
    assert "of 4 rows mobile is stronger in 2 and residual in 1; 1 cannot be told" in text
    assert "as between equals in 18% of rows" in text
    assert "boards of up to 25 cells only" in text
    assert summary_of([], 3) == "no tournament is complete"


def test_the_table_and_the_chart() -> None:
    results = [
        result((-10.0, 0.0, 10.0), (90.0, 100.0, 110.0), way, move, board)
        for board in ("clobber 8x8", "clobber 6x6")  # in their order, not in that of the alphabet
        for move in MOVES
        for way in WAYS
    ]
    picture = Path("there.svg")
    report = report_results(Findings(results, []), SCALES[EVENING], 2, picture)
    assert report.is_complete
    assert report.reproduced is None
    assert report.headings == HEADINGS
    assert [row[:3] for row in report.rows] == [
        (board, way, move)
        for board in ("clobber 8x8", "clobber 6x6")
        for way in WAYS
        for move in MOVES
    ]
    assert report.rows[2] == (
        *("clobber 8x8", EQUAL_STEPS, MOVES[0], "+0 ± 6", "+100 ± 6", "+100 ± 8"),
        *("60.0% (50% to 70%)", "mobile is stronger"),
    )
    assert report.title.endswith("3 seeds, scale evening")
    assert report.picture == picture
    value = report.values[2]
    assert (value["trained_for"], value["move"]) == (EQUAL_STEPS, MOVES[0])
    assert value[RESIDUAL] == [-10, 0, 10]
    assert value[MOBILE] == [90, 100, 110]
    assert (value["difference"], value["pairs"], value["score"]) == (100, 36, 0.6)
    assert value["error"] == pytest.approx(8.165, abs=1e-3)
    assert value["seconds_per_move"] == {RESIDUAL: 0.03, MOBILE: 0.04}
    assert [chart.title for chart in report.charts] == ["clobber 8x8", "clobber 6x6"]
    curves = report.charts[0].curves
    assert [curve.label for curve in curves] == list(MOVES)
    assert [curve.y for curve in curves] == [(100, 100)] * 2
    assert [round(x) for x in curves[1].x] == [0, 1]
    assert all(len(curve.errors) == 2 for curve in curves)

    stopped = report_results(Findings(results[:6], []), SCALES[EVENING], 2, picture)
    assert not stopped.is_complete
    assert stopped.verdict.endswith("; stopped")


def test_a_table_of_one_seed_has_no_errors() -> None:
    report = report_results(Findings([result((0.0,), (9.0,))], []), SCALES[QUICK], 2, Path("p.svg"))
    assert report.rows[0][3:6] == ("+0", "+9", "+9")
    assert report.title.endswith("1 seed, scale quick")
    assert report.values[0]["error"] is None
    assert report.charts[0].curves[0].errors == ()


def contestant(network: str, way: str, seed: int, steps: int, seconds: float) -> Contestant:
    run = Path(f"runs/{network}-{way}-{seed}")
    return Contestant(network, way, seed, run, steps, seconds, 1000, 0.9 + seed / 100, seed / 10)


def test_the_table_of_networks() -> None:
    speed = NetworkSpeed(
        parameters=79_013,
        multiply_adds=1,
        one_by_one=1000,
        in_batches=2000,
        in_8_bits=3000,
        learning=400,
    )
    contestants = [
        contestant(network, way, seed, steps * seed, 200 + steps + seed)
        for network, steps in ((RESIDUAL, 10), (MOBILE, 4))
        for way in WAYS
        for seed in (1, 3)
    ]
    trained = Trained("clobber 6x6", contestants, dict.fromkeys((RESIDUAL, MOBILE), speed))
    report = report_networks(Findings([], [trained]), SCALES[EVENING], 1)
    assert report.is_complete
    assert report.rows == [
        (
            *("clobber 6x6", name, "79,013", "1,000", "2,000", "3,000", "400"),
            *(steps, "+0.20 ± 0.10", "+0.20 ± 0.10"),
        )
        for name, steps in ((RESIDUAL, "20 ± 10"), (MOBILE, "8 ± 4"))
    ]
    assert report.headings[7:] == ("steps in 240 s", "ladder, equal time", "ladder, equal steps")
    assert "took 205 to 213 s, in which learners had 0.91 to 0.93 cores" in report.verdict
    assert [run["network"] for run in report.values[1]["runs"]] == [MOBILE] * 4
    assert report.values[0]["runs"][0]["run"] == "runs/residual-equal time-1"
    assert report.values[0]["learning"] == 400

    stopped = report_networks(Findings([], []), SCALES[EVENING], 1)
    assert (stopped.is_complete, stopped.rows) == (False, [])
    assert stopped.verdict.endswith("without exact leaves; stopped")
    assert how_equal([]) == ""
