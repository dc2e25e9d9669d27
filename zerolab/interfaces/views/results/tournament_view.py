"""What `zerolab tournament` does: play, rate, and show the standings."""

import itertools
import time
from pathlib import Path
from typing import Any, NamedTuple

from zerolab.errors import UsageError
from zerolab.evaluation.matches.pairs import Played
from zerolab.evaluation.matches.results_file import read_results
from zerolab.evaluation.matches.tournaments import (
    Event,
    cross_table,
    meetings,
    play_event,
    prepare_event,
    settled,
    thinking_times,
)
from zerolab.evaluation.players.names import pinned
from zerolab.evaluation.ratings.bayesian_elo import Ratings, rate
from zerolab.evaluation.ratings.intervals import interval_of
from zerolab.experiments.engines.engine import HERE, EngineChoice, open_engine
from zerolab.games.catalogue import describe
from zerolab.games.playing.score import Score
from zerolab.interfaces.plots.figures import check_plot_path
from zerolab.interfaces.views.output import Output
from zerolab.interfaces.views.results.pairs_view import (
    show_doubts,
    show_failures,
    show_repetition,
    show_saved,
)
from zerolab.records.record_files import check_games_file

MOST_COLUMNS = 10  # of a cross table; a plot or a program takes all players
MOST_PAIRINGS = 15  # in a table


class Standings(NamedTuple):
    """A tournament in numbers."""

    title: str
    ratings: Ratings
    table: dict[tuple[str, str], Score]
    seconds: dict[str, float]
    """Each player's seconds per move; players without moves are left out."""

    @property
    def names(self) -> list[str]:
        """The strongest first."""
        return [player.name for player in self.ratings.players]


def show_tournament(
    out: Output,
    event: Event,
    results: Path | None,
    anchor: str | None,
    plot: Path | None,
    save: Path | None = None,
    where: EngineChoice = HERE,
) -> None:
    """Play the missing games, show the standings, and write all games to a file if there is one."""
    event = event.pinned
    event.check()
    anchor = None if anchor is None else pinned(anchor)
    if anchor is not None and anchor not in event.players:
        raise UsageError(f"the anchor '{anchor}' does not play; expected one of the --players")
    if plot is not None:
        check_plot_path(plot)
    if save is not None:
        check_games_file(save, event.game)
    with out.compiling():
        prepare_event(event)
    started = time.perf_counter()
    total = 2 * event.rounds * len(event.pairings)
    with open_engine(where) as engine, out.progress("tournament", total, "games") as advance_to:
        played, is_complete = play_event(
            *(event, results), on_progress=lambda done, planned: advance_to(done), play=engine.play
        )
    seconds = time.perf_counter() - started
    if not is_complete:
        again = "" if results is None else "; the same command continues"
        out.note(f"stopped after {len(played):,} of {total:,} games{again}")
    others = 0 if results is None else len(settled(read_results(results)[1])) - len(played)
    if others:
        out.note(f"{others:,} other games in {results} were not asked for and do not count")
    failures = [each for each in played if each.failed]
    show_failures(out, failures)
    if len(failures) == len(played):
        raise UsageError("no game was finished")
    show_doubts(out, played)
    show_repetition(out, played, event.opening)
    if save is not None:
        show_saved(out, save, event.game, played)
    standings = _standings(event, played, anchor)
    if plot is not None:
        from zerolab.interfaces.plots.tournament_plots import plot_standings

        plot_standings(standings, plot)
    _show_ratings(out, standings)
    _show_cross_table(out, standings)
    _show_pairings(out, standings)
    if plot is not None:
        out.line(f"plots: {plot}")
    out.result(
        {
            "game": describe(event.game),
            "players": list(event.players),
            "rounds": event.rounds,
            "gauntlet": event.is_gauntlet,
            "opening": event.opening,
            "seed": event.seed,
            "complete": is_complete,
            "games": len(played) - len(failures),
            "other_games": others,
            **_fields(standings),
            "failed": [
                {"first": each.first, "second": each.second, "reason": each.failed}
                for each in failures
            ],
            "results": None if results is None else str(results),
            "saved": None if save is None else str(save),
            "plot": None if plot is None else str(plot),
            "seconds": seconds,
        }
    )


