"""wang-correlation: iterations or epochs? 81 players of four settings (Table 2, Figures 4 to 6).

The claim: within a limited budget more outer iterations are worth more than more episodes,
simulations or epochs within them. Judged by a regression with intervals: what a doubling of each
setting adds to Elo, what it adds to time, and what it gains for a doubling of the time.
"""

import itertools
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerolab.evaluation.ratings.intervals import Z_95
from zerolab.evaluation.ratings.pareto import pareto_front
from zerolab.experiments.sweeps.asking import GRID
from zerolab.experiments.sweeps.axes import Values
from zerolab.experiments.sweeps.definition import TOURNAMENT, Place, Sweep, open_sweep
from zerolab.experiments.sweeps.findings import TrialSummary, summarise
from zerolab.experiments.sweeps.objectives import RANDOM, Judging, rate_all
from zerolab.experiments.sweeps.workers import OnProgress, run_to_the_end
from zerolab.games.base import Game
from zerolab.studies.report import Chart, ColourGrid, Curve, Report
from zerolab.studies.wang.effort import Effort, effort_of, place_of
from zerolab.studies.wang.hyper_parameters import BOARD
from zerolab.studies.wang.paper import INNER, OUTER
from zerolab.training.loop import Limits
from zerolab.training.runs.logs import processor_seconds, read_log

TRAINING_SHARE = 0.7  # of the work; the rest is the tournament
SAMPLES = 2000  # of the bootstrap

Floats = npt.NDArray[np.float64]


class Player(NamedTuple):
    """A trained player of the tournament."""

    settings: dict[str, int]
    elo: float
    playing: float
    """Processor time of self-play in all, in seconds."""
    learning: float

    @property
    def seconds(self) -> float:
        """Of training in all."""
        return self.playing + self.learning


class Effect(NamedTuple):
    """What a doubling of a setting does, with 95 % intervals."""

    setting: str
    elo: tuple[float, float, float]
    """Elo gained: low, estimate, high."""
    time: tuple[float, float, float]
    """Doublings of the time."""
    gain: tuple[float, float, float]
    """Elo for a doubling of the time."""


def compare(
    scale: str, seed: int, on_progress: OnProgress, game: Game = BOARD, workers: int | None = None
) -> Report:
    """Train and rate all players, or go on; then the claim."""
    effort = effort_of(scale)
    sweep = sweep_of(effort, seed, game)
    place = Place(place_of("correlation", scale, seed))

    def on_trained(done: float, total: float) -> None:
        on_progress(TRAINING_SHARE * done, total)

    players: list[Player] = []
    if run_to_the_end(sweep, place, on_trained, workers):
        found = summarise(sweep, open_sweep(sweep, place)).complete

        def on_played(done: int, planned: int) -> None:
            on_progress(TRAINING_SHARE + (1 - TRAINING_SHARE) * done / max(1, planned), 1)

        players = _rate(sweep, place, found, on_played)
    return _report(players, effort, sweep.size, place.directory / "wang-correlation.svg")


def sweep_of(effort: Effort, seed: int, game: Game) -> Sweep:
    """All combinations, without an arena."""
    axes = tuple(Values(name, values) for name, values in effort.correlated.items())
    base = effort.base.changed(arena=False)
    judging = Judging(effort.games, base.search.max_simulations, seed=seed)
    return Sweep(game, base, axes, Limits(), ("loss",), GRID, judging=judging, seed=seed)


def _rate(
    sweep: Sweep,
    place: Place,
    found: Sequence[TrialSummary],
    on_played: Callable[[int, int], None],
) -> list[Player]:
    names = [sweep.judging.player_of(each.runs[0], each.steps or 0) for each in found]
    path = place.directory / TOURNAMENT
    ratings = rate_all(sweep.game, names, sweep.judging, path, on_played, anchors=(RANDOM,))
    if ratings is None:
        return []
    players = []
    for name, each in zip(names, found, strict=True):
        spent = processor_seconds(read_log(Path(each.runs[0])))
        rating = ratings[name].rating
        players.append(Player(each.parameters, rating, spent["play"], spent["train"]))
    return players


def effects(players: Sequence[Player], seed: int = 0) -> list[Effect]:
    """Least squares of Elo and log time on the logs of the settings, with bootstrap intervals."""
    names = list(players[0].settings)
    logs = np.log2([[each.settings[name] for name in names] for each in players])
    design = np.column_stack([np.ones(len(players)), logs])
    both = np.array([[each.elo, math.log2(each.seconds)] for each in players])
    draw = np.random.default_rng(seed)
    samples = [_fit(design, both)]
    while len(samples) <= SAMPLES:
        rows = draw.integers(len(players), size=len(players))
        if np.linalg.matrix_rank(design[rows]) == design.shape[1]:
            samples.append(_fit(design[rows], both[rows]))
    fits = np.array(samples)  # [samples, settings, 2]
    return [
        Effect(
            name,
            _interval(fits[:, index, 0]),
            _interval(fits[:, index, 1]),
            _interval(fits[:, index, 0] / fits[:, index, 1]),
        )
        for index, name in enumerate(names)
    ]


