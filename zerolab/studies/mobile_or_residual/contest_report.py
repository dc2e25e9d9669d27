"""The tables of the contest: who is stronger, and how fast the networks are."""

import math
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from zerolab.studies.mobile_or_residual.contest_games import Standing
from zerolab.studies.mobile_or_residual.contest_scales import ContestScale
from zerolab.studies.mobile_or_residual.contestants import (
    EQUAL_TIME,
    MOBILE,
    NETWORKS,
    RESIDUAL,
    WAYS,
    Contestant,
)
from zerolab.studies.mobile_or_residual.network_speeds import NetworkSpeed
from zerolab.studies.over_seeds import in_words, standard_error, with_error
from zerolab.studies.report import Chart, Curve, Report

ELO = "{:+.0f}"
BUDGETS = 2
SURE = 2.0  # standard errors
UNKNOWN = "cannot be told"
STRONGER = {MOBILE: "mobile is stronger", RESIDUAL: "residual is stronger"}
HEADINGS = (
    *("board", "trained for", "a move", "residual, Elo", "mobile, Elo", "difference"),
    *("mobile scores", "verdict"),
)
APART = 0.08  # of points in the chart that would hide each other


class Result(NamedTuple):
    """A row of the table."""

    board: str
    standing: Standing

    @property
    def difference(self) -> float:
        """Elo of mobile networks above residual ones."""
        elo = self.standing.elo
        return statistics.fmean(elo[MOBILE]) - statistics.fmean(elo[RESIDUAL])

    @property
    def error(self) -> float | None:
        """Its standard error over seeds; None with one seed."""
        errors = [standard_error(self.standing.elo[name]) for name in NETWORKS]
        known = [each for each in errors if each is not None]
        return math.hypot(*known) if len(known) == len(errors) else None

    @property
    def verdict(self) -> str:
        """In words."""
        return verdict_on(self.difference, self.error)


class Trained(NamedTuple):
    """The networks of a board."""

    board: str
    contestants: Sequence[Contestant]
    speeds: dict[str, NetworkSpeed]

    def of(self, network: str, way: str) -> list[Contestant]:
        """Those of one kind, trained in one way."""
        return [each for each in self.contestants if (each.network, each.way) == (network, way)]


class Findings(NamedTuple):
    """What is complete so far."""

    results: list[Result]
    trained: list[Trained]

    @property
    def rows(self) -> list[Result]:
        """The results by board and way of training, equal simulations before equal time."""
        boards = list(dict.fromkeys(each.board for each in self.results))
        return sorted(
            self.results,
            key=lambda each: (boards.index(each.board), WAYS.index(each.standing.way)),
        )


def verdict_on(difference: float, error: float | None) -> str:
    """Who is stronger, if the difference is more than two standard errors."""
    if error is None or abs(difference) <= SURE * error:
        return UNKNOWN
    return STRONGER[MOBILE if difference > 0 else RESIDUAL]


def by_chance(seeds: int) -> float | None:
    """How often networks of equal strength differ by more than two standard errors."""
    from scipy import stats

    return float(2 * stats.t.sf(SURE, 2 * (seeds - 1))) if seeds > 1 else None


def report_results(findings: Findings, scale: ContestScale, boards: int, picture: Path) -> Report:
    """Rows are boards, ways of training and budgets of a move."""
    rows, results = [], findings.rows
    for each in results:
        standing = each.standing
        low, high = standing.paired.interval
        rows.append(
            (
                *(each.board, standing.way, standing.budget),
                *(in_words(standing.elo[name], ELO) for name in NETWORKS),
                with_error(each.difference, each.error, ELO),
                f"{standing.paired.score:.1%} ({low:.0%} to {high:.0%})",
                each.verdict,
            )
        )
    is_complete = len(rows) == boards * len(WAYS) * BUDGETS
    return Report(
        f"residual and mobile networks of equal size, {scale.seeds} "
        f"{'seed' if scale.seeds == 1 else 'seeds'}, scale {scale.name}",
        HEADINGS,
        rows,
        [_record(each) for each in results],
        summary_of(results, scale.seeds) + ("" if is_complete else "; stopped"),
        is_complete,
        picture=picture,
        charts=tuple(charts_of(results)),
    )


