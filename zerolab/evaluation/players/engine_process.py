"""An external program that answers line by line: started, asked, and ended in all cases."""

import atexit
import contextlib
import os
import queue
import shlex
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable

from zerolab.evaluation.players.protocol import EngineError, PlayerError

GAMES_DIRECTORIES = ("/usr/games", "/usr/local/games")  # Debian's, often not on PATH
PARTING_SECONDS = 1.0  # how long an engine has to exit by itself
_END = None  # in the queue of lines: there are no more


def split_command(name: str, text: str) -> list[str]:
    """A command with its arguments, quoted as in a shell."""
    try:
        words = shlex.split(text)
    except ValueError:
        raise PlayerError(f"the quotes in '{name}' do not match") from None
    if not words:
        raise PlayerError(f"'{name}' names no command to run")
    return words


def find_program(command: str) -> str | None:
    """The path of a program: on the PATH, or in Debian's directory of games."""
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), *GAMES_DIRECTORIES])
    return shutil.which(command, path=path)


class Engine:
    """A running program. `name` is the player's, for errors."""

    def __init__(self, name: str, command: list[str]) -> None:
        self.name = name
        program = find_program(command[0])
        if program is None:
            raise EngineError(name, f"there is no program '{command[0]}'")
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115  # closed with the engine
        try:
            self._process = subprocess.Popen(
                [program, *command[1:]],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._complaints,
                text=True,
                encoding="utf-8",
                errors="replace",
                start_new_session=True,  # Ctrl-C is for zerolab, which ends its engines itself
            )
        except OSError as error:
            self._complaints.close()
            raise EngineError(name, f"it cannot be started: {error.strerror}") from None
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        _RUNNING.add(self)

    def send(self, line: str) -> None:
        """Send a line."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except OSError:
            raise EngineError(self.name, self._why_ended()) from None

    def read_until(self, is_last: Callable[[str], bool], seconds: float) -> list[str]:
        """The lines it prints, up to the first one that matches, within `seconds`."""
        deadline = time.monotonic() + seconds
        lines: list[str] = []
        while not lines or not is_last(lines[-1]):
            try:
                line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise EngineError(self.name, f"it gave no answer within {seconds:g} s") from None
            if line is _END:
                raise EngineError(self.name, self._why_ended())
            lines.append(line)
        return lines

    def close(self, farewell: str = "quit") -> None:
        """Ask it to exit, and kill it if it does not."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.write(farewell + "\n")
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(PARTING_SECONDS)
        self.kill()

    def kill(self) -> None:
        """Kill it and its child processes at once."""
        _RUNNING.discard(self)
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, 9)  # of its own session, so nobody else is in it
            else:
                self._process.kill()
        self._process.wait()
        self._reader.join(PARTING_SECONDS)
        for pipe in (self._process.stdin, self._process.stdout, self._complaints):
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(OSError, ValueError):  # closed by another thread
            for line in self._process.stdout:
                self._lines.put(line.rstrip("\r\n"))
        self._lines.put(_END)

    def _why_ended(self) -> str:
        """Its exit code and its last error message."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(PARTING_SECONDS)
        code = self._process.poll()
        reason = "it closed its output" if code is None else f"it ended with exit code {code}"
        self._complaints.seek(0)
        complaints = self._complaints.read().decode("utf-8", "replace").split("\n")
        last = next((line.strip() for line in reversed(complaints) if line.strip()), "")
        return f"{reason}: {last}" if last else reason


_RUNNING: set[Engine] = set()


@atexit.register
def _kill_all() -> None:
    """Kill all engines, so that none outlives zerolab."""
    for engine in list(_RUNNING):
        engine.kill()
