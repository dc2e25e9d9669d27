"""alpha-zero-general at self-play: the peer of bench staged, in a process of its own.

The user has a checkout of that repository, and an interpreter that it runs with (it needs NumPy
below 2). Its search, its rules and its network are used as they are; what drives them is here. So
this file is two things: a module of zerolab that starts the process, and the script that runs in
it, with nothing but the standard library and what the checkout needs.

    python alpha_zero_general.py '{"checkout": "...", "channels": 512, ...}'

reads a line with a number of seconds, plays for at least so long, a whole move at least, and writes
a line with the simulations and the processor time that it took; and again.
"""

from __future__ import annotations  # interpreters that the peer runs with may be old

import importlib
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace, TracebackType
from typing import IO, Any

FILES = ("MCTS.py", "othello/OthelloGame.py", "othello/pytorch/NNet.py")  # what we drive


class PeerProcess:
    """The peer, which plays while it is asked to."""

    def __init__(self, checkout: Path, python: Path, settings: dict[str, Any]) -> None:
        """`settings` are those of Driver. ValueError if it cannot play."""
        for name in FILES:
            if not (checkout / name).is_file():
                raise ValueError(f"{checkout} is no checkout of alpha-zero-general: no {name}")
        order = json.dumps({"checkout": str(checkout.resolve()), **settings})
        # A file, which never fills up as a pipe does that nobody reads.
        self._errors: IO[str] = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115
        # (it is closed with the process that writes to it)
        try:
            self._process = subprocess.Popen(
                [str(python), str(Path(__file__).resolve()), order],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                text=True,
            )
        except OSError as error:
            self._errors.close()
            raise ValueError(f"{python} cannot be started: {error.strerror}") from None
        self._python = python
        self.simulations, self.seconds = 0, 0.0
        try:
            self._ask(0.0)  # a move that is not counted
        except ValueError:
            self.close()
            raise

    def __enter__(self) -> PeerProcess:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()
        self._errors.close()

    def play(self, seconds: float) -> None:
        """Self-play for at least so long."""
        simulations, taken = self._ask(seconds)
        self.simulations += simulations
        self.seconds += taken

    def _ask(self, seconds: float) -> tuple[int, float]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(f"{seconds}\n")
            self._process.stdin.flush()
            simulations, taken = json.loads(self._process.stdout.readline())
        except (OSError, ValueError):
            self._errors.seek(0)
            lines = self._errors.read().strip().splitlines() or ["it said nothing"]
            raise ValueError(
                f"alpha-zero-general does not play with {self._python}: {lines[-1]}"
            ) from None
        return simulations, taken

    @property
    def speed(self) -> float:
        """Simulations a second."""
        return self.simulations / self.seconds


class Driver:
    """Games of the peer against itself, a move at a time, as its own trainer plays them."""

    def __init__(
        self,
        checkout: str,
        size: int,
        channels: int,
        simulations: int,
        exploration: float,
        threshold: int,
        opening: int,
    ) -> None:
        """Each game begins with up to `opening` random moves; then moves before the one numbered
        `threshold` are drawn by visits.
        """
        sys.path.insert(0, checkout)
        rules = importlib.import_module("othello.OthelloGame")
        networks = importlib.import_module("othello.pytorch.NNet")
        networks.args.num_channels = channels
        networks.args.cuda = False
        importlib.import_module("torch").set_num_threads(1)
        self._search = importlib.import_module("MCTS").MCTS
        self._game = rules.OthelloGame(size)
        self._network = networks.NNetWrapper(self._game)
        self._settings = SimpleNamespace(numMCTSSims=simulations, cpuct=exploration)
        self._threshold, self._opening = threshold, opening
        self._draw = random.Random(1)
        self._begin()

    def _begin(self) -> None:
        """A new game with a new tree, after some random moves."""
        while True:
            self._board, self._player = self._game.getInitBoard(), 1
            self._moves = 0
            self._tree = self._search(self._game, self._network, self._settings)
            for _ in range(self._draw.randint(0, self._opening)):
                legal = self._game.getValidMoves(self._board, self._player)
                self._step(self._draw.choice([each for each in range(len(legal)) if legal[each]]))
                if self._is_over():
                    break
            else:
                return

    def _step(self, action: int) -> None:
        self._board, self._player = self._game.getNextState(self._board, self._player, action)

    def _is_over(self) -> bool:
        return bool(self._game.getGameEnded(self._board, self._player) != 0)

    def move(self) -> int:
        """Search and move; return the number of simulations."""
        self._moves += 1
        board = self._game.getCanonicalForm(self._board, self._player)
        temperature = 1 if self._moves < self._threshold else 0
        policy = self._tree.getActionProb(board, temp=temperature)
        (action,) = self._draw.choices(range(len(policy)), policy)
        self._step(action)
        if self._is_over():
            self._begin()
        return int(self._settings.numMCTSSims)


def serve(order: dict[str, Any], requests: IO[str], answers: IO[str]) -> None:
    """Play as long as each line asks for."""
    driver = Driver(**order)
    for line in requests:
        simulations, started = 0, time.process_time()
        while True:
            simulations += driver.move()
            if (taken := time.process_time() - started) >= float(line):
                break
        answers.write(json.dumps([simulations, taken]) + "\n")
        answers.flush()


if __name__ == "__main__":
    _answers, sys.stdout = sys.stdout, sys.stderr  # what the peer prints is no answer
    serve(json.loads(sys.argv[1]), sys.stdin, _answers)
