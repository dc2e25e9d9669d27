"""Tournaments: everyone against everyone, or one against the others, in pairs of games.

All pairings have the same openings, so that conditions are equal. Games are identified by names and
numbers of pairs: repeated with more rounds or more players, a tournament plays only the missing
games.
"""

import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from zerolab.errors import UsageError
from zerolab.evaluation.matches.pairs import Planned, Played, plan_pair
from zerolab.evaluation.matches.results_file import ResultsFile, Setting
from zerolab.evaluation.matches.threads import PlayPlanned, play_planned, prepare
from zerolab.evaluation.players.names import pinned
from zerolab.evaluation.ratings.bradley_terry import Meeting
from zerolab.games.base import Game
from zerolab.games.catalogue import describe
from zerolab.games.playing.openings import PLIES, make_openings
from zerolab.games.playing.score import Score
from zerolab.games.position import Position
from zerolab.kernels.rng import stream

_OPENING_SEED = 0x09E2  # keeps the stream that draws openings apart from those of games


class Event(NamedTuple):
    """The definition of a tournament."""

    game: Game
    players: tuple[str, ...]
    rounds: int
    """Pairs of games in each pairing."""
    is_gauntlet: bool = False
    """The first player against all others, instead of everyone against everyone."""
    opening: int = PLIES
    """Plies of each opening."""
    seed: int = 0

    @property
    def setting(self) -> Setting:
        """The setting that its games share."""
        return Setting(describe(self.game), self.opening, self.seed)

    @property
    def pairings(self) -> list[tuple[int, int]]:
        """The pairings, by number; neighbours first, so that every player soon has games."""
        pairs = itertools.combinations(range(len(self.players)), 2)
        met = [pair for pair in pairs if pair[0] == 0 or not self.is_gauntlet]
        return sorted(met, key=lambda pair: pair[1] - pair[0])

    @property
    def pinned(self) -> "Event":
        """A copy whose names keep referring to the same networks, also in later runs."""
        return self._replace(players=tuple(map(pinned, self.players)))

    def check(self) -> None:
        """Raise a UsageError if the tournament is not possible."""
        if len(self.players) < 2:
            raise UsageError("a tournament needs two players or more")
        for name, count in Counter(self.players).items():
            if count > 1:
                raise UsageError(f"'{name}' is named twice; each player may be named only once")


def openings_of(game: Game, count: int, plies: int, seed: int) -> list[Position]:
    """The openings of the first `count` pairs, the same for all players."""
    return make_openings(game, count, stream(seed ^ _OPENING_SEED), plies)


def plan(event: Event) -> list[Planned]:
    """All games, round by round."""
    openings = openings_of(event.game, event.rounds, event.opening, event.seed)
    return [
        planned
        for pair, opening in enumerate(openings)
        for one, other in event.pairings
        for planned in plan_pair(event.players, one, other, pair, opening, event.seed)
    ]


def missing(
    event: Event, played: Iterable[Played], planned: Sequence[Planned] | None = None
) -> list[Planned]:
    """Games that were not played yet, or broke off, of those planned or of all."""
    done = {each[:3] for each in played if each.result is not None}
    planned = plan(event) if planned is None else planned
    return [each for each in planned if _key(event, each) not in done]


def _key(event: Event, planned: Planned) -> tuple[int, str, str]:
    """The identity of a game: the pair, and who moves first and second."""
    return planned.pair, event.players[planned.first], event.players[planned.second]


def prepare_event(event: Event) -> None:
    """Raise an error before the first game if it cannot be played; compile what is needed."""
    event.check()
    prepare(openings_of(event.game, 1, event.opening, event.seed)[0], event.players)


def play_event(
    event: Event,
    path: Path | None = None,
    threads: int | None = None,
    on_progress: Callable[[int, int], None] = lambda done, planned: None,
    *,
    is_shared: bool = False,
    play: PlayPlanned = play_planned,
) -> tuple[list[Played], bool]:
    """Play the missing games; return the event's games, and whether they are complete.

    With a `path` games are kept in that file, and its games count if they belong to the event: the
    event may have fewer rounds or pairings than the file, and, if the file `is_shared`, other
    players. `on_progress` gets the number of games played and their total; Ctrl-C ends the
    tournament with the games played so far. Names of players are pinned: the newest network of a
    run is named by its step. `play` says where games are played.
    """
    event = event.pinned
    event.check()
    if path is None:
        return _play(event, [], threads, lambda games: None, on_progress, play)
    with ResultsFile(path, event.setting, event.players, is_shared) as results:
        return _play(event, results.games.copy(), threads, results.add, on_progress, play)


def _play(
    event: Event,
    played: list[Played],
    threads: int | None,
    keep: Callable[[list[Played]], None],
    on_progress: Callable[[int, int], None],
    play: PlayPlanned,
) -> tuple[list[Played], bool]:
    planned = plan(event)
    left = missing(event, played, planned)
    before = len(planned) - len(left)
    new: list[Played] = []

    def on_games(games: list[Played]) -> bool:
        keep(games)
        new.extend(games)
        on_progress(before + len(new), before + len(left))
        return False

    on_progress(before, before + len(left))
    is_complete = play(event.game, event.players, left, threads, on_games)
    wanted = {_key(event, each) for each in planned}
    games = [each for each in settled(played + new) if each[:3] in wanted]
    return games, is_complete


def settled(played: Sequence[Played]) -> list[Played]:
    """The last record of each game: a game that broke off may have been played later."""
    games: dict[tuple[int, str, str], Played] = {}
    for each in played:
        key = each[:3]
        if key not in games or games[key].result is None:
            games[key] = each
    return list(games.values())


def meetings(played: Iterable[Played]) -> list[Meeting[str]]:
    """Games with a result, counted for the player who moved first."""
    results: dict[tuple[str, str], list[int]] = {}
    for each in played:
        if each.result is not None:
            results.setdefault((each.first, each.second), []).append(each.result)
    return [Meeting(*names, Score.of(values)) for names, values in results.items()]


def cross_table(played: Iterable[Played]) -> dict[tuple[str, str], Score]:
    """The score of each player against each other one, if they met."""
    table: dict[tuple[str, str], Score] = {}
    for first, second, score in meetings(played):
        table[first, second] = table.get((first, second), Score()) + score
        table[second, first] = table.get((second, first), Score()) + score.reversed
    return table


def thinking_times(played: Iterable[Played]) -> dict[str, float]:
    """Mean thinking time of each player per move, in seconds."""
    seconds: defaultdict[str, float] = defaultdict(float)
    moves: Counter[str] = Counter()
    for each in played:
        for side, name in enumerate((each.first, each.second)):
            seconds[name] += each.seconds[side]
            moves[name] += each.chosen[side]
    return {name: seconds[name] / count for name, count in moves.items() if count}


def doubts(played: Iterable[Played]) -> dict[str, tuple[int, int]]:
    """Moves that players could not solve, and all their moves, where they count them."""
    doubtful: Counter[str] = Counter()
    moves: Counter[str] = Counter()
    for each in played:
        for side, name in enumerate((each.first, each.second)):
            doubtful[name] += each.doubtful[side] if each.doubtful else 0
            moves[name] += each.chosen[side]
    return {name: (count, moves[name]) for name, count in doubtful.items() if count}
