"""Mutants: a package with one slip each. Which there are, which are drawn, what they look like.

A mutant is named by what it changes, not by the number of its line, so it is found again when
other lines of its file have changed.
"""

import ast
import hashlib
import itertools
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code

from tests.mutation.operators import OPERATORS

Point = tuple[int, int]  # line from 1, column from 0
Span = tuple[Point, Point]

# How a figure or a table looks, not what it shows.
# fmt: off
LOOKS = {
    "alpha", "borderpad", "bbox_inches", "box", "capsize", "color", "colors", "dpi", "edgecolor",
    "elinewidth", "expand", "figsize", "fontsize", "framealpha", "frameon", "highlight", "indent",
    "justify", "labelpad", "layout", "linestyle", "linewidth", "loc", "lw", "markersize", "markup",
    "ms", "ncols", "no_wrap", "pad", "padding", "rotation", "s", "soft_wrap", "style",
    "textcoords", "title_style", "width_ratios", "zorder",
}
# fmt: on
_HARMLESS = {"encoding", "strict"}  # the same without them, but for faults elsewhere
_LOOKING = "interfaces"  # the folder where those names mean that
_DECORATORS = r"generic|jitable|kernel|overload|recursive|rule|subroutine|vectorised"


class Mutant(NamedTuple):
    """One slip in one file."""

    path: str  # from the root of the tree
    operator: str
    occurrence: int  # which of the operator's places in the file
    start: Point
    name: str  # ten hexadecimal digits, of the path and what is changed


def mutants_of(root: Path, path: str) -> list[Mutant]:
    """The mutants of a file, from its beginning to its end."""
    source = (root / path).read_text("utf-8")
    lines = source.splitlines()
    skipped = list(untouched(source, _LOOKING in Path(path).parts))
    compiled = list(_spans_of_compiled(source))
    seen: Counter[str] = Counter()
    found = []
    occurrences: Counter[str] = Counter()
    for node in ast_nodes(get_ast(source)):
        for operator_name, operator in OPERATORS.items():
            for index, (start, _) in enumerate(operator.mutation_positions(node)):
                occurrence = occurrences[operator_name]
                occurrences[operator_name] += 1
                if _within(start, skipped):
                    continue
                # Numba cannot tell the type of an empty list: this never compiles.
                if operator_name == "ZeroIterationForLoop" and _within(start, compiled):
                    continue
                line = lines[start[0] - 1]
                column = start[1] - (len(line) - len(line.lstrip()))
                key = f"{path}\n{operator_name}\n{line.strip()}\n{column}\n{index}"
                name = hashlib.sha256(f"{key}\n{seen[key]}".encode()).hexdigest()[:10]
                seen[key] += 1
                found.append(Mutant(path, operator_name, occurrence, start, name))
    return sorted(found, key=lambda mutant: (mutant.start, mutant.operator, mutant.occurrence))


def mutated(root: Path, mutant: Mutant) -> str:
    """The source of the file with the slip in it, or nothing where it changes nothing or is no
    Python."""
    source = (root / mutant.path).read_text("utf-8")
    try:
        changed = mutate_code(source, OPERATORS[mutant.operator], mutant.occurrence)
        if changed is None or ast.dump(ast.parse(changed)) == ast.dump(ast.parse(source)):
            return ""
        compile(changed, mutant.path, "exec")
    except (SyntaxError, AttributeError):  # cosmic-ray trips over `except module.Error`
        return ""
    return str(changed)


def change(before: str, after: str) -> tuple[str, str]:
    """The lines in which two sources differ, each without its indentation, in one line."""
    old, new = before.splitlines(), after.splitlines()
    while old and new and old[0] == new[0]:
        del old[0], new[0]
    while old and new and old[-1] == new[-1]:
        del old[-1], new[-1]
    return " ".join(map(str.strip, old)), " ".join(map(str.strip, new))


def sample(root: Path, paths: Sequence[str], count: int, seed: int) -> list[Mutant]:
    """Mutants spread evenly over files: as many stretches of equally many places, one from each.

    A place counts once, however many operators have something to change there.
    """
    places: dict[tuple[str, Point], list[Mutant]] = {}
    for path in sorted(paths):
        for mutant in mutants_of(root, path):
            places.setdefault((path, mutant.start), []).append(mutant)
    stretches = list(places.values())
    count = min(count, len(stretches))
    generator = random.Random(f"{seed} {sorted(paths)[:1]}")
    drawn: list[Mutant] = []
    for index in range(count):
        first, last = (len(stretches) * end // count for end in (index, index + 1))
        choices = [
            generator.choice(place)
            for place in generator.sample(stretches[first:last], last - first)
        ]
        drawn.extend(itertools.islice((each for each in choices if mutated(root, each)), 1))
    return drawn


def untouched(source: str, looks: bool = False) -> Iterator[Span]:
    """What no slip is made in, as it says nothing about what is computed."""
    tree = ast.parse(source)
    lines = source.splitlines()
    for node in ast.walk(tree):
        for part in _silent_parts(node, looks):
            yield _span(part, lines)
    for node in tree.body:
        if _is_name_of_type(node) or ast.unparse(node).startswith("if __name__"):
            yield _span(node, lines)


def _silent_parts(node: ast.AST, looks: bool) -> Iterator[ast.AST]:
    if isinstance(node, ast.arg | ast.AnnAssign) and node.annotation:
        yield node.annotation
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield from node.decorator_list
        if isinstance(node, ast.ClassDef):
            yield from node.keywords
        elif node.returns:
            yield node.returns
    elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
        yield from [*node.exc.args, *node.exc.keywords]  # the text of a message
    elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("isinstance", "issubclass"):
        yield from node.args[1:]
    elif isinstance(node, ast.Call) and ast.unparse(node.func) == "cast":
        yield from node.args[:1]
    elif isinstance(node, ast.keyword) and node.arg in (_HARMLESS | LOOKS if looks else _HARMLESS):
        yield node


def _is_name_of_type(node: ast.stmt) -> bool:
    """Type aliases, whose names are written like those of classes, and `__all__` and the like."""
    if not isinstance(node, ast.Assign | ast.AnnAssign):
        return False
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    names = [target.id.lstrip("_") for target in targets if isinstance(target, ast.Name)]
    return bool(names) and all(
        name.endswith("__") or (name[:1].isupper() and (len(name) == 1 or not name.isupper()))
        for name in names
    )


def compiled_functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """The functions at the top of a module that Numba compiles."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                called = decorator.func if isinstance(decorator, ast.Call) else decorator
                if re.fullmatch(_DECORATORS, ast.unparse(called)):
                    yield node
                    break


def _spans_of_compiled(source: str) -> Iterator[Span]:
    lines = source.splitlines()
    return (_span(node, lines) for node in compiled_functions(ast.parse(source)))


def _span(node: Any, lines: list[str]) -> Span:
    """Where a node stands, in characters: `ast` counts bytes."""
    ends = ((node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset))
    first, last = ((line, len(lines[line - 1].encode()[:at].decode())) for line, at in ends)
    return first, last


def _within(point: Point, spans: list[Span]) -> bool:
    return any(first <= point < last for first, last in spans)
