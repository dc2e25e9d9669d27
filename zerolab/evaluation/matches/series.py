"""Games of any two players with fixed colours.

Players are given by name. Where both are compiled, whole games run in compiled code (play_match).
Otherwise each thread has its own players, and networks get positions of many games at once. The
games of a seed are the same in both ways.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from zerolab.evaluation.matches.compiled_games import (
    MatchResult,
    play_match,
    prepare_match,
    start_of,
)
from zerolab.evaluation.matches.pairs import Planned, Played
from zerolab.evaluation.matches.threads import is_given_up, play_planned, prepare
from zerolab.evaluation.players.names import pinned
from zerolab.evaluation.players.players import CompiledPlayer, make_player
from zerolab.games.base import Game
from zerolab.games.playing.score import Score
from zerolab.games.position import Position


class Series(NamedTuple):
    """The result of a series of games."""

    result: MatchResult
    """The counts of all games."""
    played: Sequence[Played] = ()
    """The single games, where players are not compiled; Black moved first."""
    given_up: str | None = None
    """Why it ended early, if a player failed too often."""

    @property
    def failures(self) -> list[Played]:
        """Games that broke off."""
        return [each for each in self.played if each.failed]


def prepare_series(game: Game, names: tuple[str, str]) -> None:
    """Raise a PlayerError if a player cannot play this game; compile what is needed."""
    both = _compiled(names)
    if both is None:
        prepare(Position.start(game), names)
    else:
        prepare_match(game, *both)


def play_series(
    game: Game,
    names: tuple[str, str],
    games: int,
    seed: int = 0,
    threads: int | None = None,
    on_progress: Callable[[int], None] = lambda games: None,
) -> Series:
    """Play games, Black named first; Ctrl-C ends the series with the games played so far."""
    both = _compiled(names)
    if both is not None:
        result = play_match(
            *(game, *both, games, seed, threads),
            on_progress=lambda so_far: on_progress(so_far.games),
        )
        return Series(result)
    names = pinned(names[0]), pinned(names[1])
    planned = [
        Planned(number, 0, 1, Position(game, start_of(game, seed, number)), seed, stream=number)
        for number in range(games)
    ]
    played: list[Played] = []
    given_up: str | None = None

    def on_games(new: list[Played]) -> bool:
        nonlocal given_up
        played.extend(each for each in new if not is_given_up(each))
        given_up = next((each.failed for each in new if is_given_up(each)), given_up)
        on_progress(len(played))
        return given_up is not None

    play_planned(game, names, planned, threads, on_games)
    return Series(_count(played), played, given_up)


def _compiled(names: tuple[str, str]) -> tuple[CompiledPlayer, CompiledPlayer] | None:
    """Both players, if whole games of them run in compiled code."""
    black, white = map(make_player, names)
    if isinstance(black, CompiledPlayer) and isinstance(white, CompiledPlayer):
        return black, white
    return None


def _count(played: Sequence[Played]) -> MatchResult:
    results = [each.result for each in played if each.result is not None]
    plies = sum(each.plies for each in played if each.result is not None)
    return MatchResult(Score.of(results), plies, unplayed=len(played) - len(results))
