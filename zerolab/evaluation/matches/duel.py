"""Pairs of games between two players, up to a number or until a sequential test ends."""

import math
from collections.abc import Callable
from typing import NamedTuple

from zerolab.evaluation.matches.pairs import Played, plan_pair
from zerolab.evaluation.matches.threads import is_given_up, play_planned, prepare
from zerolab.evaluation.matches.tournaments import openings_of
from zerolab.evaluation.players.names import pinned
from zerolab.evaluation.ratings.bayesian_elo import Rated, Ratings, rate
from zerolab.evaluation.ratings.bradley_terry import Meeting
from zerolab.evaluation.ratings.sprt import Sprt
from zerolab.games.base import Game
from zerolab.games.playing.score import Score

ONE, OTHER = "one", "other"  # names for ratings: a player may also play itself


class Duel(NamedTuple):
    """Two players, and how they play."""

    game: Game
    players: tuple[str, str]
    pairs: int
    opening: int
    seed: int

    @property
    def pinned(self) -> "Duel":
        """A copy whose names keep referring to the same networks."""
        return self._replace(players=(pinned(self.players[0]), pinned(self.players[1])))


class DuelResult(NamedTuple):
    """The result of a duel, for the player named first."""

    pairs: list[tuple[Played, Played]]
    """In the first game of each the player named first moved first."""
    is_complete: bool
    given_up: str | None = None
    """Why it ended early, if a player failed too often."""

    @property
    def played(self) -> list[tuple[Played, int]]:
        """Games with a result, and that result for the player named first."""
        both = [(pair[0], 1) for pair in self.pairs] + [(pair[1], -1) for pair in self.pairs]
        return [(each, sign * each.result) for each, sign in both if each.result is not None]

    @property
    def failures(self) -> list[Played]:
        """Games that broke off."""
        return [each for pair in self.pairs for each in pair if each.failed]

    @property
    def score(self) -> Score:
        """The score over all games."""
        return Score.of(result for _, result in self.played)

    @property
    def colours(self) -> Score:
        """The score of the player who moved first."""
        return Score.of(each.result for each, _ in self.played if each.result is not None)

    @property
    def ratings(self) -> Ratings:
        """Both, under the names ONE and OTHER; the other's rating is 0."""
        first, second = (
            Score.of(each.result for each in games if each.result is not None)
            for games in zip(*self.pairs, strict=True)
        )
        return rate([Meeting(ONE, OTHER, first), Meeting(OTHER, ONE, second)], anchor=OTHER)

    @property
    def rated(self) -> Rated:
        """The player named first, relative to the other."""
        return self.ratings.of(ONE)

    @property
    def superiority(self) -> float:
        """The probability that the player named first is the stronger one."""
        return self.ratings.superiority_of(ONE, OTHER)


def prepare_duel(duel: Duel) -> None:
    """Raise an error before the first game if it cannot be played; compile what is needed."""
    opening = openings_of(duel.game, 1, duel.opening, duel.seed)[0]
    prepare(opening, duel.players)


def play_duel(
    duel: Duel,
    sprt: Sprt | None = None,
    threads: int | None = None,
    on_progress: Callable[[int], None] = lambda pairs: None,
) -> DuelResult:
    """Play pairs; the test, if there is one, ends the duel early.

    The test takes pairs in their order, not in the order in which threads finish them, and pairs
    after its verdict do not count: so the result depends on the seed alone. Ctrl-C ends the duel
    with the pairs played so far; the test has then seen the pairs up to the first gap. A player
    that fails repeatedly ends it in the same way.
    """
    duel = duel.pinned
    openings = openings_of(duel.game, duel.pairs, duel.opening, duel.seed)
    planned = [
        each
        for pair, opening in enumerate(openings)
        for each in plan_pair(duel.players, 0, 1, pair, opening, duel.seed)
    ]
    first_seeds = {each.seed for each in planned[::2]}
    halves: dict[int, dict[bool, Played]] = {}
    seen = 0
    last = math.inf
    given_up: str | None = None

    def on_games(games: list[Played]) -> bool:
        nonlocal seen, last, given_up
        for each in games:
            if is_given_up(each):
                given_up = each.failed
                continue
            halves.setdefault(each.pair, {})[each.seed in first_seeds] = each
        while sprt is not None and len(halves.get(seen, {})) == 2:
            results = halves[seen][True].result, halves[seen][False].result
            if results[0] is not None and results[1] is not None:
                sprt.add((1 + results[0]) / 2, (1 - results[1]) / 2)
            seen += 1
            if sprt.verdict is not None:
                last = seen
                return True
        on_progress(sum(len(half) == 2 for half in halves.values()))
        return given_up is not None

    is_complete = play_planned(duel.game, duel.players, planned, threads, on_games)
    pairs = [
        (half[True], half[False])
        for pair, half in sorted(halves.items())
        if len(half) == 2 and pair < last
    ]
    return DuelResult(pairs, is_complete and given_up is None, given_up)
