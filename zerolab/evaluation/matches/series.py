"""Games of two players with the colours as given, whoever they are.

Players are known by name: each thread has its own, and networks get positions of many games at
once. Compiled players are faster in `play_match`, and draw other lots there.
"""

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from zerolab.evaluation.matches.compiled_games import MatchResult
from zerolab.evaluation.matches.pairs import Played, plan_game
from zerolab.evaluation.matches.threads import is_given_up, play_planned
from zerolab.evaluation.matches.tournaments import openings_of
from zerolab.evaluation.players.names import pinned
from zerolab.games.base import Game


class Series(NamedTuple):
    """What came out."""

    played: list[Played]
    """Games that were played or broke off; Black moved first."""
    given_up: str | None
    """Why it ended early, if a player failed too often."""

    @property
    def failures(self) -> list[Played]:
        """Games that broke off."""
        return [each for each in self.played if each.failed]

    @property
    def result(self) -> MatchResult:
        """All games counted."""
        results = Counter(each.result for each in self.played)
        plies = sum(each.plies for each in self.played if each.result is not None)
        unplayed = results.pop(None, 0)
        return MatchResult(*(results.total(), results[1], results[-1], results[0], plies, unplayed))


def play_series(
    game: Game,
    names: tuple[str, str],
    games: int,
    seed: int = 0,
    threads: int | None = None,
    on_progress: Callable[[int], None] = lambda games: None,
) -> Series:
    """Play games, Black named first; Ctrl-C ends it with the games played so far."""
    names = pinned(names[0]), pinned(names[1])
    starts = openings_of(game, games, 0, seed)
    planned = [plan_game(names, number, start, seed) for number, start in enumerate(starts)]
    played: list[Played] = []
    given_up: str | None = None

    def on_games(news: list[Played]) -> bool:
        nonlocal given_up
        played.extend(each for each in news if not is_given_up(each))
        given_up = next((each.failed for each in news if is_given_up(each)), given_up)
        on_progress(len(played))
        return given_up is not None

    play_planned(game, names, planned, threads, on_games)
    return Series(played, given_up)
