"""The files that a run has written: learner.jsonl, one line per step, and config.json.

Reading needs neither PyTorch nor the game, so that any run can be read, OpenSpiel's too. Lines
differ in their fields: what is missing, null or not a number becomes NaN.
"""

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zerolab.errors import UsageError

CONFIG, LOG = "config.json", "learner.jsonl"
NETWORK = "network-{step:06}.safetensors"  # every checkpoint_freq steps


class RunLog(NamedTuple):
    """The log and configuration of a run."""

    directory: Path
    config: dict[str, Any]
    """Empty if there is none."""
    lines: list[dict[str, Any]]

    def numbers(self, *path: str | int) -> NDArray[np.float64]:
        """A number of each line, such as `numbers("loss", "sum")`: [lines]."""
        return np.array([_number(_at(line, path)) for line in self.lines])

    def rows(self, *path: str | int) -> NDArray[np.float64]:
        """A list of numbers of each line, short ones filled with NaN: [lines, longest]."""
        table = np.full((len(self.lines), self.longest(*path)), np.nan)
        for row, line in zip(table, self.lines, strict=True):
            numbers = [_number(each) for each in _list(_at(line, path))]
            row[: len(numbers)] = numbers
        return table

    def names(self, *path: str | int) -> list[str]:
        """A list of names, from the last line that has one."""
        lists = (_list(_at(line, path)) for line in reversed(self.lines))
        return next(([str(name) for name in names] for names in lists if names), [])

    def longest(self, *path: str | int) -> int:
        """Length of the longest such list in any line."""
        return max((len(_list(_at(line, path))) for line in self.lines), default=0)


def processor_seconds(lines: list[dict[str, Any]]) -> dict[str, float]:
    """Processor time of each stage of a staged run, over all its iterations."""
    stages = [line["stage_processor_seconds"] for line in lines]
    return {name: sum(each[name] for each in stages) for name in stages[0]}


def open_log(directory: Path) -> RunLog:
    """The log of the run in a directory, which must have at least one line."""
    if not directory.is_dir():
        raise UsageError(f"there is no directory '{directory}'")
    if not (directory / LOG).exists():
        raise UsageError(f"{directory} holds no run: there is no {LOG}")
    lines = read_log(directory)
    if not lines:
        raise UsageError(f"{directory / LOG} is empty: no step has been finished yet")
    return RunLog(directory, read_config(directory), lines)


def read_log(directory: Path) -> list[dict[str, Any]]:
    """The lines of a log, none if there is no file; a truncated last line is left out."""
    path = directory / LOG
    try:
        lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return []
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None
    entries = []
    for number, line in enumerate(lines[:-1]):
        try:
            entry = json.loads(line)
        except ValueError:
            entry = None
        if not isinstance(entry, dict):
            raise UsageError(f"{path} is damaged in line {number + 1}")
        entries.append(entry)
    return entries


def read_config(directory: Path) -> dict[str, Any]:
    """The configuration of a run; empty if there is none."""
    try:
        config = json.loads((directory / CONFIG).read_bytes())
    except (OSError, ValueError):
        return {}
    return config if isinstance(config, dict) else {}


def networks_of(directory: Path) -> dict[int, Path]:
    """The networks that a run has kept, by step, the earliest first."""
    found = directory.glob("network-*.safetensors")
    numbered = ((path.stem.removeprefix("network-"), path) for path in found)
    return dict(sorted((int(text), path) for text, path in numbered if text.isdecimal()))


def network_of(directory: Path, step: int | None = None) -> Path:
    """The network that a run had after a step, or its newest."""
    networks = networks_of(directory)
    if not networks:
        raise UsageError(f"{directory} holds no network")
    if step is None:
        return list(networks.values())[-1]
    if step not in networks:
        steps = ", ".join(map(str, networks))
        raise UsageError(f"{directory} holds no network of step {step}; there are steps {steps}")
    return networks[step]


def _at(value: Any, path: tuple[str | int, ...]) -> Any:
    """The value at a path of keys and indices, None if the path does not exist."""
    for key in path:
        try:
            value = value[key]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return np.nan
    return float(value) if abs(value) < 1e300 else np.nan
