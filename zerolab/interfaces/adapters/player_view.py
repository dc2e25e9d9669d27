"""What a player sees of a position, whether it is to move or not."""

from zerolab.games.base import Planes, num_players
from zerolab.games.position import Position


def planes_for(position: Position, player: int) -> Planes:
    """The planes [P, R, C] of the encoding `own`, with this player's stones first."""
    planes = position.planes("own")
    if num_players(position.game) == 2 and player != position.player:
        planes[[0, 1]] = planes[[1, 0]]
        planes[2] = 1 - planes[2]
    return planes
