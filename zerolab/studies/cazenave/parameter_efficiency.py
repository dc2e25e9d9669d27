"""cazenave-parameters: what networks make of their parameters (Figures 5, 6, 11 and 12).

Networks of several depths learn from the same games. The paper's claim, that mobile networks get as
far with far fewer parameters, is judged at equal numbers of parameters: the residual networks'
curve is interpolated, over the logarithm of the parameters, at each mobile network.
"""

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from zerolab.experiments.sweeps.workers import OnProgress
from zerolab.studies.cazenave.game_data import pack_once
from zerolab.studies.cazenave.learning_sweeps import (
    Course,
    Learnt,
    by_parameters,
    learn_all,
    place_of,
    stopped,
    table_of,
)
from zerolab.studies.cazenave.scales import effort_of
from zerolab.studies.cazenave.statements import ACCURACY, MSE, Better, Statement, judge_all
from zerolab.studies.report import Report

PART = "parameters"
RESIDUAL, MOBILE = "residual", "mobile"
PARTS = {RESIDUAL: "residual networks", MOBILE: "mobile networks"}

STATEMENTS: tuple[Statement, ...] = (
    Better(
        "V.C",
        "at equal parameters mobile networks foresee more moves",
        ACCURACY,
        (MOBILE,),
        (RESIDUAL,),
    ),
    Better(
        "V.C", "at equal parameters mobile networks have better values", MSE, (MOBILE,), (RESIDUAL,)
    ),
)


def compare(
    scale: str,
    seed: int,
    on_progress: OnProgress,
    data: Path | None = None,
    workers: int | None = None,
) -> list[Report]:
    """Both families over their parameters, and the claim."""
    effort = effort_of(scale)
    packed = pack_once(data)
    courses = {
        RESIDUAL: Course(packed, (effort.residual,), effort.residual_blocks),
        MOBILE: Course(packed, (effort.mobile,), effort.mobile_blocks),
    }
    board = courses[MOBILE].board
    title = f"networks of several depths, {board}, scale {scale}"
    families: dict[str, list[Learnt]] = {}
    for number, (family, course) in enumerate(courses.items()):

        def told(done: float, total: float, before: int = number) -> None:
            on_progress(before + done / total, len(courses))

        place = place_of(packed, f"{PART}-{family}", effort, seed)
        learnt = learn_all(course, effort, place, seed, told, workers)
        if not learnt:
            return [stopped(title)]
        families[family] = sorted(learnt, key=lambda each: each.parameters)
    picture = packed.parent / f"cazenave-parameters-{scale}-seed{seed}.svg"
    charts = by_parameters({PARTS[family]: learnt for family, learnt in families.items()})
    everyone = [each for learnt in families.values() for each in learnt]
    return [
        table_of(title, everyone, picture, charts),
        judge_all(f"what the paper says of them, {board}", STATEMENTS, at_equal_size(families)),
    ]


def at_equal_size(families: dict[str, list[Learnt]]) -> dict[str, dict[str, list[float]]]:
    """The mean over the sizes of mobile networks, of both families at these sizes, by seed."""
    residual, mobile = families[RESIDUAL], families[MOBILE]
    sizes = _sizes(mobile)
    return {
        measure: {
            MOBILE: [float(np.mean(each)) for each in _by_seed(mobile, measure)],
            RESIDUAL: [
                float(np.mean(np.interp(sizes, _sizes(residual), each)))
                for each in _by_seed(residual, measure)
            ],
        }
        for measure in (ACCURACY, MSE)
    }


def _sizes(learnt: Sequence[Learnt]) -> list[float]:
    return [math.log(each.parameters) for each in learnt]


def _by_seed(learnt: Sequence[Learnt], measure: str) -> list[tuple[float, ...]]:
    """For each seed a number for each network."""
    return list(zip(*(each.last(measure) for each in learnt), strict=True))
