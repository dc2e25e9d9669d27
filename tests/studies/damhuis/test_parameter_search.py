"""What the search for better parameters reports, on invented trials."""

import pytest

from zerolab.studies.damhuis import parameter_search as damhuis_search
from zerolab.studies.damhuis.parameter_search import FULL, THESIS, Tried

NETWORK = THESIS["4x4"]


def report(board, *scores, is_complete=True):
    final = [Tried(NETWORK._replace(alpha=rate), score, False) for rate, score in enumerate(scores)]
    tried = [Tried(NETWORK, 0.5, is_dead) for is_dead in (True, False, True)]
    return damhuis_search._report(board, tried, final, FULL, is_complete)


@pytest.mark.parametrize(
    ("scores", "gain"), [((0.9, 0.5, 0.95), "+5.0%"), ((0.9, 0.85, 0.8), "-5.0%")]
)
def test_the_best_found_beside_that_of_the_thesis(scores, gain):
    found = report("4x4", *scores)
    assert [row[0] for row in found.rows] == ["thesis", "found", "found"]
    assert [value["score"] for value in found.values] == list(scores)
    assert "3 settings tried" in found.verdict
    assert "2 died" in found.verdict
    assert f"the best found wins {gain} of the games more" in found.verdict
    assert found.reproduced is None


def test_a_board_that_the_thesis_does_not_have():
    found = report("5x5", 0.9, 0.8)
    assert [row[0] for row in found.rows] == ["found", "found"]
    assert "more than the thesis" not in found.verdict
    assert not report("4x4", is_complete=False).is_complete
