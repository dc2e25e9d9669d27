"""Which compiled kernels stay as they are when a slip is made in a file.

A kernel holds code and constants of its own module, of the modules whose names that module imports
at its top, and of the rules that are bound to the generic names it calls. The kernels of all other
modules need not be compiled again. (Overloads stand beside the function that they are for.)
"""

import ast
import functools
from pathlib import Path

from tests.mutation.mutants import compiled_functions
from tests.mutation.nearest import Imports, module_of


class Kernels:
    """Who has a part in the kernels of whom, in one package."""

    def __init__(self, imports: Imports) -> None:
        self.root, self.package = imports.root, imports.package
        self.trees = {
            module: ast.parse(path.read_text("utf-8"))
            for module, path in imports.paths.items()
            if module.partition(".")[0] == self.package
        }
        self._users: dict[str, set[str]] = {module: set() for module in self.trees}
        for module, tree in self.trees.items():
            for imported in imports.named_in(tree.body) & self.trees.keys():
                self._users[imported].add(module)
        self._add_rules()

    def _add_rules(self) -> None:
        """Who calls a generic name imports the module that makes it: so that one uses the rules."""
        made: dict[str, set[str]] = {}
        bound: dict[str, set[str]] = {}
        for module, tree in self.trees.items():
            for function in compiled_functions(tree):
                for decorator in function.decorator_list:
                    if isinstance(decorator, ast.Name) and decorator.id == "generic":
                        made.setdefault(function.name, set()).add(module)
                    elif isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "rule":
                        texts = [
                            arg.value for arg in decorator.args if isinstance(arg, ast.Constant)
                        ]
                        name = str(texts[0]) if texts else function.name
                        bound.setdefault(name, set()).add(module)
        for name, modules in bound.items():
            for module in modules:
                self._users[module] |= made.get(name, set())

    def spoilt(self, path: str, line: int) -> set[str]:
        """The modules whose kernels may hold something else after a slip in that line."""
        module = module_of(Path(path))
        if self._is_plain(module, line):
            return set()
        return reached(self._users, module)

    def _is_plain(self, module: str, line: int) -> bool:
        """Whether a line stands in a function that is neither compiled nor run by an import."""
        tree = self.trees[module]
        compiled = {function.name for function in compiled_functions(tree)}
        nodes = [each for node in tree.body for each in _parts(node)]
        for node in nodes:
            if isinstance(node, ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or 0):
                return node.name not in compiled | self._run_by_imports
        return False

    @functools.cached_property
    def _of_kernels(self) -> set[str]:
        """The modules with compiled functions, and those they import."""
        compiling = {module for module, tree in self.trees.items() if any(compiled_functions(tree))}
        return {module for module in self.trees if compiling & reached(self._users, module)}

    @functools.cached_property
    def _run_by_imports(self) -> set[str]:
        """The names of functions that the top of a module of kernels uses, by way of others too.

        What they return may be a constant that kernels hold. A name stands for all that have it.
        """
        used: dict[str, set[str]] = {}
        found: set[str] = set()
        for module in self._of_kernels:
            tree = self.trees[module]
            for node in ast.walk(tree):
                if isinstance(node, ast.FunctionDef):
                    used.setdefault(node.name, set()).update(_names(node.body))
            found |= _names(_at_the_top(tree))
        return set().union(*(reached(used, name) for name in found))


def reached(edges: dict[str, set[str]], start: str) -> set[str]:
    """A node, and all that can be reached from it."""
    found, left = {start}, [start]
    while left:
        more = edges.get(left.pop(), set()) - found
        found |= more
        left += more
    return found


def _at_the_top(tree: ast.Module) -> list[ast.AST]:
    """What an import runs: all but the bodies of functions, and annotations."""
    found: list[ast.AST] = []
    for node in tree.body:
        for each in _parts(node):
            if isinstance(each, ast.FunctionDef):
                found += [*each.decorator_list, *each.args.defaults]
            elif isinstance(each, ast.AnnAssign):
                found += [each.value] if each.value else []
            else:
                found.append(each)
        if isinstance(node, ast.ClassDef):
            found += node.decorator_list
    return found


def _parts(node: ast.stmt) -> list[ast.stmt]:
    """The statements of a class, or a statement that stands by itself."""
    return node.body if isinstance(node, ast.ClassDef) else [node]


def _names(nodes: list[ast.stmt] | list[ast.AST]) -> set[str]:
    inside = [each for node in nodes for each in ast.walk(node)]
    return {each.id for each in inside if isinstance(each, ast.Name)} | {
        each.attr for each in inside if isinstance(each, ast.Attribute)
    }
