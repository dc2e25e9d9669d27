"""What each setting means: the docstrings below the fields, which also give the papers' values."""

import ast
import functools
import inspect
import textwrap

from pydantic import BaseModel

from zerolab.training.settings.flat_names import Settings, setting_places


@functools.cache
def setting_docs(kind: type[Settings]) -> dict[str, str]:
    """What each setting of a configuration means, by its flat name; empty if it does not say."""
    docs = {}
    for name in kind.names():
        record, leaf = setting_places(kind)[name]
        owner = kind if record is None else type(kind.model_fields[record].default)
        docs[name] = next(
            (
                found[leaf]
                for each in owner.__mro__
                if issubclass(each, BaseModel) and leaf in (found := _field_docs(each))
            ),
            "",
        )
    return docs


@functools.cache
def _field_docs(kind: type[BaseModel]) -> dict[str, str]:
    """The strings that follow the fields of a class in its source."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(kind)))
    except (OSError, TypeError):  # a class without a file, or of pydantic itself
        return {}
    body = tree.body[0]
    assert isinstance(body, ast.ClassDef)
    docs = {}
    for field, after in zip(body.body, body.body[1:], strict=False):
        is_text = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and is_text:
            assert isinstance(after, ast.Expr)
            assert isinstance(after.value, ast.Constant)
            docs[field.target.id] = " ".join(str(after.value.value).split())
    return docs
