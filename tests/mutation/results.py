"""What has been found so far: a file with a line per mutant drawn and a line per trial."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

WAITING = "waiting"


class Result(NamedTuple):
    """A mutant and how its last trial ended."""

    name: str
    area: str
    path: str
    line: int
    operator: str
    before: str
    after: str
    outcome: str = WAITING
    test: str = ""
    seconds: float = 0.0


def read(path: Path) -> dict[str, Result]:
    """The last result of each mutant, in the order in which they were drawn."""
    found: dict[str, Result] = {}
    if path.exists():
        for line in path.read_text("utf-8").splitlines():
            if line.endswith("}"):  # not one that was cut off
                result = Result(**json.loads(line))
                found[result.name] = result
    return found


def add(path: Path, results: Iterable[Result]) -> None:
    """Write results at the end of the file."""
    cut_off = path.exists() and not path.read_bytes().endswith(b"\n") and path.stat().st_size
    with path.open("a", encoding="utf-8") as file:
        file.write("\n" if cut_off else "")
        file.writelines(json.dumps(result._asdict()) + "\n" for result in results)


def renew(path: Path, results: Iterable[Result]) -> None:
    """Write the file again, with one line per mutant."""
    lines = [json.dumps(result._asdict()) + "\n" for result in results]
    path.write_text("".join(lines), "utf-8")
