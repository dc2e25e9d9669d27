"""The reference of the commands, from their signatures and docstrings."""

import dataclasses
import inspect
import re
import typing
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple

import docstring_parser
import tyro

from docs.generate.docstrings import field_docs
from zerolab.interfaces.cli import COMMANDS

_EXAMPLES = re.compile(r"Examples?[^:]*: (.*)", re.DOTALL)
_NONE = type(None)
_HEAD = """# Commands

All commands of `zerolab`; `zerolab COMMAND --help` prints the same. Where a command has `--json`,
it prints one JSON object on standard output and nothing else there.
"""


class Option(NamedTuple):
    """An argument of a command."""

    name: str
    metavar: str
    is_positional: bool
    default: Any
    help: str


def write_command_reference() -> str:
    """The page."""
    return "\n".join([_HEAD, *(_section(name, command) for name, command in COMMANDS.items())])


def options_of(command: Callable[..., None]) -> Iterator[Option]:
    """The arguments of a command; those of a record that it takes count as its own."""
    docs = {each.arg_name: each.description or "" for each in _docstring(command).params}
    hints = typing.get_type_hints(command, include_extras=True)
    for name, parameter in inspect.signature(command).parameters.items():
        if dataclasses.is_dataclass(hints[name]):
            yield from _fields(hints[name])
        else:
            yield _option(name, hints[name], parameter.default, docs[name])


def _fields(record: Any) -> Iterator[Option]:
    hints = typing.get_type_hints(record, include_extras=True)
    docs = field_docs(record)
    for field in dataclasses.fields(record):
        default = inspect.Parameter.empty if field.default is dataclasses.MISSING else field.default
        yield _option(field.name, hints[field.name], default, docs[field.name])


def _option(name: str, hint: Any, default: Any, text: str) -> Option:
    inner, marks = _unwrap(hint)
    metavars = [mark.metavar for mark in marks if getattr(mark, "metavar", None)]
    is_positional = tyro.conf.Positional[int].__metadata__[0] in marks  # type: ignore[attr-defined]
    metavar = metavars[-1] if metavars else _metavar(inner)
    flag = name.upper() if is_positional else "--" + name.replace("_", "-")
    return Option(flag, metavar, is_positional, default, " ".join(text.split()))


def _unwrap(hint: Any) -> tuple[Any, list[Any]]:
    """A type without its annotations and without None; and these annotations, inner ones first."""
    marks: list[Any] = []
    while True:
        if hasattr(hint, "__metadata__"):
            marks = [*hint.__metadata__, *marks]
            hint = hint.__origin__
            continue
        kinds = [kind for kind in typing.get_args(hint) if kind is not _NONE]
        is_optional = _NONE in typing.get_args(hint) and len(kinds) == 1
        is_sequence = typing.get_origin(hint) in (list, tuple) and kinds[1:] in ([], [...])
        if not is_optional and not is_sequence:
            return hint, marks
        hint = kinds[0]


def _metavar(kind: Any) -> str:
    if typing.get_origin(kind) is Literal:
        return f"{{{','.join(map(str, typing.get_args(kind)))}}}"
    return {bool: "", int: "INT", float: "FLOAT", str: "STR", Path: "PATH"}.get(kind, "VALUE")


def _docstring(command: Callable[..., None]) -> docstring_parser.Docstring:
    return docstring_parser.parse(inspect.getdoc(command) or "", docstring_parser.Style.GOOGLE)


def _section(name: str, command: Callable[..., None]) -> str:
    text = _docstring(command)
    options = list(options_of(command))
    words = [option.metavar or option.name for option in options if option.is_positional]
    needed = [
        f"{option.name} {option.metavar}"
        for option in options
        if not option.is_positional and option.default is inspect.Parameter.empty
    ]
    usage = " ".join(["zerolab", name, *words, *needed, "[OPTIONS]"])
    lines = [f"## {name}", "", text.short_description or "", "", "```text", usage, "```", ""]
    for paragraph in (text.long_description or "").split("\n\n"):
        if examples := _EXAMPLES.match(paragraph.strip()):
            commands = [" ".join(each.split()) for each in examples[1].split(";")]
            shown = [f"$ {each.removeprefix('then ')}" for each in commands]
            lines += ["```console", *shown, "```", ""]
        elif paragraph.strip():
            lines += [" ".join(paragraph.split()), ""]
    lines += ["| argument | meaning | default |", "| --- | --- | --- |"]
    lines += [_row(option) for option in options]
    return "\n".join([*lines, ""])


def _row(option: Option) -> str:
    shown = option.metavar if option.is_positional else f"{option.name} {option.metavar}".strip()
    default = option.default
    if default is inspect.Parameter.empty:
        value = "must be given"
    elif default in (None, False, ()):
        value = ""
    elif isinstance(default, tuple):
        value = f"`{' '.join(map(str, default))}`"
    else:
        value = f"`{default}`"
    cells = (f"`{shown}`", option.help, value)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
