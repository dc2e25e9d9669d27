from zerolab.training.runs.evaluations import Evaluations


def test_levels_without_games_have_no_mean() -> None:
    evaluations = Evaluations(levels=3, window=2)
    evaluations.add(0, 1.0)
    evaluations.add(2, -1.0)
    assert evaluations.means() == [1.0, None, -1.0]


def test_the_oldest_results_make_room() -> None:
    evaluations = Evaluations(levels=1, window=2)
    for result in (1.0, 1.0, -1.0):
        evaluations.add(0, result)
    assert evaluations.means() == [0.0]
    assert evaluations.count == 3


def test_what_was_kept_can_be_restored() -> None:
    one, other = Evaluations(2, 3), Evaluations(2, 3)
    for level, result in ((0, 1.0), (1, 0.0), (1, -1.0)):
        one.add(level, result)
    other.add(0, -1.0)
    other.restore(one.as_lists(), one.count)
    assert other.as_lists() == [[1.0], [0.0, -1.0]]
    assert other.count == 3
