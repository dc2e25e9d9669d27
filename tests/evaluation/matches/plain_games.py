"""A game of a match in plain Python: the slow twin of compiled games and of series."""

from zerolab.games.boards.stones import initial_state
from zerolab.games.position import Position
from zerolab.kernels.rng import stream


def play_in_python(game, players, number, seed):
    """The last position of a game, which draws from stream `number` of the seed."""
    position = Position(game, initial_state(game, stream(seed ^ 0x5EED, number)))
    rng = stream(seed, number)
    while not position.is_over:
        position = position.after(players[position.player].choose(position, rng))
    return position
