"""What `zerolab match --games` does: how often Black wins."""

import time
from pathlib import Path
from typing import NamedTuple

from zerolab.errors import UsageError
from zerolab.evaluation.matches.compiled_games import MatchResult
from zerolab.evaluation.matches.series import Series, play_series, prepare_series
from zerolab.evaluation.players.names import pinned
from zerolab.games.base import Game
from zerolab.games.catalogue import describe
from zerolab.interfaces.views.output import Output
from zerolab.interfaces.views.results.pairs_view import (
    show_doubts,
    show_failures,
    show_repetition,
    show_saved,
)
from zerolab.records.record_files import check_games_file


class Match(NamedTuple):
    """Games with fixed colours."""

    game: Game
    names: tuple[str, str]
    """Black's and White's."""
    games: int
    opening: int = 0
    """Random moves that begin each game."""
    seed: int = 0


def show_match(out: Output, match: Match, save: Path | None = None) -> None:
    """Play the games, show the result, and write them to a file if there is one."""
    game, names, games, opening, seed = match
    names = pinned(names[0]), pinned(names[1])
    keeps_moves = save is not None
    if save is not None:
        check_games_file(save, game)
    with out.compiling():
        prepare_series(game, names, seed, opening, keeps_moves)
    started = time.perf_counter()
    with out.progress(" against ".join(names), games, "games") as advance_to:
        series = play_series(
            *(game, names, games, seed),
            on_progress=advance_to,
            opening=opening,
            keeps_moves=keeps_moves,
        )
    seconds = time.perf_counter() - started
    result = series.result
    _show_troubles(out, series)
    if result.games + result.unplayed < games:
        out.note(f"stopped after {result.games:,} of {games:,} games")
    show_repetition(out, list(series.played), opening)
    if save is not None:
        show_saved(out, save, game, series.played)
    _show_table(out, game, names, result, seconds)
    out.result(
        {
            "game": describe(game),
            "black": names[0],
            "white": names[1],
            "seed": seed,
            "opening": opening,
            "games": result.games,
            "black_wins": result.black_wins,
            "white_wins": result.white_wins,
            "draws": result.draws,
            "unplayed": result.unplayed,
            "mean_plies": result.mean_plies,
            "black_score": result.black_score,
            "interval": list(result.interval),
            "saved": None if save is None else str(save),
            "seconds": seconds,
        }
    )


def _show_troubles(out: Output, series: Series) -> None:
    """Report engines that failed, and moves that a player was not sure of."""
    show_failures(out, series.failures)
    if series.given_up is not None:
        out.note(series.given_up)
    if series.failures and len(series.failures) == len(series.played):
        raise UsageError(f"no game was finished: {series.failures[0].failed}")
    show_doubts(out, series.played)


def _show_table(
    out: Output, game: Game, names: tuple[str, str], result: MatchResult, seconds: float
) -> None:
    low, high = result.interval
    out.table(
        f"{describe(game)}: {result.games:,} games of {result.mean_plies:.1f} moves, "
        f"{result.games / seconds:,.0f} a second",
        ("player", "colour", "wins", "draws", "losses", "score", "95 % interval"),
        [
            (
                *(names[0], "black", f"{result.black_wins:,}", f"{result.draws:,}"),
                *(f"{result.white_wins:,}", f"{result.black_score:.2%}"),
                f"{low:.2%} to {high:.2%}",
            ),
            (
                *(names[1], "white", f"{result.white_wins:,}", f"{result.draws:,}"),
                *(f"{result.black_wins:,}", f"{1 - result.black_score:.2%}"),
                f"{1 - high:.2%} to {1 - low:.2%}",
            ),
        ],
    )
