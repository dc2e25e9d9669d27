"""Commands of zerolab as child processes of the server: training, studies, tournaments."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from zerolab.files import make_directory
from zerolab.interfaces.web.safety import Rules

# With less priority than clicks and searches, for which somebody waits; Windows has none.
MAIN = (
    "import os; hasattr(os, 'nice') and os.nice(5); from zerolab.interfaces.cli import main; main()"
)
FOLDER = ".output"  # of what the processes print
TAIL = 600  # characters of what a process said last
LONGEST = 20_000_000  # bytes of a result
STOPPED = (0, 130, -signal.SIGINT)


class CommandProcess:
    """One command; what it prints is kept in files below the directory of runs."""

    def __init__(self, rules: Rules, name: str, arguments: list[str]) -> None:
        self.name = name
        make_directory(rules.inside(FOLDER))
        self._said = _file(rules, name, "err")
        with _file(rules, name, "out").open("wb") as out, self._said.open("wb") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-c", MAIN, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=errors,
                cwd=rules.runs,  # some write to where they are
                # Ctrl-C in the terminal of the server is for the server. It has no session of its
                # own: Linux shares the cores between sessions before it looks at priorities.
                process_group=0,
            )

    @property
    def is_alive(self) -> bool:
        """Whether it still runs."""
        return self._process.poll() is None

    @property
    def failure(self) -> str:
        """What it said last, if it failed."""
        code = self._process.poll()
        if code is None or code in STOPPED:
            return ""
        if code < 0:
            return f"its process was ended from outside, by signal {-code}"
        return self._said.read_text("utf-8", "replace")[-TAIL:].strip() or "it failed"

    @property
    def progress(self) -> str:
        """The last line that it said beside its result, such as how far it is."""
        with self._said.open("rb") as file:
            file.seek(max(0, self._said.stat().st_size - TAIL))
            lines = file.read().decode("utf-8", "replace").splitlines()
        return next((line.strip() for line in reversed(lines) if line.strip()), "")

    def stop(self) -> None:
        """As Ctrl-C does: what was done so far is kept."""
        if self.is_alive:
            self._process.send_signal(signal.SIGINT)

    def end(self, patience: float = 20.0) -> None:
        """Stop, and insist if that takes long."""
        self.stop()
        try:
            self._process.wait(patience)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def result_of(rules: Rules, name: str) -> dict[str, Any] | None:
    """The JSON object that a command printed when it was run last, if it has come to its end."""
    path = _file(rules, name, "out")
    try:
        if path.stat().st_size > LONGEST:
            return None
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def _file(rules: Rules, name: str, ending: str) -> Path:
    return rules.inside(f"{FOLDER}/{name.replace('/', '_')}.{ending}")
