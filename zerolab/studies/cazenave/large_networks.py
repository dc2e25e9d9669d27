"""cazenave-large: residual and mobile networks without a bound on their size (Figures 3, 4, 9, 10).

The mobile ones have far fewer parameters than the residual one.
"""

from pathlib import Path

from zerolab.experiments.sweeps.workers import OnProgress
from zerolab.studies.cazenave.game_data import pack_once
from zerolab.studies.cazenave.learning_sweeps import (
    Course,
    curves_over,
    learn_all,
    numbers_of,
    place_of,
    stopped,
    table_of,
)
from zerolab.studies.cazenave.scales import effort_of
from zerolab.studies.cazenave.statements import ACCURACY, MSE, Better, Statement, judge_all
from zerolab.studies.report import Report

PART = "large"
_A0, _MOBILE, _CONV, _VAL4 = KINDS = ("a0", "mobile", "mobile.conv.bin", "mobile.conv.bin.val4")

STATEMENTS: tuple[Statement, ...] = (
    Better("V.B", "mobile networks foresee more moves", ACCURACY, (_MOBILE, _CONV), (_A0,)),
    Better("V.B", "a convolutional head is slightly better", ACCURACY, (_CONV,), (_MOBILE,)),
    Better("V.B", "mobile networks have better values", MSE, (_MOBILE, _CONV), (_A0,)),
    Better("V.D", "the same for moves with ELF's games", ACCURACY, (_CONV,), (_A0,)),
    Better("V.D", "the same for values with ELF's games", MSE, (_CONV,), (_A0,)),
    Better("V.F", "a weight of 4 gives a better value", MSE, (_VAL4,), (_CONV,)),
)


def compare(
    scale: str,
    seed: int,
    on_progress: OnProgress,
    data: Path | None = None,
    workers: int | None = None,
) -> list[Report]:
    """What the networks have learnt, and which statements of the paper hold."""
    effort = effort_of(scale)
    course = Course(pack_once(data), effort.large)
    place = place_of(course.data, PART, effort, seed)
    learnt = learn_all(course, effort, place, seed, on_progress, workers)
    title = f"larger networks, {course.board}, scale {scale}"
    if not learnt:
        return [stopped(title)]
    learnt.sort(key=lambda each: effort.large.index(each.network))
    by_kind = dict(zip(KINDS, learnt, strict=True))
    picture = place.directory / "cazenave-large.svg"
    return [
        table_of(title, learnt, picture, curves_over(learnt)),
        judge_all(f"what the paper says of them, {course.board}", STATEMENTS, numbers_of(by_kind)),
    ]
