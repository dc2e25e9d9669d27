"""The live view of a training run: a panel in a terminal, a line in a log."""

import itertools
import math
import time
from typing import Any

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from zerolab.evaluation.matches.ladder import simulations_of
from zerolab.training.loop import Limits
from zerolab.training.runs.doctor import diagnose
from zerolab.training.runs.evaluations import EVAL, EVAL_PLAIN
from zerolab.training.settings.continuous_config import TrainingConfig

BARS = "▁▂▃▄▅▆▇█"
SPARKS = 24
WIDTH = 30  # of the bar


class TrainingView:
    """The state of a run; `panel` and `line` show it."""

    def __init__(
        self, title: str, config: TrainingConfig, limits: Limits, log: list[dict[str, Any]]
    ) -> None:
        """`log` has the lines of a run that is resumed."""
        self._title = title
        self._config = config
        self._limits = limits
        self._log = list(log)
        self._phase, self._share = "starting", 0.0
        self._started = time.monotonic()
        self._first = self._done()

    def add(self, line: dict[str, Any]) -> None:
        """Add a step."""
        self._log.append(line)

    def set_phase(self, phase: str, share: float) -> None:
        """Set the current phase and its progress."""
        self._phase, self._share = phase, share

    @property
    def warnings(self) -> dict[str, str]:
        """Warnings about the run."""
        return diagnose(self._log)

    def panel(self) -> RenderableType:
        """For a terminal."""
        grid = Table.grid(padding=(0, 2))
        grid.add_column(style="bold", no_wrap=True)
        grid.add_column()
        bar = Table.grid(padding=(0, 1))
        share = min(1.0, self._share)
        bar.add_row(ProgressBar(1.0, share, WIDTH), Text(f"{share:.0%}"), Text(self._left()))
        grid.add_row(self._phase, bar)
        if self._log:
            for name, text in self._facts():
                grid.add_row(name, text)
        warnings = [Text(f"! {words}", style="yellow") for words in self.warnings.values()]
        return Panel(Group(grid, *warnings), title=self._title, title_align="left")

    def line(self) -> str:
        """For a log file."""
        if not self._log:
            return f"{self._phase}: {self._share:.0%}"
        last = self._log[-1]
        facts = dict(self._facts())
        ladder = f"; {facts[_LADDER]}" if _LADDER in facts else ""
        return (
            f"step {last['step']}: {last['total_trajectories']:,} games, "
            f"{last['total_states']:,} states, {last['states_per_s']:,.0f} a second; loss: policy "
            f"{last['loss']['policy']:.3f}, value {last['loss']['value']:.3f}; "
            f"{last['proven']:.0%} of positions proven{ladder}{self._left(', ')}"
        )

    def _facts(self) -> list[tuple[str, str]]:
        last = self._log[-1]
        facts = [
            ("step", f"{last['step']}, {last['total_trajectories']:,} games"),
            (
                "states",
                f"{last['total_states']:,}, {last['states_per_s']:,.0f} a second, "
                f"{last['proven']:.0%} of them proven",
            ),
            ("policy loss", self._curve("policy")),
            ("value loss", self._curve("value")),
        ]
        if self._config.evaluators > 0:
            facts.append((_LADDER, self._ladder(EVAL)))
            if self._config.exact_stones > 0:
                facts.append(("  no exact leaves", self._ladder(EVAL_PLAIN)))
        if perfect := last["perfect"]:
            regret = f", regret {perfect['regret']:.2f} a game" if "regret" in perfect else ""
            facts.append(
                (
                    "perfect play",
                    f"{perfect['keeps']:.1%} of critical positions kept, "
                    f"{perfect['value_accuracy']:.1%} of values right{regret}",
                )
            )
        return facts

    def _curve(self, loss: str) -> str:
        values = [line["loss"][loss] for line in self._log]
        return f"{values[-1]:.3f} {sparkline(values)}"

    def _ladder(self, kind: str) -> str:
        results = self._log[-1].get(kind, {}).get("results", [])
        words = [
            f"{simulations_of(level, self._config.search.max_simulations):,}: {result:+.2f}"
            for level, result in enumerate(results)
            if result is not None
        ]
        return "  ".join(words) or "no games yet"

    def _done(self) -> float:
        if not self._log:
            return 0.0
        return self._limits.progress(self._log[-1]["time_rel"], self._log[-1]["step"])

    def _left(self, before: str = "") -> str:
        done = self._done()
        if done <= self._first:
            return ""
        seconds = time.monotonic() - self._started
        return f"{before}{seconds * (1 - done) / (done - self._first) / 60:.1f} min left"


_LADDER = "against UCT"


def sparkline(values: list[float]) -> str:
    """A curve as a row of bars; many values are averaged into few."""
    if len(values) > SPARKS:
        edges = [number * len(values) // SPARKS for number in range(SPARKS + 1)]
        parts = [values[start:end] for start, end in itertools.pairwise(edges)]
        values = [sum(part) / len(part) for part in parts]
    finite = [value for value in values if math.isfinite(value)]
    low, high = min(finite, default=0.0), max(finite, default=0.0)
    steps = (len(BARS) - 1) / (high - low) if high > low else 0.0
    bars = [round(steps * (value - low)) if math.isfinite(value) else None for value in values]
    return "".join(" " if bar is None else BARS[bar] for bar in bars)
