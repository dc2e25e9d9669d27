"""The slips that mutants are made of: most of cosmic-ray's operators, and two of our own.

Of cosmic-ray's replacements of one operator by another only near ones are taken: `<` for `<=`
needs a test that meets the bound, while `**` for `|` fails wherever it is run. Decorators are not
removed: without `@kernel` or `@cache` a function gives the same, only later.

A forgotten setting is the commonest fault of code that hands values on, and cosmic-ray has none
like it. So we also drop keyword arguments, and statements that are there for their effect.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from cosmic_ray.operators import (
    binary_operator_replacement,
    boolean_replacer,
    break_continue,
    comparison_operator_replacement,
    exception_replacer,
    number_replacer,
    unary_operator_replacement,
    zero_iteration_for_loop,
)
from cosmic_ray.operators.operator import Example, Operator
from parso.python.tree import Keyword

Position = tuple[tuple[int, int], tuple[int, int]]

# fmt: off
NEAR = (
    "Add_Sub", "Sub_Add", "Mul_Add", "Div_Mul", "FloorDiv_Mul", "Mod_FloorDiv", "Pow_Mul",
    "RShift_LShift", "LShift_RShift", "BitOr_BitAnd", "BitAnd_BitOr", "BitXor_BitOr", "Eq_NotEq",
    "NotEq_Eq", "Lt_LtE", "Lt_GtE", "LtE_Lt", "LtE_Gt", "Gt_GtE", "Gt_LtE", "GtE_Gt", "GtE_Lt",
    "Is_IsNot", "IsNot_Is", "Delete_Not", "Delete_USub", "Delete_Invert",
)
# fmt: on


class DropKeyword(Operator):  # type: ignore[misc]  # cosmic-ray has no types
    """Call a function without one of its keyword arguments."""

    def mutation_positions(self, node: Any) -> Iterator[Position]:
        """The arguments `name=value` of a call."""
        arguments = [node.children[index] for index in self._keywords(node)]
        for argument in arguments:  # a list of its own: the node changes while it is read
            yield argument.start_pos, argument.end_pos

    def mutate(self, node: Any, index: int) -> Any:
        """Remove one, and the comma that follows or goes before it."""
        at = self._keywords(node)[index]
        if node.type == "trailer":
            del node.children[at]
        else:
            first = at if at + 1 < len(node.children) else max(at - 1, 0)
            prefix = node.children[at].get_first_leaf().prefix
            del node.children[first : first + 2]
            if first == at and node.children[first:]:
                node.children[first].get_first_leaf().prefix = prefix
        return node

    def _keywords(self, node: Any) -> list[int]:
        called = node.type == "arglist" and node.parent.type == "trailer"
        if not called and node.type != "trailer":
            return []
        return [
            index
            for index, child in enumerate(node.children)
            if child.type == "argument" and child.children[1] == "="
        ]

    @classmethod
    def examples(cls) -> Sequence[Example]:
        """What it does."""
        return (
            Example("f(a, b=1)", "f(a)"),
            Example("f(b=1)", "f()"),
            Example("f(a, b=1, c=2)", "f(a, c=2)"),
            Example("f(a, b=1, c=2)", "f(a, b=1)", occurrence=1),
        )


class DropStatement(Operator):  # type: ignore[misc]  # cosmic-ray has no types
    """Put `pass` in the place of a call, or of an assignment that changes a value."""

    def mutation_positions(self, node: Any) -> Iterator[Position]:
        """Statements `f(x)` and `a += b`."""
        if node.type == "simple_stmt" and self._has_effect(node.children[0]):
            yield node.children[0].start_pos, node.children[0].end_pos

    def mutate(self, node: Any, index: int) -> Any:
        """Replace it."""
        statement = node.children[0]
        prefix = statement.get_first_leaf().prefix
        node.children[0] = Keyword("pass", statement.start_pos, prefix)
        return node

    def _has_effect(self, statement: Any) -> bool:
        if statement.type == "expr_stmt":
            return bool(statement.children[1].type == "operator" and statement.children[1] != "=")
        return bool(
            statement.type == "atom_expr"
            and statement.children[-1].type == "trailer"
            and statement.children[-1].children[0] == "("
        )

    @classmethod
    def examples(cls) -> Sequence[Example]:
        """What it does."""
        return (
            Example("f(a)\n", "pass\n"),
            Example("a.b(c)\n", "pass\n"),
            Example("a += b\n", "pass\n"),
        )


def _named(operators: Any) -> dict[str, Operator]:
    found = {operator.__name__: operator() for operator in operators}
    return {name: found[name] for name in sorted(found)}


OPERATORS: dict[str, Operator] = _named(
    [
        *(
            operator
            for module in (
                binary_operator_replacement,
                comparison_operator_replacement,
                unary_operator_replacement,
            )
            for operator in module.operators()
            if operator.__name__.split("_", 1)[1] in NEAR
        ),
        boolean_replacer.AddNot,
        boolean_replacer.ReplaceTrueWithFalse,
        boolean_replacer.ReplaceFalseWithTrue,
        boolean_replacer.ReplaceAndWithOr,
        boolean_replacer.ReplaceOrWithAnd,
        break_continue.ReplaceBreakWithContinue,
        break_continue.ReplaceContinueWithBreak,
        exception_replacer.ExceptionReplacer,
        number_replacer.NumberReplacer,
        zero_iteration_for_loop.ZeroIterationForLoop,
        DropKeyword,
        DropStatement,
    ]
)
