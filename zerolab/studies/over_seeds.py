"""Numbers that were measured with several seeds: means with standard errors."""

import statistics
from collections.abc import Iterable, Sequence

from zerolab.studies.report import Curve


def standard_error(values: Sequence[float]) -> float | None:
    """Of the mean; None with one seed."""
    return statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else None


def with_error(mean: float, error: float | None, form: str) -> str:
    """A number, with its standard error if that is known."""
    text = form.format(mean)
    return text if error is None else f"{text} ± {form.replace('+', '').format(error)}"


def in_words(values: Sequence[float], form: str) -> str:
    """A mean, with its error if there are several seeds."""
    return with_error(statistics.fmean(values), standard_error(values), form)


def mean_curve(label: str, x: Iterable[float], curves: Sequence[Sequence[float]]) -> Curve:
    """The mean over seeds with standard errors, as far as all curves go."""
    points = list(zip(x, zip(*curves, strict=False), strict=False))
    errors = tuple(standard_error(y) or 0.0 for _, y in points) if len(curves) > 1 else ()
    means = tuple(statistics.fmean(y) for _, y in points)
    return Curve(label, tuple(float(place) for place, _ in points), means, errors)
