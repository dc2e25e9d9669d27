from zerolab.evaluation.ratings.pareto import pareto_front


def test_pareto_front():
    assert pareto_front([1, 2, 3, 4], [10, 30, 20, 40]) == [0, 1, 3]
    assert pareto_front([4, 3, 2, 1], [40, 20, 30, 10]) == [3, 2, 0]
    assert pareto_front([1, 1, 2], [5, 7, 7]) == [1]
