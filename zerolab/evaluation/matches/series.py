"""Games of any two players with fixed colours.

Players are given by name. Where both are compiled, whole games run in compiled code (play_match),
unless they begin with openings or their moves are to be kept. Otherwise each thread has its own
players, and networks get positions of many games at once. The games of a seed are the same in both
ways; only in Go, where a position knows all earlier ones, a kernel may repeat one that is older
than its state remembers.
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
from zerolab.evaluation.matches.tournaments import openings_of
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
    """The single games, unless they ran in compiled code; Black moved first."""
    given_up: str | None = None
    """Why it ended early, if a player failed too often."""

    @property
    def failures(self) -> list[Played]:
        """Games that broke off."""
        return [each for each in self.played if each.failed]


def prepare_series(
    game: Game,
    names: tuple[str, str],
    seed: int = 0,
    opening: int = 0,
    keeps_moves: bool = False,
) -> None:
    """Raise an error if these games cannot be played; compile what is needed."""
    both = None if opening or keeps_moves else _compiled(names)
    if both is None:
        prepare(_first_positions(game, 1, seed, opening)[0], names)
    else:
        prepare_match(game, *both)


def play_series(
    game: Game,
    names: tuple[str, str],
    games: int,
    seed: int = 0,
    threads: int | None = None,
    on_progress: Callable[[int], None] = lambda games: None,
    opening: int = 0,
    keeps_moves: bool = False,
) -> Series:
    """Play games, Black named first; Ctrl-C ends the series with the games played so far.

    Each game begins with an `opening` of that many random moves, distinct as long as there are any.
    """
    both = None if opening or keeps_moves else _compiled(names)
    if both is not None:
        result = play_match(
            *(game, *both, games, seed, threads),
            on_progress=lambda so_far: on_progress(so_far.games),
        )
        return Series(result)
    names = pinned(names[0]), pinned(names[1])
    planned = [
        Planned(number, 0, 1, position, seed, stream=number)
        for number, position in enumerate(_first_positions(game, games, seed, opening))
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


def _first_positions(game: Game, games: int, seed: int, opening: int) -> list[Position]:
    """The positions in which the players take over."""
    if opening:
        return openings_of(game, games, opening, seed)
    return [Position(game, start_of(game, seed, number)) for number in range(games)]


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
