"""cazenave-small: six networks of the same number of parameters (Figures 1, 2, 7 and 8).

With records of two kinds, as the paper has Leela's games and ELF's, run it twice (--data).
"""

from pathlib import Path

from zerolab.experiments.sweeps.workers import OnProgress
from zerolab.studies.cazenave.game_data import pack_once
from zerolab.studies.cazenave.learning_sweeps import (
    Course,
    Learnt,
    curves_over,
    learn_all,
    numbers_of,
    place_of,
    stopped,
    table_of,
)
from zerolab.studies.cazenave.scales import KINDS, Effort, effort_of
from zerolab.studies.cazenave.statements import (
    ACCURACY,
    MSE,
    Better,
    Close,
    Statement,
    Unlearnt,
    judge_all,
)
from zerolab.studies.report import Report

PART = "small"
_A0, _A0_CONV, _A0_VAL4, _MOBILE, _MOBILE_CONV, _MOBILE_VAL4 = KINDS
_RESIDUAL, _MOBILES = (_A0, _A0_CONV, _A0_VAL4), (_MOBILE, _MOBILE_CONV, _MOBILE_VAL4)

STATEMENTS: tuple[Statement, ...] = (
    Better(
        "V.A",
        "mobile networks foresee more moves than residual ones",
        ACCURACY,
        _MOBILES,
        _RESIDUAL,
    ),
    Better(
        "V.A",
        "mobile with a convolutional head is the best",
        ACCURACY,
        (_MOBILE_CONV,),
        (*_RESIDUAL, _MOBILE),
    ),
    Better(
        "V.A",
        "the AlphaZero-like network is the worst",
        ACCURACY,
        (*_RESIDUAL[1:], *_MOBILES),
        (_A0,),
    ),
    Better(
        "V.A", "a convolutional head improves the residual network", ACCURACY, (_A0_CONV,), (_A0,)
    ),
    Close(
        "V.A",
        "mobile with AlphaZero's head is close to residual with a convolutional one",
        _MOBILE,
        _A0_CONV,
    ),
    Better(
        "V.A",
        "a convolutional head improves the mobile network",
        ACCURACY,
        (_MOBILE_CONV,),
        (_MOBILE,),
    ),
    Close(
        "V.A",
        "a weight of 4 on the value hardly hurts the policy",
        _MOBILE_CONV,
        _MOBILE_VAL4,
        one_sided=True,
    ),
    Unlearnt("V.A", "the AlphaZero-like network does not learn the value (Leela's games)", _A0),
    Better(
        "V.A",
        "mobile with a weight of 4 has the best value",
        MSE,
        (_MOBILE_VAL4,),
        (*_RESIDUAL, _MOBILE, _MOBILE_CONV),
    ),
    Better(
        "V.A",
        "mobile with a weight of 1 has the second best value",
        MSE,
        (_MOBILE_CONV,),
        (*_RESIDUAL, _MOBILE),
    ),
    Better(
        "V.D",
        "mobile, convolutional, foresees more than the AlphaZero-like (ELF's games)",
        ACCURACY,
        (_MOBILE_CONV,),
        (_A0,),
    ),
    Better(
        "V.D",
        "mobile networks have better values than the AlphaZero-like (ELF's games)",
        MSE,
        _MOBILES,
        (_A0,),
    ),
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
    packed = pack_once(data)
    course = Course(packed, effort.small_networks)
    learnt = learn_small(packed, effort, seed, on_progress, workers)
    title = f"networks with less than a million parameters, {course.board}, scale {scale}"
    if not learnt:
        return [stopped(title)]
    picture = place_of(packed, PART, effort, seed).directory / "cazenave-small.svg"
    by_kind = dict(zip(KINDS, learnt, strict=True))
    return [
        table_of(title, learnt, picture, curves_over(learnt)),
        judge_all(f"what the paper says of them, {course.board}", STATEMENTS, numbers_of(by_kind)),
    ]


def learn_small(
    packed: Path, effort: Effort, seed: int, on_progress: OnProgress, workers: int | None = None
) -> list[Learnt]:
    """The six networks in the order of KINDS; the tournament has the same ones."""
    course = Course(packed, effort.small_networks)
    place = place_of(packed, PART, effort, seed)
    learnt = learn_all(course, effort, place, seed, on_progress, workers)
    return sorted(learnt, key=lambda each: effort.small_networks.index(each.network))
