"""wang-losses: what training should make small (Figures 7 to 11).

Policy, value, their sum or their product, on three games with two board sizes, several seeds each.
Judged as in the paper, by the losses, by Elo during training from arena games, and by a tournament
of all final players and Random; and by exact play on 5x5, where the solver reaches.
"""

import itertools
import math
import statistics
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from zerolab.evaluation.perfect.accuracy import measure_network
from zerolab.evaluation.perfect.exam_positions import Exam, draw_exam
from zerolab.evaluation.players.az import AzPlayer
from zerolab.evaluation.players.players import make_player
from zerolab.evaluation.ratings.bradley_terry import Meeting
from zerolab.evaluation.ratings.whole_history import Moment, rate_history
from zerolab.experiments.sweeps.asking import GRID
from zerolab.experiments.sweeps.axes import Values
from zerolab.experiments.sweeps.definition import TOURNAMENT, Place, Sweep, open_sweep
from zerolab.experiments.sweeps.findings import TrialSummary, summarise
from zerolab.experiments.sweeps.objectives import RANDOM, Judging, rate_all
from zerolab.experiments.sweeps.workers import OnProgress, run_to_the_end
from zerolab.games.base import Game, shape
from zerolab.games.catalogue import describe
from zerolab.games.connect_four import ConnectFour
from zerolab.games.gobang import Gobang
from zerolab.games.othello import Othello
from zerolab.games.playing.score import Score
from zerolab.studies.over_seeds import in_words, mean_curve, standard_error
from zerolab.studies.report import Chart, Curve, Report
from zerolab.studies.wang.effort import Effort, effort_of, place_of
from zerolab.studies.wang.paper import BEST_LOSS, LOSSES
from zerolab.training.loop import Limits
from zerolab.training.runs.logs import read_log

BOARDS: tuple[Game, ...] = tuple(
    kind(size, size) for kind in (Othello, ConnectFour, Gobang) for size in (5, 6)
)
SOLVED = 25  # cells of boards that are judged by exact play too
FIRST_PLY = 6  # of positions in exams: earlier ones take the solver long
TRAINING_SHARE = 0.8  # of the work; the rest is the tournament
W2 = 400.0  # square Elo per iteration: how fast a network may change (as in KGS's ratings)
SURE = 2.0  # standard errors


class Judged(NamedTuple):
    """What came of a loss on a board; a number for each seed."""

    loss: str
    elo: tuple[float, ...]
    keeps: tuple[float, ...]
    """Share of critical positions whose value is kept; empty where play is not solved."""
    runs: tuple[str, ...]


def compare(
    scale: str,
    seed: int,
    on_progress: OnProgress,
    boards: Sequence[Game] = BOARDS,
    workers: int | None = None,
) -> list[Report]:
    """A report for each board."""
    effort = effort_of(scale)
    reports = []
    for number, game in enumerate(boards):

        def told(done: float, total: float, before: int = number) -> None:
            on_progress(before + done / total, len(boards))

        reports.append(compare_board(game, effort, seed, told, workers))
        if not reports[-1].is_complete:
            break
    return reports


def compare_board(
    game: Game, effort: Effort, seed: int, on_progress: OnProgress, workers: int | None = None
) -> Report:
    """Train all, or go on; then the paper's finding beside ours."""
    base = effort.base
    judging = Judging(effort.games, base.search.max_simulations, seed=seed)
    axes = (Values("loss", tuple(LOSSES)),)
    sweep = Sweep(
        *(game, base, axes, Limits(), ("time",), GRID),
        repeats=effort.seeds,
        judging=judging,
        seed=seed,
    )
    place = Place(place_of("losses", effort.name, seed, [describe(game).replace(" ", "-")]))

    def on_trained(done: float, total: float) -> None:
        on_progress(TRAINING_SHARE * done / total, 1)

    judged: list[Judged] = []
    if run_to_the_end(sweep, place, on_trained, workers):
        found = summarise(sweep, open_sweep(sweep, place)).complete

        def on_played(done: int, planned: int) -> None:
            on_progress(TRAINING_SHARE + (1 - TRAINING_SHARE) * done / max(1, planned), 1)

        judged = _judge(sweep, place, found, effort, on_played)
    return _report(game, judged, effort, place.directory / "wang-losses.svg")


def _judge(
    sweep: Sweep,
    place: Place,
    found: Sequence[TrialSummary],
    effort: Effort,
    on_played: Callable[[int, int], None],
) -> list[Judged]:
    names = {
        run: sweep.judging.player_of(run, each.steps or 0) for each in found for run in each.runs
    }
    path = place.directory / TOURNAMENT
    players = list(names.values())
    ratings = rate_all(sweep.game, players, sweep.judging, path, on_played, anchors=(RANDOM,))
    if ratings is None:
        return []
    exam = make_exam(sweep.game, effort.questions)
    return [
        Judged(
            each.parameters["loss"],
            tuple(ratings[names[run]].rating for run in each.runs),
            tuple(_keeps(sweep, run, each.steps or 0, exam) for run in each.runs) if exam else (),
            each.runs,
        )
        for each in found
    ]


