"""What `zerolab exam` shows: tables of players compared with perfect play."""

import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from zerolab.errors import UsageError
from zerolab.evaluation.perfect.accuracy import Share, StagedShare
from zerolab.evaluation.perfect.exam_positions import STAGES
from zerolab.evaluation.perfect.examination import Examined, Questions, draw_questions, examine
from zerolab.evaluation.perfect.judge import Judge
from zerolab.evaluation.perfect.regret import Measures
from zerolab.evaluation.players.players import make_player
from zerolab.evaluation.players.protocol import check_player, close_player
from zerolab.games.base import Game
from zerolab.games.catalogue import describe
from zerolab.interfaces.plots.figures import check_plot_path
from zerolab.interfaces.views.output import Output


def show_exam(
    out: Output,
    game: Game,
    players: tuple[str, ...],
    counts: tuple[int, int],
    judge: Judge,
    seed: int,
    plot: Path | None,
) -> None:
    """Examine players and show the results; `counts` are positions and games."""
    _check(game, players)
    if plot is not None:
        check_plot_path(plot)
    started = time.perf_counter()
    positions, games = counts
    with (
        out.compiling(),
        out.progress("exact answers", 2 * (positions // 2) + positions, "positions") as advance_to,
    ):
        questions = draw_questions(judge, positions, games, seed, advance_to)
    results = []
    for name in players:
        with out.progress(name, games, "games judged") as advance_to:
            results.append(examine(questions, name, advance_to))
    seconds = time.perf_counter() - started
    _check_judged(questions, results)
    if plot is not None:
        from zerolab.interfaces.plots.exam_plots import plot_exam

        plot_exam(describe(game), results, plot)
    _show_random(out, questions, results)
    _show_selfplay(out, results)
    _show_values(out, questions, results)
    _show_skipped(out, questions, results)
    if plot is not None:
        out.line(f"plot: {plot}")
    out.result(
        {
            "game": describe(game),
            "positions": {
                "critical": len(questions.exam.critical.states),
                "balanced": len(questions.exam.balanced.states),
                "skipped": questions.exam.critical.skipped,
            },
            "games": games,
            "nodes": judge.max_nodes,
            "seed": seed,
            "players": [_fields(result) for result in results],
            "plot": None if plot is None else str(plot),
            "seconds": seconds,
        }
    )


def _check(game: Game, players: tuple[str, ...]) -> None:
    """Fail before the work is done, not after."""
    if not players:
        raise UsageError("no player is named; name --players, such as mcts:100")
    for name in players:
        if players.count(name) > 1:
            raise UsageError(f"'{name}' is named twice")
        player = make_player(name)
        check_player(player, game)
        close_player(player)


def _check_judged(questions: Questions, results: list[Examined]) -> None:
    exam = questions.exam
    judged = sum(result.selfplay.overall.keeps.positions for result in results)
    if judged or len(exam.critical.states) or len(exam.balanced.states):
        return
    skipped = exam.critical.skipped + sum(result.selfplay.skipped for result in results)
    raise UsageError(
        f"none of {skipped:,} positions of {describe(questions.game)} could be judged within "
        f"{questions.judge.max_nodes:,} nodes each; choose a smaller board or more --nodes"
    )


def _show_random(out: Output, questions: Questions, results: list[Examined]) -> None:
    critical = len(questions.exam.critical.states)
    if critical == 0:
        out.line(
            "random games gave no position with moves that keep the value and moves that do not"
        )
        return
    out.table(
        f"{describe(questions.game)}: moves that keep the value in {critical:,} critical positions "
        f"of random games, in percent",
        ("player", "all", *STAGES),
        [
            (
                result.name,
                _share(Share(random.keeps, random.positions, random.error)),
                *(_share(random.stages.get(stage)) for stage in STAGES),
            )
            for result in results
            if (random := result.random) is not None
        ],
        "critical: some move keeps the value and some does not; ± standard error",
    )


def _show_selfplay(out: Output, results: list[Examined]) -> None:
    games = results[0].selfplay.games
    out.table(
        f"{games:,} games against itself: moves that keep the value, in percent, and regret",
        ("player", "all moves", "critical ones", "regret per game"),
        [
            (
                *(result.name, _share(overall.keeps), _share(overall.critical)),
                _regret(overall),
            )
            for result in results
            for overall in [result.selfplay.overall]
        ],
        "regret: value thrown away in a game, by both sides together; a win is worth 1, a draw 0, "
        "a loss -1, so to turn a win into a loss costs 2",
    )
    _show_stages(
        out,
        "Critical moves in games against itself that keep the value, in percent",
        results,
        lambda each: _share(each.critical),
    )
    _show_stages(out, "Regret per game, by stage", results, _regret)


def _show_stages(
    out: Output, title: str, results: list[Examined], tell: Callable[[Measures], str]
) -> None:
    out.table(
        title,
        ("player", *STAGES),
        [
            (
                result.name,
                *(tell(stages[stage]) if stage in stages else "" for stage in STAGES),
            )
            for result in results
            for stages in [result.selfplay.stages]
        ],
    )


def _show_values(out: Output, questions: Questions, results: list[Examined]) -> None:
    rows = [
        (
            *(result.name, source, _share(found.overall)),
            *(_share(found.stages.get(stage)) for stage in STAGES),
        )
        for result in results
        for source, found in result.values.items()
    ]
    if rows:
        count = len(questions.exam.balanced.states)
        out.table(
            f"Values of the right sign in {count:,} positions of random games, in percent",
            ("player", "value of", "all", *STAGES),
            rows,
            "half of the positions are won, half lost; the value 0 counts as half right",
        )


def _show_skipped(out: Output, questions: Questions, results: list[Examined]) -> None:
    counts = {"random games": questions.exam.critical.skipped}
    counts |= {result.name: result.selfplay.skipped for result in results}
    if any(counts.values()):
        told = ", ".join(f"{count:,} of {name}" for name, count in counts.items() if count)
        out.line(
            f"skipped, as {questions.judge.max_nodes:,} nodes did not settle them: {told}; such "
            f"positions are the hard ones, so all figures flatter"
        )


def _share(share: Share | None) -> str:
    if share is None or not share.positions:
        return ""
    return f"{100 * share.right:.1f} ± {100 * share.error:.1f}"


def _regret(measures: Measures) -> str:
    if not measures.keeps.positions:
        return ""
    error = "" if measures.regret_error is None else f" ± {measures.regret_error:.2f}"
    return f"{measures.regret:.2f}{error}"


def _fields(result: Examined) -> dict[str, Any]:
    """The result as a record for JSON; unknown values are null."""
    random, played = result.random, result.selfplay
    return {
        "player": result.name,
        "random": None
        if random is None
        else _staged(
            StagedShare(Share(random.keeps, random.positions, random.error), random.stages)
        ),
        "self_play": {
            "games": played.games,
            "skipped": played.skipped,
            **_measures(played.overall),
            "stages": {name: _measures(each) for name, each in played.stages.items()},
        },
        "values": {source: _staged(found) for source, found in result.values.items()},
    }


def _staged(found: StagedShare) -> dict[str, Any]:
    stages = {name: _share_fields(each) for name, each in found.stages.items()}
    return _share_fields(found.overall) | {"stages": stages}


def _measures(measures: Measures) -> dict[str, Any]:
    return {
        "keeps": _share_fields(measures.keeps),
        "critical": _share_fields(measures.critical),
        "regret": measures.regret if measures.keeps.positions else None,
        "regret_error": measures.regret_error if measures.keeps.positions else None,
    }


def _share_fields(share: Share) -> dict[str, Any]:
    return {
        "share": None if math.isnan(share.right) else share.right,
        "error": None if math.isnan(share.error) else share.error,
        "positions": share.positions,
    }
