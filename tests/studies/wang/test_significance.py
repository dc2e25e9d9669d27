import numpy as np
import pytest
from scipy import stats

from zerolab.studies.wang.significance import chance, is_real, p_text


@pytest.mark.parametrize("shift", [0.0, 0.5, 3.0])
def test_chance_is_that_of_an_analysis_of_variance(shift):
    draw = np.random.default_rng(3)
    groups = [draw.normal(shift * number, 1, 4) for number in range(3)]
    means = [float(group.mean()) for group in groups]
    errors = [float(stats.sem(group)) for group in groups]
    assert chance(means, errors, 4) == pytest.approx(stats.f_oneway(*groups).pvalue)


def test_one_seed_tells_nothing_about_chance():
    assert chance([1.0, 2.0, 3.0], [None, None, None], 1) is None
    assert chance([1.0, 1.0, 1.0], [0.0, 0.0, 0.0], 3) is None


@pytest.mark.parametrize(
    ("p", "believed", "text"),
    [(None, False, "?"), (0.05, False, "0.050"), (0.049, True, "0.049"), (1e-4, True, "< 0.001")],
)
def test_what_is_believed_and_shown(p, believed, text):
    assert (is_real(p), p_text(p)) == (believed, text)
