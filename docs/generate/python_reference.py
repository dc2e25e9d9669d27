"""The reference of `import zerolab as zl`, from signatures and docstrings."""

import functools
import inspect
import re
from collections.abc import Iterable, Iterator
from typing import Any

import zerolab as zl
from docs.generate.docstrings import field_docs, field_types, signature
from zerolab import api
from zerolab.evaluation.matches.compiled_games import MatchResult
from zerolab.solver.cgt.value import Value

FUNCTIONS = ("game", "position", "player", "solve", "value", "match", "train", "load")
RECORDS = (
    *(zl.Position, zl.Outcome),
    *(api.NamedPlayer, api.PositionAnalysis, api.MoveAnalysis),
    *(api.Solution, Value, MatchResult, api.TrainedRun),
)
"""What the functions return, in the order of the page."""

_HEAD = """# Python

```python
import zerolab as zl
```

All names of `zl`, and what its functions return; a `Board` is a game or its description, such as
`"clobber 5x5"`. [From Python](../python.md) shows them at work.
"""


def write_python_reference() -> str:
    """The page."""
    others = [getattr(zl, name) for name in zl.__all__ if name not in FUNCTIONS]
    return "\n".join(
        [
            _HEAD,
            "## Functions\n",
            *(_function(name, getattr(zl, name)) for name in FUNCTIONS),
            "## Games\n",
            "Each is a record, whose fields are the rules. `.start()` is the first position.\n",
            *(_game(record) for record in others if record not in RECORDS),
            "## What functions return\n",
            *(_record(record) for record in RECORDS),
        ]
    )


def _function(name: str, function: Any) -> str:
    code = signature(f"zl.{name}", function)
    return "\n".join([f"### {name}", "", "```python", code, "```", "", _text(function), ""])


def _game(record: Any) -> str:
    name = record.__name__
    code = signature(f"zl.{name}", record)
    head = [f"### {name}", "", "```python", code, "```", "", _text(record)]
    return "\n".join([*head, "", *_table(_fields(record)), ""])


def _record(record: Any) -> str:
    rows = [*_fields(record), *_members(record)]
    return "\n".join([f"### {record.__name__}", "", _text(record), "", *_table(rows), ""])


def _table(rows: Iterable[tuple[str, str]]) -> list[str]:
    texts = {name: text.replace("\n", " ").replace("|", "\\|") for name, text in rows}
    shown = [f"| `{name}` | {text} |" for name, text in texts.items()]
    return ["| name | meaning |", "| --- | --- |", *shown]


def _fields(record: Any) -> Iterator[tuple[str, str]]:
    kinds = field_types(record)
    for name, text in field_docs(record).items():
        if not name.startswith("_"):
            yield f".{name}", text or f"`{kinds[name]}`"


def _members(record: Any) -> Iterator[tuple[str, str]]:
    for name, member in vars(record).items():
        if name.startswith("_") or name in getattr(record, "_fields", ()):
            continue
        if isinstance(member, property | functools.cached_property):
            yield f".{name}", _text(member)
        elif inspect.isfunction(member) or isinstance(member, classmethod):
            yield f".{name}{_parameters(getattr(member, '__func__', member))}", _text(member)


def _parameters(function: Any) -> str:
    """Names and defaults, without types and without self."""
    _, *others = inspect.signature(function).parameters.values()
    shown = [each.replace(annotation=inspect.Parameter.empty) for each in others]
    return str(inspect.Signature(shown)).replace("'", '"')


def _text(described: Any) -> str:
    """The docstring, with its code as in Markdown."""
    return re.sub(r"``(.+?)``", r"`\1`", inspect.getdoc(described) or "")
