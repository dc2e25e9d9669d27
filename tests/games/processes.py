"""New Python processes, for what a process does only once: importing rules, finding kernels."""

import os
import subprocess
import sys
from pathlib import Path

# Put a stone on one of the first REACH empty cells; whoever finds the board full has lost.
GUEST = """
from typing import NamedTuple

from zerolab.games.base import BLACK
from zerolab.kernels.bits import U1
from zerolab.games.boards.stones import EMPTY, put_stone, stone_at
from zerolab.kernels.compiling import rule
from zerolab.games.notation import Cells

REACH = 2


class Fill(NamedTuple):
    rows: int = 1
    cols: int = 5


@rule(Fill)
def legal_actions(game, state, actions):
    count = 0
    for cell in range(game.rows * game.cols):
        if count < REACH and stone_at(game, state, cell) == EMPTY:
            actions[count] = cell
            count += 1
    return count


@rule(Fill)
def step(game, state, action):
    put_stone(game, state, action, BLACK)
    state[0] ^= U1


@rule(Fill)
def terminal_value(game, state):
    return -1.0


@rule(Fill)
def action_space(game):
    return Cells(game.rows, game.cols)
"""


def run(code: str, *arguments: str, cache: Path, **variables: str) -> str:
    """What a new process prints that keeps its kernels in `cache`; it may not even warn."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code, *arguments],
        env=kept | {"XDG_CACHE_HOME": str(cache)} | variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()