def _record(result: Result) -> dict[str, Any]:
    standing = result.standing
    return {
        "board": result.board,
        "trained_for": standing.way,
        "move": standing.budget,
        **{name: list(standing.elo[name]) for name in NETWORKS},
        "difference": result.difference,
        "error": result.error,
        "score": standing.paired.score,
        "score_interval": list(standing.paired.interval),
        "pairs": standing.paired.pairs,
        "seconds_per_move": standing.seconds,
        "verdict": result.verdict,
    }


def summary_of(results: Sequence[Result], seeds: int) -> str:
    """How many rows speak for either, and what that is worth."""
    if not results:
        return "no tournament is complete"
    verdicts = [each.verdict for each in results]
    mobile, residual, unknown = map(verdicts.count, (*STRONGER.values(), UNKNOWN))
    chance = by_chance(seeds)
    rule = (
        "with one seed nothing can be told"
        if chance is None
        else f"by more than two standard errors over seeds, as between equals in {chance:.0%} of "
        "rows"
    )
    return (
        f"of {len(results)} rows mobile is stronger in {mobile} and residual in {residual}; "
        f"{unknown} cannot be told ({rule}); Elo above the mean of the tournament; 95 % intervals "
        "of scores are over pairs of games of these networks; all play without exact leaves; exact "
        "play is known on boards of up to 25 cells only, so nothing here is compared with it"
    )


def charts_of(results: Sequence[Result]) -> list[Chart]:
    """For each board, how far mobile networks are above residual ones."""
    charts = []
    for board in dict.fromkeys(each.board for each in results):
        own = [each for each in results if each.board == board]
        curves = []
        for place, budget in enumerate(dict.fromkeys(each.standing.budget for each in own)):
            shown = [each for each in own if each.standing.budget == budget]
            errors = [each.error for each in shown]
            curves.append(
                Curve(
                    budget,
                    tuple(WAYS.index(each.standing.way) + APART * place for each in shown),
                    tuple(each.difference for each in shown),
                    tuple(error for error in errors if error is not None),
                    is_line=False,
                )
            )
        axes = "trained for", "Elo of mobile above residual"
        charts.append(Chart(board, axes, tuple(curves), WAYS))
    return charts


def report_networks(findings: Findings, scale: ContestScale, boards: int) -> Report:
    """Sizes, speeds, and what training made of them."""
    rows, values = [], []
    for trained in findings.trained:
        for name, speed in trained.speeds.items():
            speeds = speed.one_by_one, speed.in_batches, speed.in_8_bits, speed.learning
            own = {way: trained.of(name, way) for way in WAYS}
            rows.append(
                (
                    *(trained.board, name, f"{speed.parameters:,}"),
                    *(f"{each:,.0f}" for each in speeds),
                    in_words([each.steps for each in own[EQUAL_TIME]], "{:.0f}"),
                    *(in_words([each.ladder for each in own[way]], "{:+.2f}") for way in WAYS),
                )
            )
            runs = [each._asdict() | {"run": str(each.run)} for way in WAYS for each in own[way]]
            about = {"board": trained.board, "network": name}
            values.append(about | speed.model_dump() | {"runs": runs})
    is_complete = len(findings.trained) == boards
    headings = (
        *("board", "network", "parameters", "one by one", "in batches", "8 bits", "learning"),
        *(f"steps in {scale.seconds:g} s", *(f"ladder, {way}" for way in WAYS)),
    )
    return Report(
        "the networks: positions a second on one core, steps in equal time, the ladder",
        headings,
        rows,
        values,
        f"ladder: mean result, from -1 to 1, against UCT with {scale.simulations} simulations and "
        f"up to ten times as many, without exact leaves{how_equal(findings.trained)}"
        + ("" if is_complete else "; stopped"),
        is_complete,
    )


def how_equal(trained: Sequence[Trained]) -> str:
    """How long runs of equal time were, and how many cores they had; nothing without runs."""
    runs = [each for board in trained for name in NETWORKS for each in board.of(name, EQUAL_TIME)]
    if not runs:
        return ""
    seconds, cores = [each.seconds for each in runs], [each.cores for each in runs]
    return (
        f"; runs of equal time took {min(seconds):.0f} to {max(seconds):.0f} s, in which learners "
        f"had {min(cores):.2f} to {max(cores):.2f} cores"
    )
