"""What Python does not keep of a source: docstrings of fields, signatures as they are written."""

import ast
import inspect
import textwrap
from typing import Any


def field_docs(record: type) -> dict[str, str]:
    """The docstrings of the annotated fields of a class: the strings below them."""
    body = _tree(record).body
    docs = {}
    for field, below in zip(body, [*body[1:], None], strict=True):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            is_text = isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
            text = str(below.value.value) if is_text else ""
            docs[field.target.id] = inspect.cleandoc(text)
    return docs


def field_types(record: type) -> dict[str, str]:
    """The types of these fields, as written, with their defaults."""
    return {
        ast.unparse(field.target): ast.unparse(field).partition(": ")[2]
        for field in _tree(record).body
        if isinstance(field, ast.AnnAssign)
    }


def signature(name: str, called: Any, width: int = 88) -> str:
    """The call of a function or of a record's class, as written; on several lines if it is long."""
    if isinstance(called, type):
        arguments = [f"{field}: {kind}" for field, kind in field_types(called).items()]
        end = ")"
    else:
        tree = _tree(called)
        arguments = _arguments(tree.args)
        end = f") -> {ast.unparse(tree.returns)}".replace("'", "")
    line = f"{name}({', '.join(arguments)}{end}"
    if len(line) <= width:
        return line
    return "\n".join([f"{name}(", *(f"    {argument}," for argument in arguments), end])


def _arguments(args: ast.arguments) -> list[str]:
    defaults = [None] * (len(args.args) - len(args.defaults)) + args.defaults
    positional = [_argument(*pair) for pair in zip(args.args, defaults, strict=True)]
    named = [_argument(*pair) for pair in zip(args.kwonlyargs, args.kw_defaults, strict=True)]
    rest = [f"**{_argument(args.kwarg, None)}"] if args.kwarg else []
    return [*positional, *(["*"] if named else []), *named, *rest]


def _argument(argument: ast.arg, default: ast.expr | None) -> str:
    text = ast.unparse(argument)
    return text if default is None else f"{text} = {ast.unparse(default)}".replace("'", '"')


def _tree(described: Any) -> Any:
    return ast.parse(textwrap.dedent(inspect.getsource(described))).body[0]
