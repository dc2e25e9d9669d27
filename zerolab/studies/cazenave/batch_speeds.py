"""cazenave: residual and mobile networks for Go (Table I, the speed of both by batch size).

T. Cazenave, "Mobile Networks for Computer Go", IEEE Transactions on Games 14(1), 2022. The table
has positions a second of a0.20 (20 residual blocks of 256) and mobile.conv.bin.40 (40 mobile
blocks of 128/512) on a 19x19 board, on a graphics card and on 24 cores. Speeds depend on the
machine; what can be compared is their ratio, and how it changes with the batch.
"""

import os
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

import numpy as np

from zerolab.benchmarks.measuring import measure, repeated
from zerolab.networks.architectures import make_recipe
from zerolab.networks.onnx_evaluator import OnnxEvaluator
from zerolab.networks.signature import cazenave_signature
from zerolab.networks.torch_network import Network
from zerolab.studies.report import Report

PAPER = {  # batch: positions a second on 24 cores, a0.20.256 and mobile.conv.avg.bin.40.128.512
    16: (15.88, 5.72),
    32: (32.91, 11.40),
    64: (64.64, 23.16),
    128: (127.63, 45.58),
    256: (247.54, 88.34),
    512: (481.34, 193.15),
}
RESIDUAL, MOBILE = "a0.20", "mobile.conv.bin.40"


class SpeedRow(NamedTuple):
    """Positions a second at one batch size."""

    batch: int
    residual: float
    mobile: float

    @property
    def ratio(self) -> float:
        """How many times as fast the residual network is."""
        return self.residual / self.mobile

    @property
    def paper_ratio(self) -> float:
        """The same in the paper."""
        residual, mobile = PAPER[self.batch]
        return residual / mobile


TITLE = "Table I, on processors: positions a second on 19x19, a0.20 and mobile.conv.bin.40"
HEADINGS = (
    "batch",
    *("paper a0.20", "paper mobile", "paper ratio"),
    *("ours a0.20", "ours mobile", "our ratio"),
)


def compare_speeds(speeds: list[SpeedRow], expected: int) -> Report:
    """Table I as far as it was measured."""
    faster = sum(speed.ratio > 1 for speed in speeds)
    is_complete = len(speeds) == expected
    rows = [
        (
            f"{speed.batch}",
            *(f"{each:.1f}" for each in PAPER[speed.batch]),
            f"{speed.paper_ratio:.2f}",
            *(f"{speed.residual:.1f}", f"{speed.mobile:.1f}", f"{speed.ratio:.2f}"),
        )
        for speed in speeds
    ]
    values = [
        speed._asdict() | {"ratio": speed.ratio, "paper_ratio": speed.paper_ratio}
        for speed in speeds
    ]
    verdict = (
        f"the residual network is the faster at {faster} of {len(speeds)} batch sizes here, at all "
        f"of them in the paper, whose batches go on to 65,536"
    )
    if not is_complete:
        verdict += f"; stopped after {len(speeds)} of {expected}"
    reproduced = is_complete and faster == expected
    return Report(TITLE, HEADINGS, rows, values, verdict, is_complete, reproduced)


def speed(largest: int | None, seed: int, on_progress: Callable[[int, int], None]) -> Report:
    """All batch sizes up to `largest`, or up to 512, which takes minutes; Ctrl-C ends it early."""
    batches = [batch for batch in PAPER if largest is None or batch <= largest]
    speeds: list[SpeedRow] = []
    signature = cazenave_signature(19, 19)
    evaluators = {
        name: OnnxEvaluator(
            Network(make_recipe(name).network, signature).to_onnx(), os.cpu_count() or 1
        )
        for name in (RESIDUAL, MOBILE)
    }
    draw = np.random.default_rng(seed)
    with suppress(KeyboardInterrupt):
        for number, batch in enumerate(batches):
            planes = draw.integers(0, 2, (batch, *signature.input_shape)).astype(np.float32)
            callers = {name: repeated(each, planes) for name, each in evaluators.items()}
            rates = measure(callers, seconds=1.0)
            speeds.append(SpeedRow(batch, batch * rates[RESIDUAL], batch * rates[MOBILE]))
            on_progress(number + 1, len(batches))
    return compare_speeds(speeds, len(batches))
