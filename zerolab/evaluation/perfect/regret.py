"""What a player gives away in games against itself, with every move judged exactly.

A position is worth 1 to the player to move if it is won, 0 if drawn, -1 if lost. The regret of a
move is the value that it gives away: 0 if it keeps the value, 2 if it turns a win into a loss. The
regret of a game is the sum over its moves, of both sides, since both are the same player. Perfect
play has no regret, and a player without regret plays perfectly in all positions that it reaches.

Games begin with a few random moves, which are not judged. They are judged from their ends: late
positions are cheap, and the solver's table then knows what follows the earlier ones. Where its
budget does not suffice, that position and those before it are skipped. They are the hard ones, so
with many skipped the figures flatter the player; `skipped` counts them.

lines = play_lines(game, (choose, choose), make_openings(game, 20, stream(1)))
judge_lines(game, lines, Judge(game)).overall.regret
"""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerolab.errors import UsageError
from zerolab.evaluation.perfect.accuracy import Share
from zerolab.evaluation.perfect.exam_positions import STAGES, stages_at
from zerolab.evaluation.perfect.judge import Judge
from zerolab.evaluation.ratings.intervals import standard_error
from zerolab.games.base import BLACK, WHITE, Game
from zerolab.games.playing.side_by_side import OngoingGame, play_side_by_side
from zerolab.games.position import Position
from zerolab.kernels.rng import Stream, stream

ChooseAlong = Callable[
    [Sequence[Position], Sequence[Stream]], Sequence[int] | npt.NDArray[np.int64]
]
"""Moves in many positions; position i draws from stream i."""

Numbers = npt.NDArray[np.int64]


class Line(NamedTuple):
    """A game after its opening."""

    opening: Position
    end: Position

    @property
    def chosen(self) -> tuple[Position, ...]:
        """The positions after each move that was chosen."""
        return self.end.history[len(self.opening.history) :]


class Measures(NamedTuple):
    """Games, or one stage of them, compared with perfect play."""

    keeps: Share
    """Moves that keep the value, in all positions."""
    critical: Share
    """The same in critical positions: some move keeps the value and some does not."""
    regret: float
    """Mean regret of a game; the regrets of the stages add up to that of the whole game."""
    regret_error: float | None
    """Standard error over games; one game has none."""


class SelfPlayed(NamedTuple):
    """A player's games against itself, compared with perfect play."""

    games: int
    skipped: int
    """Positions beyond the judge's budget."""
    overall: Measures
    stages: dict[str, Measures]
    """Stages without judged positions are left out."""


class _Moves(NamedTuple):
    """The n judged moves of all games."""

    game: Numbers  # [n]
    stage: Numbers  # [n]
    regret: Numbers  # [n]
    is_critical: npt.NDArray[np.bool_]  # [n]

    def where(self, mask: npt.NDArray[np.bool_]) -> "_Moves":
        regret, is_critical = self.regret[mask], self.is_critical[mask]
        return _Moves(self.game[mask], self.stage[mask], regret, is_critical)


def play_lines(
    game: Game, sides: tuple[ChooseAlong, ChooseAlong], openings: Sequence[Position], seed: int = 0
) -> list[Line]:
    """Play games from these openings concurrently; the first side is Black.

    Game i draws from a stream of its own, so the other games have no influence on it.
    """
    rngs = [stream(seed, number) for number in range(len(openings))]

    def mover(side: ChooseAlong) -> Callable[[list[OngoingGame]], None]:
        def move(games: list[OngoingGame]) -> None:
            positions = [each.position for each in games]
            actions = side(positions, [rngs[each.number] for each in games])
            for each, action in zip(games, actions, strict=True):
                each.play(int(action))

        return move

    games = [
        OngoingGame(number, opening, (BLACK, WHITE)) for number, opening in enumerate(openings)
    ]
    for _ in play_side_by_side(games, (mover(sides[BLACK]), mover(sides[WHITE])), len(games)):
        pass
    return [Line(opening, each.position) for opening, each in zip(openings, games, strict=True)]


def judge_lines(
    game: Game,
    lines: Sequence[Line],
    judge: Judge,
    on_progress: Callable[[int], None] = lambda games: None,
) -> SelfPlayed:
    """Judge every move of the games; `on_progress` gets the number of finished games."""
    if not lines:
        raise UsageError("there are no games to judge")
    rows: list[tuple[int, int, int, bool]] = []  # game, ply, regret, whether critical
    skipped = 0
    for number, line in enumerate(lines):
        chosen = line.chosen
        for index in reversed(range(len(chosen))):
            after = chosen[index]
            assert after.previous is not None
            assert after.action is not None
            values = judge.move_values(after.previous.words)
            if values is None:
                skipped += index + 1
                break
            best = max(values.values())
            ply = len(line.opening.actions) + index
            rows.append((number, ply, best - values[after.action], min(values.values()) < best))
        on_progress(number + 1)
    table = np.array(rows, np.int64).reshape(-1, 4)
    moves = _Moves(
        table[:, 0], stages_at(game, table[:, 1]), table[:, 2], table[:, 3].astype(np.bool_)
    )
    stages = {
        name: _measure(moves.where(moves.stage == stage), len(lines))
        for stage, name in enumerate(STAGES)
        if (moves.stage == stage).any()
    }
    return SelfPlayed(len(lines), skipped, _measure(moves, len(lines)), stages)


def _measure(moves: _Moves, games: int) -> Measures:
    regrets = np.bincount(moves.game, moves.regret, minlength=games)
    error = float(regrets.std(ddof=1)) / math.sqrt(games) if games > 1 else None
    return Measures(
        _share_over_games(moves, games),
        _share_over_games(moves.where(moves.is_critical), games),
        float(regrets.mean()),
        error,
    )


def _share_over_games(moves: _Moves, games: int) -> Share:
    """Moves without regret.

    Moves of one game are not independent, so the error is that of a ratio of sums over games, but
    never below that of as many independent moves.
    """
    count = len(moves.game)
    if count == 0:
        return Share(float("nan"), 0, float("nan"))
    kept = np.bincount(moves.game, moves.regret == 0, minlength=games)
    made = np.bincount(moves.game, minlength=games)
    total = float(kept.sum())
    spread = math.sqrt(float(((kept - total / count * made) ** 2).sum()))
    used = int((made > 0).sum())
    error = spread * math.sqrt(used / (used - 1)) / count if used > 1 else 0.0
    return Share(total / count, count, max(error, standard_error(total, count)))
