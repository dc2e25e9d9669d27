"""Openings: a few random moves, so that deterministic players do not repeat one game.

Each is played with both colours, so that an opening that favours one colour favours neither player.
"""

from zerolab.errors import UsageError
from zerolab.games.base import Game
from zerolab.games.boards.stones import initial_state
from zerolab.games.position import Position
from zerolab.kernels.rng import Stream, random_below, stream

PLIES = 2  # of openings, by default
MISSES = 20  # repeated openings in a row, until they get longer
LONGER = 30  # how much longer at most: a board so small has no more openings


def make_openings(game: Game, count: int, rng: Stream, plies: int = PLIES) -> list[Position]:
    """Openings after which the game is not over, to distinct positions as long as there are any.

    When there are no more of that length, longer ones follow. Openings of 0 plies are the starts
    alone. A longer list begins with the shorter list of the same stream. It is a UsageError if no
    game lasts that long.
    """
    if plies == 0:
        return [_play_random(game, 0, rng) for _ in range(count)]
    openings: list[Position] = []
    seen: set[Position] = set()
    length, misses, longest = plies, 0, 0
    while len(openings) < count:
        opening = _play_random(game, length, rng)
        if not opening.is_over and opening not in seen:
            seen.add(opening)
            openings.append(opening)
            misses = 0
            continue
        misses += 1
        longest = max(longest, len(opening.actions))
        if misses == MISSES:
            length, misses = length + 1, 0
        if length > plies + LONGER:  # there are no more: the existing ones are repeated
            if not openings and longest > 0:
                raise UsageError(
                    f"every game is over after an opening of {plies} moves; expected at most "
                    f"{longest - 1}"
                )
            openings = openings or [_play_random(game, 0, rng)]
            return [openings[number % len(openings)] for number in range(count)]
    return openings


def openings_or_start(game: Game, count: int, seed: int, plies: int = PLIES) -> list[Position]:
    """Openings; on a board too small for any, the start."""
    try:
        return make_openings(game, count, stream(seed), plies)
    except UsageError:
        return make_openings(game, count, stream(seed), plies=0)


def _play_random(game: Game, plies: int, rng: Stream) -> Position:
    """That number of random moves from the start, fewer if the game ends before."""
    position = Position(game, initial_state(game, rng))
    for _ in range(plies):
        if position.is_over:
            break
        legal = position.legal_actions
        position = position.after(legal[random_below(rng, len(legal))])
    return position
