"""What cazenave says of its networks, each sentence as something that can be judged.

Networks are compared after the last epoch, by a t-test whose variance is pooled over all networks:
with two or three seeds that of a single network is hardly known.
"""

import math
import statistics
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from zerolab.studies.report import Report

ACCURACY, MSE = "accuracy", "mse"
LEVEL = 0.05  # of the tests
CLOSE = 0.01  # accuracies that differ by no more are close: one point of a hundred
UNLEARNT = 0.24  # mean squared error of a value that says next to nothing; 0.25 says nothing
HOLDS, FAILS, UNKNOWN = "holds", "does not hold", "cannot be told"
HEADINGS = ("section", "statement", "ours", "verdict")

Numbers = Mapping[str, Mapping[str, Sequence[float]]]
"""By measure and network, a number for each seed."""


class Better(NamedTuple):
    """Each of some networks is better than each of some others."""

    section: str
    text: str
    measure: str
    better: tuple[str, ...]
    worse: tuple[str, ...]

    def judge(self, numbers: Numbers) -> tuple[str, str]:
        """What was measured, and the verdict."""
        found = numbers[self.measure]
        sign = -1 if self.measure == MSE else 1
        gaps = [
            Gap(sign * (_mean(found[one]) - _mean(found[other])), *_spread(found))
            for one in self.better
            for other in self.worse
        ]
        right, wrong = sum(gap.low > 0 for gap in gaps), sum(gap.high < 0 for gap in gaps)
        smallest = min(gaps, key=lambda gap: gap.difference)
        text = f"smallest lead {_in_words(smallest.difference, self.measure)}"
        if len(gaps) > 1:
            text += f", {sum(gap.difference > 0 for gap in gaps)} of {len(gaps)} pairs"
        return text, FAILS if wrong else HOLDS if right == len(gaps) else UNKNOWN


class Close(NamedTuple):
    """Two networks differ by one point of accuracy at most; the second may also be better."""

    section: str
    text: str
    one: str
    other: str
    one_sided: bool = False
    """Whether only a loss counts: `other` must not be much worse than `one`."""
    measure: str = ACCURACY

    def judge(self, numbers: Numbers) -> tuple[str, str]:
        """What was measured, and the verdict."""
        found = numbers[self.measure]
        gap = Gap(_mean(found[self.one]) - _mean(found[self.other]), *_spread(found))
        text = f"difference {_in_words(gap.difference, self.measure)}"
        if gap.high <= CLOSE and (self.one_sided or gap.low >= -CLOSE):
            return text, HOLDS
        is_far = gap.low > CLOSE or (gap.high < -CLOSE and not self.one_sided)
        return text, FAILS if is_far else UNKNOWN


class Unlearnt(NamedTuple):
    """A network does not learn the value."""

    section: str
    text: str
    network: str

    def judge(self, numbers: Numbers) -> tuple[str, str]:
        """What was measured, and the verdict: all seeds must agree."""
        found = numbers[MSE][self.network]
        text = f"errors {', '.join(f'{each:.3f}' for each in found)}; 0.25 is no knowledge"
        if min(found) > UNLEARNT:
            return text, HOLDS
        return text, FAILS if max(found) <= UNLEARNT else UNKNOWN


Statement = Better | Close | Unlearnt


class Gap(NamedTuple):
    """A difference of two means with what its error is made of."""

    difference: float
    error: float | None
    """Standard error of the difference; None with one seed."""
    freedom: int
    """Degrees of freedom of the error."""

    @property
    def low(self) -> float:
        """The lower end of the 95 % interval."""
        return self.difference - self._margin

    @property
    def high(self) -> float:
        """The upper end of the 95 % interval."""
        return self.difference + self._margin

    @property
    def _margin(self) -> float:
        if self.error is None:
            return math.inf
        from scipy import stats

        return float(stats.t.ppf(1 - LEVEL / 2, self.freedom)) * self.error


def _spread(found: Mapping[str, Sequence[float]]) -> tuple[float | None, int]:
    """Standard error of a difference of two means, pooled over networks, and its freedom."""
    seeds = min(len(values) for values in found.values())
    if seeds < 2:
        return None, 0
    variance = statistics.fmean(statistics.variance(values) for values in found.values())
    return math.sqrt(2 * variance / seeds), len(found) * (seeds - 1)


def _mean(values: Sequence[float]) -> float:
    return statistics.fmean(values)


def _in_words(difference: float, measure: str) -> str:
    if measure == ACCURACY:
        return f"{100 * difference:+.1f} points"
    return f"{difference:+.4f}"


def judge_all(title: str, statements: Sequence[Statement], numbers: Numbers) -> Report:
    """A row for each statement; it is reproduced if each of them holds, None if any is unclear."""
    rows, values = [], []
    for each in statements:
        ours, verdict = each.judge(numbers)
        rows.append((each.section, each.text, ours, verdict))
        values.append(
            {"section": each.section, "statement": each.text, "ours": ours, "verdict": verdict}
        )
    verdicts = [row[-1] for row in rows]
    counted = {verdict: verdicts.count(verdict) for verdict in (HOLDS, FAILS, UNKNOWN)}
    reproduced = False if counted[FAILS] else None if counted[UNKNOWN] else True
    text = ", ".join(f"{count} {verdict}" for verdict, count in counted.items() if count)
    return Report(
        title,
        HEADINGS,
        rows,
        values,
        f"{text} (95 %, variance pooled over networks; one seed tells nothing)",
        is_complete=True,
        reproduced=reproduced,
    )
