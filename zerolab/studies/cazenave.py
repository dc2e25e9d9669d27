"""cazenave: residual and mobile networks for Go (Table I, the speed of both by batch size).

T. Cazenave, "Mobile Networks for Computer Go", IEEE Transactions on Games 14(1), 2022. The table
has positions a second of a0.20 (20 residual blocks of 256) and mobile.conv.bin.40 (40 mobile
blocks of 128/512) on a 19x19 board, on a graphics card and on 24 cores. Speeds depend on the
machine; what can be compared is their ratio, and how it changes with the batch.
"""

import os
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from zerolab.networks.architectures import make_recipe
from zerolab.networks.evaluator import OnnxEvaluator
from zerolab.networks.network import Network
from zerolab.networks.signature import cazenave_signature
from zerolab.studies.measuring import measure, repeated

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


class SpeedReport(NamedTuple):
    """Table I, the part on processors."""

    speeds: list[SpeedRow]
    expected: int
    title: str = "Table I, on processors: positions a second on 19x19, a0.20 and mobile.conv.bin.40"
    headings: tuple[str, ...] = (
        "batch",
        *("paper a0.20", "paper mobile", "paper ratio"),
        *("ours a0.20", "ours mobile", "our ratio"),
    )

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """A row for each batch size."""
        return [
            (
                f"{speed.batch}",
                *(f"{each:.1f}" for each in PAPER[speed.batch]),
                f"{speed.paper_ratio:.2f}",
                *(f"{speed.residual:.1f}", f"{speed.mobile:.1f}", f"{speed.ratio:.2f}"),
            )
            for speed in self.speeds
        ]

    @property
    def verdict(self) -> str:
        """Who is faster."""
        if not self.speeds:
            return "stopped before the first batch size"
        faster = sum(speed.ratio > 1 for speed in self.speeds)
        words = f"the residual network is the faster at {faster} of {len(self.speeds)} batch sizes"
        return f"{words} here, at all of them in the paper, whose batches go on to 65,536"

    @property
    def values(self) -> list[dict[str, Any]]:
        """The rows for programs."""
        return [
            speed._asdict() | {"ratio": speed.ratio, "paper_ratio": speed.paper_ratio}
            for speed in self.speeds
        ]

    @property
    def is_complete(self) -> bool:
        """Whether no batch size is missing."""
        return len(self.speeds) == self.expected

    @property
    def reproduced(self) -> bool:
        """Whether the residual network is the faster at every batch size, as in the paper."""
        return self.is_complete and all(speed.ratio > 1 for speed in self.speeds)


def speed(largest: int | None, seed: int, on_progress: Callable[[int, int], None]) -> SpeedReport:
    """All batch sizes up to `largest`, or up to 512, which takes minutes; Ctrl-C ends it early."""
    batches = [batch for batch in PAPER if largest is None or batch <= largest]
    report = SpeedReport([], len(batches))
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
            report.speeds.append(SpeedRow(batch, batch * rates[RESIDUAL], batch * rates[MOBILE]))
            on_progress(number + 1, len(batches))
    return report
