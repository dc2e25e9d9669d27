"""Do the three values of a parameter differ by more than chance explains?"""

from collections.abc import Sequence

LEVEL = 0.05  # of the test: of twenty parameters that do not matter one is said to


def chance(means: Sequence[float], errors: Sequence[float | None], seeds: int) -> float | None:
    """The p-value of a one-way analysis of variance, from means and their standard errors."""
    from scipy import stats

    within = sum(seeds * error**2 for error in errors if error is not None) / len(means)
    if seeds < 2 or within == 0:
        return None
    middle = sum(means) / len(means)
    between = seeds * sum((mean - middle) ** 2 for mean in means) / (len(means) - 1)
    return float(stats.f.sf(between / within, len(means) - 1, len(means) * (seeds - 1)))


def is_real(p: float | None) -> bool:
    """Whether a difference with this p-value is believed."""
    return p is not None and p < LEVEL


def p_text(p: float | None) -> str:
    """A p-value as tables show it; a question mark where there is none."""
    if p is None:
        return "?"
    return "< 0.001" if p < 0.001 else f"{p:.3f}"
