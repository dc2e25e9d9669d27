"""What a sweep varies: settings over values, over a range, or by named variants."""

import itertools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from zerolab.errors import UsageError
from zerolab.training.settings.flat_names import change_settings, parse_settings, setting_places
from zerolab.training.settings.loops import RunConfig

if TYPE_CHECKING:
    from optuna import Trial

Parameters = dict[str, Any]
"""What Optuna knows a trial by: a value for each axis."""

MOST_PLANNED = 10_000  # trials of a grid
DECADES = 50.0  # a range whose ends differ by this factor is searched by orders of magnitude


class Values(NamedTuple):
    """A setting over some values."""

    name: str
    values: tuple[Any, ...]

    def suggest(self, trial: "Trial") -> Any:
        """What the trial has for it."""
        return trial.suggest_categorical(self.name, self.values)

    def settings(self, value: Any) -> Parameters:
        """The settings that a value stands for."""
        return {self.name: value}


class Range(NamedTuple):
    """A setting between two numbers, both included."""

    name: str
    low: float
    high: float

    @property
    def is_whole(self) -> bool:
        """Whether all its values are whole numbers."""
        return isinstance(self.low, int) and isinstance(self.high, int)

    @property
    def is_logarithmic(self) -> bool:
        """Whether it spans orders of magnitude."""
        return self.low > 0 and self.high >= DECADES * self.low

    def suggest(self, trial: "Trial") -> float:
        """What the trial has for it."""
        if self.is_whole:
            ends = int(self.low), int(self.high)
            return trial.suggest_int(self.name, *ends, log=self.is_logarithmic)
        return trial.suggest_float(self.name, self.low, self.high, log=self.is_logarithmic)

    def settings(self, value: Any) -> Parameters:
        """The settings that a value stands for."""
        return {self.name: value}


class Variants(NamedTuple):
    """Named changes of several settings at once."""

    name: str
    changes: Mapping[str, Parameters]

    @property
    def values(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(self.changes)

    def suggest(self, trial: "Trial") -> str:
        """What the trial has for it."""
        return str(trial.suggest_categorical(self.name, self.values))

    def settings(self, value: Any) -> Parameters:
        """The settings that a value stands for."""
        return dict(self.changes[value])


Axis = Values | Range | Variants


def parse_axes(base: RunConfig, texts: Sequence[str]) -> tuple[Axis, ...]:
    """Axes from texts such as ``max_simulations=25,100,200`` and ``uct_c=0.5..2.0``."""
    axes = tuple(_parse(base, text) for text in texts)
    names = [axis.name for axis in axes]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"'{name}' is varied twice; expected each setting once")
    return axes


def _parse(base: RunConfig, text: str) -> Axis:
    key, equals, values = text.partition("=")
    places = setting_places(type(base))
    if not equals or not values or key not in places:
        raise UsageError(
            f"'{text}' cannot be varied; expected KEY=VALUE,VALUE,... or KEY=LOW..HIGH with KEY "
            f"one of {', '.join(base.names())}"
        )
    name = places[key][1]
    if ".." in values:
        low, _, high = values.partition("..")
        ends = _value(base, name, low), _value(base, name, high)
        numbers = [end for end in ends if isinstance(end, int | float) and type(end) is not bool]
        if len(numbers) < 2 or numbers[0] >= numbers[1]:
            raise UsageError(f"'{text}' is not a range; expected KEY=LOW..HIGH, the low end first")
        return Range(name, *numbers)
    found = tuple(_value(base, name, value) for value in values.split(","))
    if len(set(found)) < len(found):
        raise UsageError(f"'{text}' has a value twice")
    return Values(name, found)


def _value(base: RunConfig, name: str, text: str) -> Any:
    """A value as the settings have it; a UsageError says what is allowed."""
    changed = parse_settings(type(base), change_settings(base, [f"{name}={text}"]))
    return changed.flat()[name]


def settings_of(axes: Sequence[Axis], parameters: Parameters) -> Parameters:
    """The settings that the parameters of a trial stand for."""
    changes: Parameters = {}
    for axis in axes:
        changes |= axis.settings(parameters[axis.name])
    return changes


def grid(axes: Sequence[Axis]) -> list[Parameters]:
    """All combinations of values, the last axis changing fastest."""
    columns = [_values_of(axis) for axis in axes]
    count = 1
    for column in columns:
        count *= len(column)
    if count > MOST_PLANNED:
        raise UsageError(f"a grid of {count:,} trials is too large; at most {MOST_PLANNED:,}")
    names = [axis.name for axis in axes]
    return [dict(zip(names, row, strict=True)) for row in itertools.product(*columns)]


def one_at_a_time(axes: Sequence[Axis], base: RunConfig) -> list[Parameters]:
    """The base settings, then each other value of each axis with the rest as in the base."""
    known = base.flat()
    for axis in axes:
        if known.get(axis.name) not in _values_of(axis):
            raise UsageError(
                f"one at a time needs the default among the values: {axis.name} is "
                f"{known.get(axis.name)}"
            )
    default = {axis.name: known[axis.name] for axis in axes}
    others = [
        default | {axis.name: value}
        for axis in axes
        for value in _values_of(axis)
        if value != known[axis.name]
    ]
    return [default, *others]


def _values_of(axis: Axis) -> Sequence[Any]:
    if isinstance(axis, Range):
        raise UsageError(
            f"{axis.name} has a range; a list of all trials needs values, such as "
            f"{axis.name}={axis.low},{axis.high}"
        )
    return axis.values
