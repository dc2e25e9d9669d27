"""Which players are connected by games: without a connection, a rating rests on the prior."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerolab.evaluation.ratings.bradley_terry import Results

Matrix = npt.NDArray[np.bool_]


class Connections(NamedTuple):
    """Which players can be compared."""

    groups: list[list[int]]  # players joined by chains of games; the largest group first
    disconnected: npt.NDArray[np.bool_]  # per player: no chain of games to the reference
    one_sided: npt.NDArray[np.bool_]  # per player: no chain of won and lost games to it


def connect(results: Results, players: int, anchor: int | None) -> Connections:
    """Compare all players with the anchor, or without one with the largest group.

    Ratings without a prior exist only where every player can be reached from every other by a
    chain of points scored (Ford 1957). A player outside such a circle has won all games against
    it or lost them all, or did so together with others.
    """
    wins, draws, losses = results.counts
    scored = np.zeros((players, players), dtype=bool)
    np.logical_or.at(scored, (results.first, results.second), wins + draws > 0)
    np.logical_or.at(scored, (results.second, results.first), losses + draws > 0)
    tied = _closure(scored | scored.T)
    level = _closure(scored)
    level &= level.T
    groups = sorted(_classes(tied), key=lambda group: (-len(group), group))
    home = groups[0][0] if anchor is None else anchor
    one_sided = np.zeros(players, dtype=bool)
    for group in groups:
        circles = sorted(
            _classes(level[np.ix_(group, group)]), key=lambda circle: (-len(circle), circle)
        )
        inside = [group[i] for i in circles[0]]
        if anchor in group:
            inside = list(np.flatnonzero(level[anchor]))
        if len(group) > 1:
            one_sided[group] = True
            one_sided[inside] = len(inside) == 1
    return Connections(groups, ~tied[home], one_sided)


def _closure(steps: Matrix) -> Matrix:
    """The reflexive and transitive closure of a relation."""
    reach = steps | np.eye(len(steps), dtype=bool)
    for _ in range(len(steps).bit_length()):
        reach = (reach.astype(np.float32) @ reach.astype(np.float32)) > 0
    return reach


def _classes(same: Matrix) -> list[list[int]]:
    """The classes of an equivalence relation."""
    return [list(np.flatnonzero(row)) for i, row in enumerate(same) if not row[:i].any()]
