"""How long the first use of each command takes, when nothing is compiled yet, and the second.

Every command runs in a process of its own, with a cache for compiled kernels of its own: once
empty, and once more with what the first run has put there. Games are short, so that most of the
time is loading and compiling.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from zerolab.errors import UsageError

BOARD = ("clobber", "--size", "4x4")
SHORT = ("--steps", "1", "--games", "0", "--run", "run", "--set", "actors=0", "evaluators=0")
COMMANDS: dict[str, tuple[str, ...]] = {
    "help": ("--help",),
    "games": ("games",),
    "perft": ("perft", *BOARD, "--depth", "3"),
    "match, random": ("match", *BOARD, "--games", "10"),
    "match, mcts": ("match", *BOARD, "--black", "mcts:10", "--games", "4"),
    "match, exact leaves": (
        *("match", *BOARD, "--black", "mcts:10,exact=18", "--pairs", "1"),
        *("--white", "random"),
    ),
    "play": ("play", *BOARD, "--black", "mcts:10", "--white", "random"),
    "analyze": ("analyze", *BOARD, "--player", "mcts:100"),
    "solve": ("solve", *BOARD),
    "tournament": ("tournament", *BOARD, "--players", "random", "mcts:10", "--rounds", "1"),
    "exam": ("exam", *BOARD, "--players", "mcts:10", "--positions", "10", "--games", "1"),
    "online": ("online", *BOARD, "--games", "100", "--save", "small.npz"),
    "train": (
        *("train", *BOARD, *SHORT, "max_simulations=4", "replay_buffer_size=256"),
        *("nn_width=8", "nn_depth=1"),
    ),
    "train, wang": (
        *("train", *BOARD, "--preset", "wang", "--steps", "1", "--run", "run"),
        *("--set", "episodes=2"),
        *("max_simulations=4", "epochs=1", "arena_games=2", "nn_model=zerolab", "nn_width=8"),
        *("nn_depth=1",),
    ),
}


class ColdStart(NamedTuple):
    """Seconds that a command takes."""

    name: str
    cold: float
    cold_processor: float
    """Processor time of the first use, which other programs do not lengthen."""
    warm: float


def bench_cold(
    on_progress: Callable[[int, int], None], names: Sequence[str] = tuple(COMMANDS)
) -> list[ColdStart]:
    """Each command for the first and the second time."""
    starts = []
    for number, name in enumerate(names):
        with tempfile.TemporaryDirectory(prefix="zerolab-cold-") as text:
            directory = Path(text)
            cold, processor = _run(name, directory, "first")
            warm, _ = _run(name, directory, "second")
        starts.append(ColdStart(name, cold, processor, warm))
        on_progress(number + 1, len(names))
    return starts


def _run(name: str, directory: Path, place: str) -> tuple[float, float]:
    """Seconds, and seconds of processor time, of one use; its files go to a place of its own."""
    (directory / place).mkdir()
    environment = {**os.environ, "XDG_CACHE_HOME": str(directory), "LOCALAPPDATA": str(directory)}
    # Imports must find the package that runs here, wherever that is.
    package = str(Path(__file__).resolve().parents[2])
    path = os.pathsep.join(filter(None, (package, os.environ.get("PYTHONPATH"))))
    before, started = _processor_seconds(), time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "zerolab", *COMMANDS[name]],
        env={**environment, "PYTHONPATH": path},
        cwd=directory / place,
        capture_output=True,
        text=True,
        check=False,
    )
    seconds = time.perf_counter() - started
    if done.returncode != 0:
        raise UsageError(f"zerolab {name} failed: {done.stderr.strip()[-200:]}")
    return seconds, _processor_seconds() - before


def _processor_seconds() -> float:
    """Of all processes that this one has started and that have ended."""
    times = os.times()
    return times.children_user + times.children_system