def _standings(event: Event, played: list[Played], anchor: str | None) -> Standings:
    counted = meetings(played)
    if anchor is not None and not any(anchor in (each.first, each.second) for each in counted):
        anchor = None  # it has not come to play
    games = sum(each.score.games for each in counted)
    return Standings(
        f"{describe(event.game)}: {games:,} games, openings of {event.opening} moves",
        rate(counted, anchor),
        cross_table(played),
        thinking_times(played),
    )


def _show_ratings(out: Output, standings: Standings) -> None:
    ratings = standings.ratings
    out.table(
        standings.title,
        ("#", "player", "Elo", "error", "games", "score", "time", "beware"),
        [
            (
                *(str(place), player.name, f"{round(player.rating):+,}", f"± {player.error:.0f}"),
                *(f"{player.games:,}", f"{player.score:.1%}"),
                *(_time(standings.seconds.get(player.name)), ", ".join(player.flags)),
            )
            for place, player in enumerate(ratings.players, 1)
        ],
        f"error: standard error; time: thinking for a move; "
        f"moving first: {ratings.advantage.value:+.0f} ± {ratings.advantage.error:.0f} Elo",
    )


def _show_cross_table(out: Output, standings: Standings) -> None:
    """Shares of points, a row for each player."""
    names = standings.names
    if len(names) > MOST_COLUMNS:
        out.line(f"the cross table of {len(names)} players is too wide; --plot draws it")
        return
    out.table(
        "Score of the player in the row, in percent, against",
        ("#", "player", *(str(place) for place in range(1, len(names) + 1))),
        [
            (
                *(str(place), name),
                *(_percent(standings.table.get((name, other))) for other in names),
            )
            for place, name in enumerate(names, 1)
        ],
    )


def _show_pairings(out: Output, standings: Standings) -> None:
    """The games of each player against those below."""
    names = standings.names
    met = [
        (
            f"{row} - {col}",
            standings.table[names[row - 1], names[col - 1]],
            float(standings.ratings.superiority[row - 1, col - 1]),
        )
        for row, col in itertools.combinations(range(1, len(names) + 1), 2)
        if (names[row - 1], names[col - 1]) in standings.table
    ]
    if len(met) > MOST_PAIRINGS:
        out.line(f"of the {len(met)} pairings --json gives wins, draws, losses and intervals")
        return
    out.table(
        "Pairings, by number",
        ("pairing", "won", "drawn", "lost", "score", "95 % interval", "stronger"),
        [
            (
                *(pairing, f"{score.wins:,}", f"{score.draws:,}", f"{score.losses:,}"),
                f"{score.share or 0:.1%}",
                f"{interval_of(score).low:.1%} to {interval_of(score).high:.1%}",
                f"{superiority:.1%}",
            )
            for pairing, score, superiority in met
        ],
        "stronger: how likely the first is the stronger one, from the ratings of all games",
    )


def _percent(score: Score | None) -> str:
    return "" if score is None or score.share is None else f"{100 * score.share:3.0f}"


def _time(seconds: float | None) -> str:
    return "-" if seconds is None else short_time(seconds)


def short_time(seconds: float) -> str:
    """0.0034 as 3.4 ms."""
    for size, unit in ((1.0, "s"), (1e-3, "ms")):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} us"


def _fields(standings: Standings) -> dict[str, Any]:
    """The result as a record for JSON."""
    ratings = standings.ratings
    return {
        "ratings": [
            {
                "player": player.name,
                "elo": player.rating,
                "error": player.error,
                "interval": list(player.interval),
                "games": player.games,
                "score": player.score,
                "flags": list(player.flags),
                "seconds_per_move": standings.seconds.get(player.name),
            }
            for player in ratings.players
        ],
        "superiority": {
            one: {
                other: ratings.superiority_of(one, other)
                for other in standings.names
                if other != one
            }
            for one in standings.names
        },
        "first_move": ratings.advantage._asdict(),
        "groups": [list(group) for group in ratings.groups],
        "cross_table": [
            {
                "player": one,
                "opponent": other,
                **score._asdict(),
                "games": score.games,
                "score": score.share,
                "interval": list(interval_of(score)),
            }
            for (one, other), score in standings.table.items()
        ],
    }
