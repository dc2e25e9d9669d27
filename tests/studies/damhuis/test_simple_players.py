import pytest

from zerolab.errors import UsageError
from zerolab.studies.damhuis import simple_players as damhuis
from zerolab.studies.registry import STUDIES, run_study
from zerolab.studies.report import Cell, compare_wins


def silent(done, total):
    assert 0 <= done <= total


DAMHUIS = [name for name, study in STUDIES.items() if study.module == "damhuis"]


@pytest.mark.parametrize("name", DAMHUIS)
def test_every_study_runs_when_shrunken(name):
    study = STUDIES[name]
    run = getattr(damhuis, study.function)
    report = run(2, 1, silent)
    assert report.is_complete
    assert all(cell["games"] == 2 for cell in report.values)


def test_table_5_1_is_reproduced():
    (report,) = run_study("damhuis-5.1", "quick", 1, silent)
    assert len(report.values) == 32
    assert report.reproduced, [cell for cell in report.values if not cell["agrees"]]


def test_pick_first_against_itself_is_exact():
    report = damhuis.table_5_1(3, 1, silent)
    exact = [cell for cell in report.values if cell["black"] == cell["white"] == "first"]
    assert len(exact) == 8
    assert [cell["ours"] for cell in exact] == [cell["paper"] for cell in exact]


def test_a_wrong_number_is_noticed():
    assert not Cell(("a",), 50_000, 100_000, 49_000, 100_000).agrees
    assert Cell(("a",), 50_000, 100_000, 49_900, 100_000).agrees
    assert not Cell(("a",), 0, 1000, 1000, 1000).agrees


# Half of 100,000 games has the error 0.001581; three errors of a difference are
# 3 x sqrt(2) x 0.001581 = 0.006708.
@pytest.mark.parametrize(
    ("wins", "agrees"), [(50_670, True), (50_671, False), (49_330, True), (49_329, False)]
)
def test_cells_agree_within_three_standard_errors(wins, agrees):
    right = Cell(("b",), 1, 2, 1, 2)
    cell = Cell(("a",), 50_000, 100_000, wins, 100_000)
    assert abs(cell.difference) == pytest.approx(3, abs=0.005)
    assert (cell.difference > 0) == (wins > 50_000)
    report = compare_wins("title", ("name",), [cell, right], 2)
    assert report.reproduced is agrees
    assert [each["agrees"] for each in report.values] == [agrees, True]
    assert report.rows[0][-1] == ("agrees" if agrees else "differs")
    assert report.verdict.startswith(f"{1 + agrees} of 2 agree")


def test_an_incomplete_table_is_not_reproduced():
    cells = [Cell(("a",), 1, 2, 1, 2)]
    assert compare_wins("title", ("a",), cells, 1).reproduced
    part = compare_wins("title", ("a",), cells, 2)
    assert not part.reproduced
    assert "stopped after 1 cells" in part.verdict


def test_an_unknown_study_lists_the_known():
    with pytest.raises(UsageError, match="'x' is not a study; expected damhuis"):
        run_study("x", "quick", 1, silent)


@pytest.mark.slow
@pytest.mark.parametrize("name", DAMHUIS)
def test_full_scale(name):
    assert run_study(name, "full", 1, silent)[0].reproduced
