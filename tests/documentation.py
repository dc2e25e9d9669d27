"""The console blocks of the documentation: read, run, compared with what they show, renewed.

A block fenced as ```console holds lines `$ zerolab ...`, each followed by what it prints, or by
nothing where that does not matter. The commands of a block fenced as ```console no-test are not
run: somebody has to type, or they take too long.

    python -m tests.documentation      write into the pages what their commands print now
"""

import contextlib
import io
import os
import re
import shlex
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from zerolab.interfaces.cli import main

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
NO_MKDOCS = "mkdocs-material is not installed"  # why the site is not built in a test
PROMPT = "$ "

_TIMES = re.compile(r'(?<=, )[\d,]+(?= a second)|(?<= in )[\d.]+(?= s\b)|(?<="seconds": )[\d.e-]+')
_PLAIN = {"COLUMNS": "80", "FORCE_COLOR": "", "NO_COLOR": "1"}


class Command(NamedTuple):
    """A line `$ zerolab ...` and the lines that follow it."""

    page: Path
    text: str
    first: int  # where in the page its output begins, as an index of lines
    last: int  # where it ends

    @property
    def output(self) -> list[str]:
        """What the page shows."""
        return self.page.read_text("utf-8").splitlines()[self.first : self.last]


def commands_of(page: Path) -> list[Command]:
    """The commands of a page that are to be run."""
    lines = page.read_text("utf-8").splitlines()
    commands = []
    fence = ""
    for index, line in enumerate(lines):
        if line.startswith("```"):
            fence = "" if fence else line[3:] or "text"
        elif fence == "console" and line.startswith(PROMPT):
            last = index + 1
            while not lines[last].startswith((PROMPT, "```")):
                last += 1
            commands.append(Command(page, line.removeprefix(PROMPT), index + 1, last))
    return commands


def run(command: str) -> list[str]:
    """Run a command in this process, from the root of the repository; return what it prints."""
    program, *arguments = shlex.split(command)
    assert program == "zerolab", f"'{command}' cannot be run here; mark its block no-test"
    printed = io.StringIO()
    with (
        contextlib.chdir(ROOT),
        contextlib.redirect_stdout(printed),
        mock.patch.dict(os.environ, _PLAIN),
    ):
        main(arguments)
    return [line.rstrip() for line in printed.getvalue().splitlines()]


def without_times(lines: list[str]) -> list[str]:
    """Output without what differs from run to run."""
    return [_TIMES.sub("...", line) for line in lines]


def renew(page: Path) -> None:
    """Write into a page what its commands print now; those that show nothing stay as they are."""
    lines = page.read_text("utf-8").splitlines()
    for command in reversed(commands_of(page)):  # from the end, so that the indices stay right
        if command.output:
            printed = run(command.text)
            if without_times(printed) != without_times(command.output):
                lines[command.first : command.last] = printed
    page.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    for each in PAGES:
        renew(each)
