"""Training runs, begun and resumed from a form."""

import re
from typing import NamedTuple

from zerolab.errors import UsageError
from zerolab.games.catalogue import describe
from zerolab.interfaces.web.command_process import CommandProcess
from zerolab.interfaces.web.safety import Rules, check_length
from zerolab.training.runs.logs import CONFIG, read_config
from zerolab.training.runs.run_list import is_running
from zerolab.training.settings.presets import choose_settings

PRESETS = ("zerolab", "jans", "wang")
NAME = re.compile(r"\w[\w.-]{0,80}", re.ASCII)


class Order(NamedTuple):
    """A run that is to be trained, as a form has it."""

    game: str
    size: str
    options: str
    name: str
    preset: str
    minutes: str
    settings: dict[str, str]
    """Those that differ from the preset."""


def begin_training(rules: Rules, order: Order) -> CommandProcess:
    """Begin a run; UsageError, before anything is started, if the order cannot be followed."""
    game = rules.game(order.game, order.size, order.options)
    if order.preset not in PRESETS:
        raise UsageError(f"'{order.preset[:40]}' is not a preset; expected {', '.join(PRESETS)}")
    name = order.name.strip()
    if NAME.fullmatch(name) is None:
        raise UsageError("the name of a run has letters, digits, dots, hyphens and underscores")
    directory = rules.inside(name)
    if directory.exists():
        raise UsageError(f"there is a run '{name}' already; choose another name, or resume it")
    changes = [f"{key}={check_length(value, 200)}" for key, value in order.settings.items()]
    weights = choose_settings(order.preset, game, changes).network.nn_weights
    if weights is not None:
        changes.append(f"nn_weights={rules.inside(weights)}")
    words = describe(game).split(" ")
    arguments = [order.game, *_size(words), "--run", str(directory), "--preset", order.preset]
    arguments += ["--minutes", _minutes(order.minutes), "--games", "0"]
    if order.options.split():
        arguments += ["--options", *order.options.split()]
    if changes:
        arguments += ["--set", *changes]
    return CommandProcess(rules, name, ["train", *arguments])


def resume_training(rules: Rules, name: str, minutes: str) -> CommandProcess:
    """Continue a run until it has been trained for that long in total."""
    directory = rules.inside(name)
    config = read_config(directory)
    words = str(config.get("game") or "").split(" ")
    if not (directory / CONFIG).is_file() or not words[0]:
        raise UsageError(f"there is no run {name[:80]!a}")
    if is_running(directory):
        raise UsageError(f"'{name}' is being trained already")
    game = rules.game(words[0], words[1] if len(words) > 1 else "", " ".join(words[2:]))
    arguments = [words[0], *_size(describe(game).split(" ")), "--run", str(directory), "--resume"]
    arguments += ["--minutes", _minutes(minutes), "--games", "0"]
    if words[2:]:
        arguments += ["--options", *words[2:]]
    return CommandProcess(rules, name, ["train", *arguments])


def _size(words: list[str]) -> list[str]:
    return ["--size", words[1]] if len(words) > 1 and words[1][:1].isdigit() else []


def _minutes(text: str) -> str:
    try:
        minutes = float(text)
    except ValueError:
        minutes = 0.0
    if not 0 < minutes <= 60 * 24 * 7:
        raise UsageError(
            f"'{text[:40]}' minutes are not possible; expected more than 0, at most a week"
        )
    return str(minutes)
