"""What `zerolab elo` does: the checkpoints of a run against each other, and two ratings of each."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from zerolab.errors import UsageError
from zerolab.evaluation.matches.tournaments import Event, meetings, play_event, prepare_event
from zerolab.evaluation.ratings.bayesian_elo import Estimate, Rated
from zerolab.evaluation.ratings.progress_elo import ProgressElo, rate_progress
from zerolab.games.catalogue import describe
from zerolab.interfaces.plots.progress_elo_plot import plot_progress
from zerolab.interfaces.views.output import Output
from zerolab.interfaces.views.results.pairs_view import show_failures

RESULTS = "elo.jsonl"  # in the directory of a run


def show_elo(
    out: Output,
    run: Path,
    players: dict[int, str],
    event: Event,
    results: Path,
    plots: Sequence[Path],
) -> None:
    """Play the missing games, rate, plot, and say whether both ratings agree."""
    with out.compiling():
        prepare_event(event)
    started = time.perf_counter()
    total = 2 * event.rounds * len(event.pairings)
    with out.progress("checkpoints", total, "games") as advance_to:
        played, is_complete = play_event(
            event,
            results,
            on_progress=lambda done, planned: advance_to(done),
            is_shared=True,
        )
    seconds = time.perf_counter() - started
    if not is_complete:
        out.note(f"stopped after {len(played):,} of {total:,} games; the same command continues")
    failures = [each for each in played if each.failed]
    show_failures(out, failures)
    if len(failures) == len(played):
        raise UsageError("no game was finished")
    elo = rate_progress(players, meetings(played))
    games = len(played) - len(failures)
    title = f"{run.resolve().name}, {describe(event.game)}: {games:,} games of {_kind(event)}"
    plot_progress(elo, title, plots)
    _show_table(out, elo, title)
    for line in in_words(elo):
        out.line(line)
    for path in plots:
        out.line(f"plot: {path}")
    out.result(
        {
            "run": str(run),
            "game": describe(event.game),
            "players": list(event.players),
            "rounds": event.rounds,
            "opening": event.opening,
            "seed": event.seed,
            "complete": is_complete,
            "games": games,
            **fields(elo),
            "results": str(results),
            "plots": [str(path) for path in plots],
            "seconds": seconds,
        }
    )


def in_words(elo: ProgressElo) -> list[str]:
    """The gain of the run, and whether both ratings agree on it."""
    first, last = elo.checkpoints[0].step, elo.checkpoints[-1].step
    lines = [
        f"gain from step {first} to {last}: {_with_error(elo.training)} by training Elo, "
        f"{_with_error(elo.tournament)} by tournament Elo"
    ]
    if elo.excess is None:
        lines.append("neighbours' games are all there are, so there is nothing to compare")
        return lines
    by = f"{abs(elo.excess.value):.0f} ± {elo.excess.error:.0f} Elo"
    where = "above" if elo.excess.value > 0 else "below"
    if elo.agree:
        verdict = f"the two agree: neighbours' games put the gain {by} {where} that of all games"
    elif elo.excess.value > 0:
        verdict = f"training Elo is inflated: neighbours' games put the gain {by} above all games"
    else:
        verdict = f"training Elo falls short: neighbours' games put the gain {by} below all games"
    lines.append(verdict)
    if elo.is_guess:
        lines.append("beware: on the way somebody won all games, and how far is the prior's guess")
    return lines


def fields(elo: ProgressElo) -> dict[str, Any]:
    """The result as a record for JSON."""
    return {
        "checkpoints": [
            {
                "step": each.step,
                "training": _rated_fields(each.training),
                "tournament": _rated_fields(each.tournament),
            }
            for each in elo.checkpoints
        ],
        "gain": {
            "training": elo.training._asdict(),
            "tournament": elo.tournament._asdict(),
            "excess": None if elo.excess is None else elo.excess._asdict(),
            "agree": elo.agree,
            "guess": elo.is_guess,
        },
        "first_move": elo.advantage._asdict(),
    }


def _rated_fields(rated: Rated) -> dict[str, Any]:
    return {
        "elo": rated.rating,
        "error": rated.error,
        "interval": list(rated.interval),
        "games": rated.games,
        "score": rated.score,
        "flags": list(rated.flags),
    }


def _show_table(out: Output, elo: ProgressElo, title: str) -> None:
    out.table(
        title,
        ("step", "training Elo", "error", "beware", "tournament Elo", "error", "beware"),
        [
            (
                f"{each.step:,}",
                *_columns(each.training),
                *_columns(each.tournament),
            )
            for each in elo.checkpoints
        ],
        f"above the first checkpoint, with standard errors; training Elo by neighbours' games "
        f"alone; moving first: {elo.advantage.value:+.0f} ± {elo.advantage.error:.0f} Elo",
    )


def _columns(rated: Rated) -> tuple[str, str, str]:
    return f"{round(rated.rating):+,}", f"± {rated.error:.0f}", ", ".join(rated.flags)


def _with_error(estimate: Estimate) -> str:
    return f"{estimate.value:+,.0f} ± {estimate.error:.0f}"


def _kind(event: Event) -> str:
    """How the networks play, according to the name of one."""
    name = event.players[0]
    if name.startswith("net:"):
        return "networks alone"
    return f"networks with {int(name.rpartition('@')[2]):,} simulations"
