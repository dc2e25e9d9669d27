"""How hard leaves are, on a small board and on invented leaves."""

import math

import pytest

from zerolab.benchmarks.measuring import random_position
from zerolab.games.base import State
from zerolab.games.clobber import Clobber
from zerolab.kernels.rng import Stream
from zerolab.search.playouts import mean_length
from zerolab.studies import leaf_hardness
from zerolab.studies.leaf_hardness import Leaf, growth, measure, solve_leaves


def test_leaves_of_a_small_board() -> None:
    told: list[int] = []
    leaves = solve_leaves(Clobber(4, 4), 30, 10_000, 1, told.append)
    assert told == list(range(1, 31))
    assert all(leaf.is_solved for leaf in leaves)
    assert all(2 <= leaf.hardness <= leaf.stones <= 16 for leaf in leaves)
    assert any(leaf.hardness < leaf.stones for leaf in leaves)
    assert max(leaf.nodes for leaf in leaves if leaf.hardness > 7) > 0
    assert all(leaf.nodes == 0 for leaf in leaves if leaf.hardness <= 7)  # looked up
    assert solve_leaves(Clobber(4, 4), 30, 10_000, 1) == leaves


def test_leaves_are_of_the_last_two_thirds_of_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a third of a random game of mean length; what is beyond the end of a game is left out.

    Nearer to the start leaves are too hard to tell anything, and searches solve few there.
    """
    game, asked = Clobber(4, 4), []
    length = round(mean_length(game, leaf_hardness.SAMPLE))

    def position(game: Clobber, plies: int, rng: Stream) -> State | None:
        asked.append(plies)
        return random_position(game, plies, rng)

    monkeypatch.setattr(leaf_hardness, "random_position", position)
    solve_leaves(game, 100, 10_000, 1)
    assert min(asked) == length // 3
    assert max(asked) >= length - 1
    assert len(asked) > 100


def test_too_many_nodes_are_not_solved() -> None:
    leaves = solve_leaves(Clobber(5, 5), 20, 1, 1)
    assert not all(leaf.is_solved for leaf in leaves)


def test_growth_is_a_line_through_logarithms() -> None:
    """Nodes + 1 are 2, 4, 8 and 16 times e or 1 / e: the line has the slope log 2."""
    nodes = [2 * math.e, 4 / math.e, 8 / math.e, 16 * math.e]
    leaves = [Leaf(0, 0, each - 1, True) for each in nodes]
    leaves.append(Leaf(0, 0, 10**6, False))  # not solved: left out
    found = growth([1, 2, 3, 4, 5], leaves)
    assert found.slope == pytest.approx(math.log(2))
    assert found.start == pytest.approx(0)
    assert found.spread == pytest.approx(1)


def test_the_report(monkeypatch: pytest.MonkeyPatch) -> None:
    leaves = [Leaf(9, 20, 1, True), Leaf(10, 30, 3, True), Leaf(11, 40, 7, True)]
    hard = [Leaf(40, 40, 20_000, False)]
    boards = (Clobber(3, 3), Clobber(4, 4))

    def solve(game: Clobber, positions: int, nodes: int, seed: int, told: object) -> list[Leaf]:
        assert (positions, nodes, seed) == (5, 20_000, 2)
        return leaves if game == boards[0] else hard

    monkeypatch.setattr(leaf_hardness, "BOARDS", boards)
    monkeypatch.setattr(leaf_hardness, "solve_leaves", solve)
    report = measure(5, 2, lambda done, total: None)
    assert report.rows == [("8 to 11", "3", "3", "100%"), ("40 to 43", "1", "20,000", "0%")]
    assert report.is_complete
    assert "a factor of 2.00 with each stone of hardness, within a factor of 1.0" in report.verdict
    assert "by live stones: 1.07" in report.verdict  # two to the power of a tenth


def test_a_study_that_was_stopped_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def solve(*arguments: object) -> list[Leaf]:
        raise KeyboardInterrupt

    monkeypatch.setattr(leaf_hardness, "solve_leaves", solve)
    report = measure(None, 1, lambda done, total: None)
    assert (report.rows, report.is_complete) == ([], False)
    assert report.verdict == "too few leaves to tell how nodes grow; stopped"