def make_exam(game: Game, questions: int) -> Exam | None:
    """Positions with exact answers, where the solver reaches."""
    rows, cols = shape(game)
    if rows * cols > SOLVED:
        return None
    return draw_exam(game, questions, questions, first_ply=FIRST_PLY)


def _keeps(sweep: Sweep, run: str, step: int, exam: Exam) -> float:
    player = make_player(sweep.judging.player_of(run, step))
    assert isinstance(player, AzPlayer)
    return measure_network(player.search_in(sweep.game, 1).network, exam).keeps.keeps


def training_elo(log: Sequence[dict[str, Any]]) -> list[float]:
    """Elo of the network after each iteration, from arena games alone, above the first one.

    A new network meets the last one that was accepted; one that is rejected is rated too, and the
    curve goes on with the old one.
    """
    meetings, best, kept = [], 0, [0]
    for line in log:
        arena, step = line["arena"], line["step"]
        if arena is not None:
            score = Score(arena["wins"], arena["draws"], arena["losses"])
            meetings.append(Meeting(Moment("run", step), Moment("run", best), score))
        best = step if line["accepted"] else best
        kept.append(best)
    if not meetings:
        return []
    history = rate_history(meetings, Moment("run", 0), w2=W2, advantage_prior=0)
    rating = {point.moment.time: point.rating for point in history.of("run")}
    return [rating.get(step, 0.0) for step in kept]


def _report(game: Game, judged: list[Judged], effort: Effort, picture: Path) -> Report:
    board = describe(game)
    title = f"{board}: four losses, {effort.seeds} seeds, scale {effort.name}"
    headings = ("trained by", "tournament Elo", "value kept", "policy loss", "value loss")
    if len(judged) < len(LOSSES):
        return Report(title, headings, [], [], "stopped", is_complete=False)
    rows, values = [], []
    for each in judged:
        last = [read_log(Path(run))[-1]["loss"] for run in each.runs]
        policy, value = ([line[name] for line in last] for name in ("policy", "value"))
        kept = in_words(each.keeps, "{:.1%}") if each.keeps else "not known"
        rows.append(
            (
                *(LOSSES[each.loss], in_words(each.elo, "{:+.0f}"), kept),
                *(in_words(policy, "{:.2f}"), in_words(value, "{:.2f}")),
            )
        )
        values.append(each._asdict() | {"policy_loss": policy, "value_loss": value})
    paper = BEST_LOSS.get(board)
    by_elo = best_of({each.loss: each.elo for each in judged})
    reproduced = None if by_elo is None or board not in BEST_LOSS else by_elo == paper
    text = [f"paper: {_name(paper)}"] if board in BEST_LOSS else []
    text.append(f"by Elo: {_name(by_elo)}")
    if all(each.keeps for each in judged):
        text.append(f"by exact play: {_name(best_of({each.loss: each.keeps for each in judged}))}")
    return Report(
        *(title, headings, rows, values),
        f"the best loss, {', '.join(text)}",
        True,
        reproduced,
        picture=picture,
        charts=tuple(_charts(judged)),
    )


def best_of(found: dict[str, tuple[float, ...]]) -> str | None:
    """The loss that is above all others by more than chance explains, if one is."""
    errors = {loss: standard_error(values) for loss, values in found.items()}
    if None in errors.values():
        return None
    best = max(found, key=lambda loss: statistics.fmean(found[loss]))
    is_above = (  # the second may be surer than one that lies lower
        statistics.fmean(found[best]) - statistics.fmean(found[loss])
        > SURE * math.hypot(errors[best] or 0.0, errors[loss] or 0.0)
        for loss in found
        if loss != best
    )
    return best if all(is_above) else None


def _name(loss: str | None) -> str:
    return "none stands out" if loss is None else LOSSES[loss]


def _charts(judged: Sequence[Judged]) -> list[Chart]:
    """Losses for each target (Figures 7 to 9), training Elo (10), tournament Elo (11)."""
    charts = []
    for each in judged:
        logs = [read_log(Path(run)) for run in each.runs]
        curves = [
            mean_curve(
                label, itertools.count(1), [[line["loss"][name] for line in log] for log in logs]
            )
            for name, label in (("policy", "lp"), ("value", "lv"))
        ]
        title = f"trained by {LOSSES[each.loss]}"
        charts.append(Chart(title, ("iteration", "loss"), tuple(curves)))
    elo = [
        mean_curve(
            LOSSES[each.loss],
            itertools.count(),
            [training_elo(read_log(Path(run))) for run in each.runs],
        )
        for each in judged
    ]
    charts.append(Chart("Elo during training", ("iteration", "Elo above the start"), tuple(elo)))
    places = tuple(range(len(judged)))
    final = Curve(
        "final players",
        tuple(float(place) for place in places for _ in judged[place].elo),
        tuple(rating for each in judged for rating in each.elo),
        is_line=False,
    )
    axes = "trained by", "Elo above Random"
    names = tuple(LOSSES[each.loss] for each in judged)
    charts.append(Chart("Tournament Elo of final players", axes, (final,), names))
    return charts
