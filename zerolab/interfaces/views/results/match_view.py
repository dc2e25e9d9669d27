"""What `zerolab match --games` does: how often Black wins."""

import time
from collections.abc import Callable

from zerolab.errors import UsageError
from zerolab.evaluation.matches.compiled_games import MatchResult, play_match, prepare_match
from zerolab.evaluation.matches.series import Series, play_series
from zerolab.evaluation.matches.threads import prepare
from zerolab.evaluation.players.names import pinned
from zerolab.evaluation.players.players import CompiledPlayer, make_player
from zerolab.games.base import Game
from zerolab.games.boards.stones import initial_state
from zerolab.games.catalogue import describe
from zerolab.interfaces.views.output import Output
from zerolab.interfaces.views.results.pairs_view import show_doubts, show_failures
from zerolab.kernels.rng import stream


def show_match(out: Output, game: Game, names: tuple[str, str], games: int, seed: int) -> None:
    """Play and tell."""
    names = pinned(names[0]), pinned(names[1])
    play = _make_ready(out, game, names)
    started = time.perf_counter()
    with out.progress(" against ".join(names), games, "games") as advance_to:
        series = play(games, seed, advance_to)
    seconds = time.perf_counter() - started
    result = series if isinstance(series, MatchResult) else _counted(out, series)
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


Play = Callable[[int, int, Callable[[float], None]], MatchResult | Series]


def _make_ready(out: Output, game: Game, names: tuple[str, str]) -> Play:
    """Compile what is needed; return how games are played, in compiled code if both can."""
    black, white = map(make_player, names)
    if isinstance(black, CompiledPlayer) and isinstance(white, CompiledPlayer):
        with out.compiling():
            prepare_match(game, black, white)
        return lambda games, seed, advance_to: play_match(
            game, black, white, games, seed, on_progress=lambda so_far: advance_to(so_far.games)
        )
    with out.compiling():
        prepare(game, names, initial_state(game, stream(0)))
    return lambda games, seed, advance_to: play_series(
        game, names, games, seed, on_progress=advance_to
    )


def _counted(out: Output, series: Series) -> MatchResult:
    """The result of games one by one, after what there is to say about them."""
    show_failures(out, series.failures)
    if series.given_up is not None:
        out.note(series.given_up)
    if series.failures and len(series.failures) == len(series.played):
        raise UsageError(f"no game was played to its end: {series.failures[0].failed}")
    show_doubts(out, series.played)
    return series.result


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
