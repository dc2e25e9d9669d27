"""What `zerolab match --pairs` does: openings played with both colours, Elo, a sequential test."""

import time
from collections.abc import Sequence
from pathlib import Path

from zerolab.errors import UsageError
from zerolab.evaluation.matches.duel import Duel, DuelResult, play_duel, prepare_duel
from zerolab.evaluation.matches.pairs import Played
from zerolab.evaluation.matches.saved_games import save_games
from zerolab.evaluation.matches.tournaments import doubts
from zerolab.evaluation.ratings.bayesian_elo import Rated
from zerolab.evaluation.ratings.intervals import interval_of
from zerolab.evaluation.ratings.sprt import Sprt
from zerolab.games.base import Game
from zerolab.games.catalogue import describe
from zerolab.interfaces.views.output import Output
from zerolab.records.record_files import check_games_file


def show_pairs(
    out: Output, duel: Duel, claims: tuple[float, float] | None, save: Path | None = None
) -> None:
    """Play the pairs, show the result, and write the games to a file if there is one."""
    duel = duel.pinned
    if save is not None:
        check_games_file(save, duel.game)
    sprt = None if claims is None else Sprt(*claims)
    with out.compiling():
        prepare_duel(duel)
    started = time.perf_counter()
    with out.progress(" against ".join(duel.players), duel.pairs, "pairs") as advance_to:
        result = play_duel(duel, sprt, on_progress=advance_to)
    seconds = time.perf_counter() - started
    if not result.is_complete:
        out.note(f"stopped after {len(result.pairs):,} of {duel.pairs:,} pairs")
    show_failures(out, result.failures)
    if result.given_up is not None:
        out.note(result.given_up)
    if not result.played:
        raise UsageError("no game was finished")
    games = [each for each, _ in result.played]
    show_doubts(out, games)
    show_repetition(out, games, duel.opening)
    if save is not None:
        show_saved(out, save, duel.game, games)
    rated, superiority = result.rated, result.superiority
    _show_table(out, duel, result, seconds)
    out.line(_elo_in_words(duel, rated, superiority))
    if sprt is not None:
        out.line(_verdict_in_words(sprt))
    fields = _fields(duel, result, rated, sprt)
    saved = None if save is None else str(save)
    out.result({**fields, "superiority": superiority, "saved": saved, "seconds": seconds})


def show_failures(out: Output, failures: list[Played]) -> None:
    """Report games that broke off, if any."""
    if not failures:
        return
    out.note(f"{len(failures):,} games broke off and do not count:")
    reasons = [str(each.failed) for each in failures]
    for reason in dict.fromkeys(reasons):
        out.note(f"  {reasons.count(reason):,} x {reason}")


def show_doubts(out: Output, played: Sequence[Played]) -> None:
    """Report moves that players could not solve, for players that count them."""
    for name, (count, moves) in doubts(played).items():
        out.note(f"{name} did not solve {count:,} of its {moves:,} moves within its budget")


def show_repetition(out: Output, played: list[Played], plies: int) -> None:
    """Report the number of openings, if there were too few."""
    distinct = len({(each.start, each.opening) for each in played})
    if plies > 0 and distinct < len({each.pair for each in played}):
        out.note(f"the board has only {distinct:,} openings, which were repeated")


def show_saved(out: Output, path: Path, game: Game, played: Sequence[Played]) -> None:
    """Write games to a file, and report how many."""
    count = save_games(path, game, played)
    out.note(f"{count:,} {'game' if count == 1 else 'games'} written to {path}")


def mean_plies(played: list[Played]) -> float:
    """Average length of games."""
    return sum(each.plies for each in played) / max(1, len(played))


def _show_table(out: Output, duel: Duel, result: DuelResult, seconds: float) -> None:
    score, games = result.score, [each for each, _ in result.played]
    low, high = interval_of(score)
    one, other = duel.players
    out.table(
        f"{describe(duel.game)}: {len(result.pairs):,} openings with both colours, "
        f"{mean_plies(games):.1f} moves a game, {len(games) / seconds:,.0f} a second",
        ("player", "wins", "draws", "losses", "score", "95 % interval"),
        [
            (
                *(one, f"{score.wins:,}", f"{score.draws:,}", f"{score.losses:,}"),
                *(f"{score.share or 0:.2%}", f"{low:.2%} to {high:.2%}"),
            ),
            (
                *(other, f"{score.losses:,}", f"{score.draws:,}", f"{score.wins:,}"),
                *(f"{1 - (score.share or 0):.2%}", f"{1 - high:.2%} to {1 - low:.2%}"),
            ),
        ],
    )


def _elo_in_words(duel: Duel, rated: Rated, superiority: float) -> str:
    low, high = rated.interval
    flags = f" ({', '.join(rated.flags)})" if rated.flags else ""
    return (
        f"{duel.players[0]} leads by {rated.rating:+.0f} ± {rated.error:.0f} Elo, "
        f"95 % interval {low:+.0f} to {high:+.0f}{flags}; "
        f"it is the stronger one with {superiority:.1%} probability"
    )


def _verdict_in_words(sprt: Sprt) -> str:
    low, high = sprt.bounds
    how = f"log-likelihood ratio {sprt.llr:.2f}, bounds {low:.2f} and {high:.2f}"
    if sprt.verdict is None:
        return f"undecided between a lead of {sprt.elo0:+g} and of {sprt.elo1:+g} Elo ({how})"
    accepted = sprt.elo1 if sprt.verdict == "H1" else sprt.elo0
    return (
        f"{sprt.verdict} accepted after {sprt.games:,} games: a lead of {accepted:+g} Elo ({how})"
    )


def _fields(duel: Duel, result: DuelResult, rated: Rated, sprt: Sprt | None) -> dict[str, object]:
    """The result as a record for JSON. Score and Elo are those of the player named by --black."""
    score, colours = result.score, result.colours
    test = None
    if sprt is not None:
        claims = {"elo0": sprt.elo0, "elo1": sprt.elo1}
        test = {**claims, "verdict": sprt.verdict, "llr": sprt.llr, "bounds": list(sprt.bounds)}
    return {
        "game": describe(duel.game),
        "black": duel.players[0],
        "white": duel.players[1],
        "seed": duel.seed,
        "opening": duel.opening,
        "pairs": len(result.pairs),
        "complete": result.is_complete,
        "games": score.games,
        "black_wins": colours.wins,
        "white_wins": colours.losses,
        "draws": colours.draws,
        "mean_plies": mean_plies([each for each, _ in result.played]),
        "wins": score.wins,
        "losses": score.losses,
        "score": score.share,
        "interval": list(interval_of(score)),
        "elo": rated.rating,
        "elo_error": rated.error,
        "elo_interval": list(rated.interval),
        "flags": list(rated.flags),
        "sprt": test,
        "failed": [each.failed for each in result.failures],
    }
