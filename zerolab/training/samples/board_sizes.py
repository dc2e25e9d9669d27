"""Boards of several sizes in one batch: each is placed in the top-left corner of a common board.

Policies and legal actions have the layout of a convolutional head, planes and then passes,
so that the loss is that of one board size: cells off a board are not legal there.
"""

from collections.abc import Sequence

import numpy as np

from zerolab.errors import UsageError
from zerolab.games.base import Game, shape
from zerolab.games.notation import action_space
from zerolab.networks.signature import places_on, signature_of
from zerolab.records.samples import Batch


def join_sizes(parts: Sequence[tuple[Game, Batch]]) -> Batch:
    """Join batches into one, on the smallest board that has room for each."""
    games = [game for game, _ in parts]
    layout = signature_of(games[0]).layout
    if layout is None or len({game._replace(rows=1, cols=1) for game in games}) > 1:
        raise UsageError("boards of one batch must be of the same game, on rows and columns")
    rows, cols = (max(shape(game)[side] for game in games) for side in (0, 1))
    size = len(layout.kinds) * (cols if layout.by_column else rows * cols) + layout.passes
    joined = []
    for game, batch in parts:
        own_rows, own_cols = shape(game)
        count = len(batch.planes)
        edges = ((0, 0), (0, 0), (0, rows - own_rows), (0, cols - own_cols))
        places = places_on(action_space(game), layout, rows, cols)
        policy, legal = np.zeros((count, size), np.float32), np.zeros((count, size), np.bool_)
        policy[:, places], legal[:, places] = batch.policy, batch.legal
        joined.append(
            Batch(
                np.pad(batch.planes, edges),
                legal,
                policy,
                batch.value,
                batch.weight,
                np.pad(np.ones((count, 1, own_rows, own_cols), np.float32), edges),
            )
        )
    return Batch(*(np.concatenate(each) for each in zip(*joined, strict=True)))
