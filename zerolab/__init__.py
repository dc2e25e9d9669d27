"""zerolab: a laboratory for AlphaZero on small board games, Clobber first.

    import zerolab as zl

    position = zl.Clobber(5, 5).start()

Its functions are in api.py, which is imported only when it is needed.
"""

import importlib
import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zerolab.api import (
        Clobber,
        ConnectFour,
        Go,
        Gobang,
        GraphClobber,
        Othello,
        Outcome,
        Position,
        Solitaire,
        game,
        load,
        match,
        player,
        position,
        solve,
        train,
        value,
    )

__version__ = "0.1.0"
__all__ = (
    "Clobber",
    "ConnectFour",
    "Go",
    "Gobang",
    "GraphClobber",
    "Othello",
    "Outcome",
    "Position",
    "Solitaire",
    "game",
    "load",
    "match",
    "player",
    "position",
    "solve",
    "train",
    "value",
)

# PyTorch's threads wait for each other after every layer. Its OpenMP library lets them spin for
# milliseconds, which makes learning tens of times slower where other programs use the cores. A
# short spin loses little, idle or busy (zerolab bench learning). The library reads this when
# PyTorch is loaded, so it is set here.
if "OMP_WAIT_POLICY" not in os.environ:
    os.environ.setdefault("GOMP_SPINCOUNT", "1000")


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(importlib.import_module("zerolab.api"), name)
    raise AttributeError(f"module 'zerolab' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
