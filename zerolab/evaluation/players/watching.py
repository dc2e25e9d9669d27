"""A search that can be looked at while it runs: its tree after every fraction of a second.

    for tree in watch_search(make_player("mcts:100000"), position, stream(0)):
        show(tree.analyse())

Whoever stops asking stops the search.
"""

from collections.abc import Iterator

from zerolab.evaluation.players.players import CanGrow, UctPlayer, with_tree
from zerolab.evaluation.players.protocol import Player, PlayerError, check_player
from zerolab.games.position import Position
from zerolab.kernels.rng import Stream
from zerolab.search.analysis import Searched

EVERY = 0.2  # seconds
MEMORY = 2**28  # bytes of a tree: several are watched at the same time


def watch_search(
    player: Player, position: Position, rng: Stream, every: float = EVERY
) -> Iterator[Searched]:
    """The search of a player, again and again until it ends; the last time it is complete."""
    player = with_tree(player)
    if isinstance(player, UctPlayer):
        limits = player.limits._replace(memory=min(player.limits.memory, MEMORY))
        player = UctPlayer(player.name, player.settings, limits, reuse=False)
    check_player(player, position.game)
    if not isinstance(player, CanGrow):
        raise PlayerError(f"'{player.name}' has no search tree to show; expected mcts:N or az:...")
    search = player.begin(position, rng, None)
    while not search.is_done:
        search.run(every)
        yield search.tree
