"""What `zerolab match --games` does: how often Black wins."""

import time

from zerolab.errors import UsageError
from zerolab.evaluation.matches.compiled_games import MatchResult
from zerolab.evaluation.matches.series import Series, play_series, prepare_series
from zerolab.evaluation.players.names import pinned
from zerolab.games.base import Game
from zerolab.games.catalogue import describe
from zerolab.interfaces.views.output import Output
from zerolab.interfaces.views.results.pairs_view import show_doubts, show_failures


def show_match(out: Output, game: Game, names: tuple[str, str], games: int, seed: int) -> None:
    """Play the games and show the result."""
    names = pinned(names[0]), pinned(names[1])
    with out.compiling():
        prepare_series(game, names)
    started = time.perf_counter()
    with out.progress(" against ".join(names), games, "games") as advance_to:
        series = play_series(game, names, games, seed, on_progress=advance_to)
    seconds = time.perf_counter() - started
    result = series.result
    _show_troubles(out, series)
    if result.games + result.unplayed < games:
        out.note(f"stopped after {result.games:,} of {games:,} games")
    _show_table(out, game, names, result, seconds)
    out.result(
        {
            "game": describe(game),
            "black": names[0],
            "white": names[1],
            "seed": seed,
            "games": result.games,
            "black_wins": result.black_wins,
            "white_wins": result.white_wins,
            "draws": result.draws,
            "unplayed": result.unplayed,
            "mean_plies": result.mean_plies,
            "black_score": result.black_score,
            "interval": list(result.interval),
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
