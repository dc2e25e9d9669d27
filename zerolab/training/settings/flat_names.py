"""Settings in nested records with flat names.

A configuration consists of small records: `config.search.max_simulations`. In config.json and in
options its leaves have OpenSpiel's flat names, `max_simulations=50`; `search.max_simulations=50`
means the same. A name occurs once in a configuration, so it says which record is meant.
"""

import functools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Self, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from zerolab.errors import UsageError

Model = TypeVar("Model", bound=BaseModel)


class Leaves(NamedTuple):
    """Annotation of a record: which of its fields are settings; the others are fixed."""

    only: tuple[str, ...] | None = None
    without: tuple[str, ...] = ()

    def has(self, name: str) -> bool:
        """Whether a field is a setting."""
        return name not in self.without and (self.only is None or name in self.only)


class Settings(BaseModel):
    """A configuration, made from records, from flat names, or from both."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @classmethod
    def __pydantic_init_subclass__(cls, **arguments: Any) -> None:
        names = [name for name, _ in _leaves(cls)]
        assert len(set(names)) == len(names), f"a setting of {cls.__name__} occurs twice"
        assert not set(names) & set(_records(cls)), f"a record of {cls.__name__} is a setting"

    @model_validator(mode="before")
    @classmethod
    def _nest(cls, values: Any) -> Any:
        """Values by record, from any of their names; missing values are the defaults."""
        if not isinstance(values, Mapping):
            return values
        places, records = setting_places(cls), _records(cls)
        nested: dict[str, Any] = {}
        leaves: dict[str, Any] = {}
        for name, value in values.items():
            if name not in records:
                leaves[name] = value
            elif isinstance(value, Mapping):
                leaves |= {f"{name}.{leaf}": each for leaf, each in value.items()}
            else:
                _check_fixed(cls, name, value)
                nested[name] = value
        for name, value in leaves.items():
            place = places.get(name)
            if place is None:
                raise ValueError(f"'{name}' is not a setting; expected {', '.join(cls.names())}")
            record, leaf = place
            if record is None:
                nested[leaf] = value
                continue
            if not isinstance(nested.get(record), dict):
                nested[record] = dict(nested.get(record, records[record]))
            nested[record][leaf] = value
        return nested

    @classmethod
    def names(cls) -> list[str]:
        """The flat names of all settings."""
        return [name for name, _ in _leaves(cls)]

    def flat(self) -> dict[str, Any]:
        """All settings by their flat names."""
        return {
            leaf: getattr(self if record is None else getattr(self, record), leaf)
            for leaf, record in _leaves(type(self))
        }

    def changed(self, **settings: object) -> Self:
        """A copy in which some settings, given by their flat names, are changed."""
        return type(self).model_validate(self.flat() | settings)


def _records(kind: type[BaseModel]) -> dict[str, BaseModel]:
    """The default records of a configuration, by name."""
    defaults = {name: field.default for name, field in kind.model_fields.items()}
    return {name: each for name, each in defaults.items() if isinstance(each, BaseModel)}


def _leaves(kind: type[BaseModel]) -> Iterator[tuple[str, str | None]]:
    """Every setting, with the record that contains it, if any."""
    records = _records(kind)
    for name in kind.model_fields:
        if name not in records:
            yield name, None
            continue
        for leaf in type(records[name]).model_fields:
            if _chosen(kind, name).has(leaf):
                yield leaf, name


def _chosen(kind: type[BaseModel], record: str) -> Leaves:
    metadata = kind.model_fields[record].metadata
    return next((each for each in metadata if isinstance(each, Leaves)), Leaves())


def _check_fixed(kind: type[BaseModel], name: str, record: object) -> None:
    """A field that is not a setting would be lost in config.json, so it must have its default."""
    for leaf, value in _records(kind)[name]:
        if not _chosen(kind, name).has(leaf) and getattr(record, leaf, None) != value:
            raise ValueError(f"'{leaf}' is not a setting of {kind.__name__}")


@functools.cache
def setting_places(kind: type[Settings]) -> dict[str, tuple[str | None, str]]:
    """The record and the field of each setting, by its names, flat or with its record."""
    places: dict[str, tuple[str | None, str]] = {}
    for leaf, record in _leaves(kind):
        places[leaf] = record, leaf
        if record is not None:
            places[f"{record}.{leaf}"] = record, leaf
    return places


def parse_settings(kind: type[Model], values: Mapping[str, object]) -> Model:
    """A configuration from a file or from options; a UsageError names the first mistake."""
    try:
        return kind.model_validate(values)
    except ValidationError as error:
        raise UsageError(sentence(error)) from None


def sentence(error: ValidationError) -> str:
    """The first mistake in a configuration, as a sentence."""
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    message = first["msg"].removeprefix("Value error, ")
    return f"{where}: {message}" if where else message


def change_settings(defaults: Settings, texts: Sequence[str]) -> dict[str, object]:
    """All settings by name, changed by KEY=VALUE texts; `none` means no value."""
    places = setting_places(type(defaults))
    values: dict[str, object] = defaults.flat()
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or key not in places:
            raise UsageError(
                f"'{text}' is not a setting; expected KEY=VALUE with KEY one of "
                f"{', '.join(defaults.names())}"
            )
        values[places[key][1]] = None if value == "none" else value
    return values
