"""A search tree as a picture: SVG for viewing, or DOT for Graphviz."""

from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

from zerolab.errors import UsageError
from zerolab.games.base import Game
from zerolab.games.notation import format_move
from zerolab.search.analysis import Outline

BOX_WIDTH, BOX_HEIGHT = 92, 50
GAP_X, GAP_Y = 14, 46
MARGIN = 20


def check_path(path: Path) -> None:
    """Fail before the search, not after it."""
    if path.suffix not in (".svg", ".dot"):
        raise UsageError(f"'{path}' cannot be drawn; expected a name that ends in .svg or .dot")
    if not path.parent.is_dir():
        raise UsageError(f"there is no directory '{path.parent}'")


def write(path: Path, game: Game, outline: Outline) -> None:
    """Draw a tree to a file, in the format its name says."""
    path.write_text(to_svg(game, outline) if path.suffix == ".svg" else to_dot(game, outline))


def label(game: Game, node: Outline) -> list[str]:
    """The label of a node: the move, its visits, its value."""
    move = "root" if node.action < 0 else format_move(game, node.action)
    return [move, f"{node.visits:,} visits", f"{node.value:+.2f}{' proven' if node.proven else ''}"]


def to_dot(game: Game, outline: Outline) -> str:
    """The tree in the language of Graphviz."""
    lines = ["digraph search {", "  node [shape=box];"]

    def add(node: Outline, name: str) -> None:
        text = "\\n".join(label(game, node))
        lines.append(f'  {name} [label="{text}"{", penwidth=2" if node.proven else ""}];')
        for index, child in enumerate(node.children):
            lines.append(f"  {name} -> {name}_{index};")
            add(child, f"{name}_{index}")

    add(outline, "n")
    return "\n".join([*lines, "}"]) + "\n"


class Placed(NamedTuple):
    """A node and the middle of its box."""

    node: Outline
    x: float
    y: float
    children: "tuple[Placed, ...]"


def place(node: Outline, left: float, depth: int) -> tuple[Placed, float]:
    """Put leaves side by side and parents above the middle of their children."""
    y = MARGIN + BOX_HEIGHT / 2 + depth * (BOX_HEIGHT + GAP_Y)
    if not node.children:
        return Placed(node, left + BOX_WIDTH / 2, y, ()), left + BOX_WIDTH + GAP_X
    children = []
    for child in node.children:
        placed, left = place(child, left, depth + 1)
        children.append(placed)
    return Placed(node, (children[0].x + children[-1].x) / 2, y, tuple(children)), left


def to_svg(game: Game, outline: Outline) -> str:
    """The tree as a drawing: the wider a line the more visits, the redder a box the worse."""
    root, right = place(outline, MARGIN, 0)
    shapes: list[str] = []
    bottom = _draw(game, root, shapes)
    width, height = right - GAP_X + MARGIN, bottom + MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="sans-serif" font-size="12">\n'
        + '<rect width="100%" height="100%" fill="white"/>\n'
        + "\n".join(shapes)
        + "\n</svg>\n"
    )


def _draw(game: Game, placed: Placed, shapes: list[str]) -> float:
    """Draw a node above its children; return where the drawing ends."""
    node, x, y, children = placed
    bottom = y + BOX_HEIGHT / 2
    for child in children:
        thickness = 1 + 7 * child.node.visits / max(1, node.visits)
        shapes.append(
            f'<line x1="{x:.1f}" y1="{y + BOX_HEIGHT / 2:.1f}" x2="{child.x:.1f}" '
            f'y2="{child.y - BOX_HEIGHT / 2:.1f}" stroke="#888" stroke-width="{thickness:.1f}"/>'
        )
        bottom = max(bottom, _draw(game, child, shapes))
    hue = 60 * (1 + max(-1.0, min(1.0, node.value)))  # red is lost, green is won
    shapes.append(
        f'<rect x="{x - BOX_WIDTH / 2:.1f}" y="{y - BOX_HEIGHT / 2:.1f}" width="{BOX_WIDTH}" '
        f'height="{BOX_HEIGHT}" rx="6" fill="hsl({hue:.0f},70%,85%)" stroke="#333" '
        f'stroke-width="{3 if node.proven else 1}"/>'
    )
    for line, text in enumerate(label(game, node)):
        weight = ' font-weight="bold"' if line == 0 else ""
        shapes.append(
            f'<text x="{x:.1f}" y="{y - 11 + 15 * line:.1f}" text-anchor="middle"{weight}>'
            f"{escape(text)}</text>"
        )
    return bottom
