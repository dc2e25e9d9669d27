"""Which tests meet a module, the nearest first, by who imports whom."""

import ast
import functools
import re
from collections.abc import Sequence
from pathlib import Path

TESTS = "tests"
FAR = 10  # test files that are run though they neither name a module nor stand beside its tests
_OWN = {"mutation", "test_mutation.py"}  # speak of modules that they do not test
_RUN = re.compile(r"-m\W+(\w+)")  # as in "python -m zerolab"


class Imports:
    """The modules of a tree and whom each imports, anywhere in its file or in a text it holds."""

    def __init__(self, root: Path, package: str) -> None:
        self.root, self.package = root, package
        self.paths = {
            module_of(path.relative_to(root)): path
            for folder in (package, TESTS)
            for path in sorted((root / folder).rglob("*.py"))
            if not _OWN & set(path.relative_to(root).parts)
        }
        self.imported = {module: self._imported(module) for module in self.paths}

    def _imported(self, module: str) -> set[str]:
        text = self.paths[module].read_text("utf-8")
        names = set(re.findall(rf"\b(?:{self.package}|{TESTS})(?:\.\w+)*", text))
        names |= {f"{name}.__main__" for name in _RUN.findall(text)}
        found = {self._longest(name) for name in names}
        return (found | self.named_in(list(ast.walk(ast.parse(text))))) - {module, ""}

    def named_in(self, nodes: Sequence[ast.AST]) -> set[str]:
        """The modules that some statements import, or import something from."""
        names: set[str] = set()
        for node in nodes:
            if isinstance(node, ast.ImportFrom) and node.module:
                names |= {f"{node.module}.{alias.name}" for alias in node.names}
            elif isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
        return {self._longest(name) for name in names} - {""}

    def _longest(self, name: str) -> str:
        """The module that a dotted name begins with: the rest is something in it."""
        while name and name not in self.paths:
            name = name.rpartition(".")[0]
        return name

    @functools.cached_property
    def importers(self) -> dict[str, set[str]]:
        """Who imports each module."""
        found: dict[str, set[str]] = {module: set() for module in self.paths}
        for module, imported in self.imported.items():
            for each in imported:
                found[each].add(module)
        return found

    def distances(self, path: str) -> dict[str, int]:
        """How many imports away each module is that depends on a file."""
        found = {module_of(Path(path)): 0}
        edge = list(found)
        while edge:
            module = edge.pop(0)
            for importer in sorted(self.importers[module] - found.keys()):
                found[importer] = found[module] + 1
                edge.append(importer)
        return found

    def stages(self, path: str) -> list[list[str]]:
        """The test files that meet a file, in the order to run them.

        First the one named after it, then those that import it, then those of its folder, then
        some of the rest; within a stage by distance, those of its folder first.
        """
        inside = Path(path).relative_to(self.package)
        folder = Path(TESTS) / inside.parent
        own = folder / f"test_{inside.name}"
        stages: list[list[str]] = [[], [], [], []]
        met = [
            (distance, self.paths[module].relative_to(self.root))
            for module, distance in self.distances(path).items()
        ]
        for distance, test in sorted(met, key=lambda pair: (pair[0], pair[1].parent != folder)):
            if test.parts[0] != TESTS or not test.name.startswith("test_"):
                continue
            stage = 0 if test == own else 1 if distance == 1 else 2 if test.parent == folder else 3
            stages[stage].append(test.as_posix())
        stages[3] = stages[3][:FAR]
        return [stage for stage in stages if stage]


def module_of(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