def _fit(design: Floats, both: Floats) -> Floats:
    found, *_ = np.linalg.lstsq(design, both)
    return np.asarray(found[1:])


def _interval(samples: Floats) -> tuple[float, float, float]:
    """The estimate, which is the first sample, between the 2.5 % and 97.5 % points of the rest."""
    low, high = np.percentile(samples[1:], [2.5, 97.5])
    return float(low), float(samples[0]), float(high)


def beats(one: Effect, other: Effect) -> bool | None:
    """Whether one gains more for the time than the other; None if it cannot be told."""
    difference = one.gain[1] - other.gain[1]
    errors = [(each.gain[2] - each.gain[0]) / (2 * Z_95) for each in (one, other)]
    if abs(difference) <= Z_95 * math.hypot(*errors):
        return None
    return difference > 0


def _report(players: list[Player], effort: Effort, expected: int, picture: Path) -> Report:
    title = f"6x6 Othello, {expected} players and Random, scale {effort.name}"
    headings = ("setting", "Elo of a doubling", "doublings of the time", "Elo for twice the time")
    if len(players) < expected:
        return Report(title, headings, [], [], "stopped", is_complete=False)
    found = effects(players)
    rows = [
        (each.setting, _span(each.elo), _span(each.time, 2), _span(each.gain)) for each in found
    ]
    by_name = {each.setting: each for each in found}
    verdicts = {
        (outer, inner): beats(by_name[outer], by_name[inner]) for outer in OUTER for inner in INNER
    }
    words = {True: "gain more than", False: "gain less than", None: "cannot be told from"}
    text = "; ".join(f"{a} {words[is_more]} {b}" for (a, b), is_more in verdicts.items())
    known = [is_more for is_more in verdicts.values() if is_more is not None]
    reproduced = None if len(known) < len(verdicts) else all(known)
    if False in known:
        reproduced = False
    return Report(
        title,
        headings,
        rows,
        [each._asdict() for each in found] + [each._asdict() for each in players],
        f"for the same time {text} (95 % intervals)",
        True,
        reproduced,
        picture=picture,
        charts=(*_grids(players, effort), *_times(players, effort)),
    )


def _span(interval: tuple[float, float, float], digits: int = 0) -> str:
    low, middle, high = interval
    return f"{middle:+.{digits}f} ({low:+.{digits}f} to {high:+.{digits}f})"


def _grids(players: Sequence[Player], effort: Effort) -> list[ColourGrid]:
    """Figure 4: Elo by simulations and epochs, a grid for each I and E."""
    elo = {tuple(each.settings.values()): each.elo for each in players}
    names = list(effort.correlated)
    outer, episodes, simulations, epochs = (effort.correlated[name] for name in names)
    return [
        ColourGrid(
            f"Elo, I={i}, E={e}",
            ("m", "ep"),
            tuple(map(str, simulations)),
            tuple(map(str, epochs)),
            tuple(tuple(elo[i, e, m, ep] for m in simulations) for ep in epochs),
        )
        for i, e in itertools.product(outer, episodes)
    ]


def _times(players: Sequence[Player], effort: Effort) -> list[Chart]:
    """Figures 5 and 6: Elo against time, all players, then those with the most iterations."""
    most = [
        each
        for each in players
        if each.settings["iterations"] == effort.correlated["iterations"][-1]
        and each.settings["episodes"] == effort.correlated["episodes"][-1]
    ]
    charts = [_time("all players", players, "seconds", is_labelled=False)]
    for kind in ("playing", "learning", "seconds"):
        charts.append(_time("most I and E (m, ep)", most, kind, is_labelled=True))
    return charts


def _time(title: str, players: Sequence[Player], kind: str, is_labelled: bool) -> Chart:
    names = {"playing": "self-play", "learning": "training", "seconds": "total"}
    x = [float(getattr(each, kind)) for each in players]
    y = [each.elo for each in players]
    texts = tuple(
        f"{each.settings['max_simulations']}, {each.settings['epochs']}" for each in players
    )
    everyone = Curve(
        "players", tuple(x), tuple(y), is_line=False, texts=texts if is_labelled else ()
    )
    front = pareto_front(x, y)
    line = Curve("Pareto front", tuple(x[i] for i in front), tuple(y[i] for i in front))
    seconds = "seconds of processor time"
    return Chart(f"Elo by {names[kind]} time, {title}", (seconds, "Elo"), (everyone, line))
