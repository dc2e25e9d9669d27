"""Boards of several sizes in one batch: each lies in the top-left corner of a board for all.

Policy targets are laid out as a convolutional head has them, planes and then passes, so that the
loss is that of one board size: cells off a board are not legal there.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from zerolab.errors import UsageError
from zerolab.games.base import Game, shape
from zerolab.games.notation import action_space
from zerolab.networks.losses import Targets
from zerolab.networks.signature import Floats, places_on, signature_of


class Samples(NamedTuple):
    """Positions of one board size and what they should be rated."""

    game: Game
    planes: Floats  # [n, P, R, C]
    policy: Floats  # [n, A]
    value: Floats  # [n]


class Batch(NamedTuple):
    """What `Network.rate` and the losses take."""

    planes: Tensor  # [B, P, R, C]
    mask: Tensor  # [B, 1, R, C], 1 on the board
    targets: Targets


def join_sizes(parts: Sequence[Samples]) -> Batch:
    """One batch of all, on the smallest board that has room for each."""
    rows = max(shape(part.game)[0] for part in parts)
    cols = max(shape(part.game)[1] for part in parts)
    layouts = [signature_of(part.game).layout for part in parts]
    layout = layouts[0]
    if layout is None or any(other != layout for other in layouts):
        raise UsageError("boards of one batch must be of the same game, on rows and columns")
    cells = cols if layout.by_column else rows * cols
    size = len(layout.kinds) * cells + layout.passes
    planes, masks, policies, legal = [], [], [], []
    for part in parts:
        own_rows, own_cols = shape(part.game)
        count = len(part.planes)
        edges = ((0, 0), (0, 0), (0, rows - own_rows), (0, cols - own_cols))
        planes.append(np.pad(part.planes, edges))
        masks.append(np.pad(np.ones((count, 1, own_rows, own_cols), np.float32), edges))
        places = places_on(action_space(part.game), layout, rows, cols)
        policies.append(np.zeros((count, size), np.float32))
        policies[-1][:, places] = part.policy
        legal.append(np.zeros((count, size), np.bool_))
        legal[-1][:, places] = True
    values = np.concatenate([part.value for part in parts])
    return Batch(
        torch.from_numpy(np.concatenate(planes)),
        torch.from_numpy(np.concatenate(masks)),
        Targets(
            torch.from_numpy(np.concatenate(policies)),
            torch.from_numpy(values),
            torch.from_numpy(np.concatenate(legal)),
        ),
    )
