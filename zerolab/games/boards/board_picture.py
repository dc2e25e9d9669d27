"""A board as a picture: SVG, for notebooks and pages. It draws the stones of any game.

An `Overlay` adds what somebody thinks of a position: arrows for moves, colours and texts of cells.
A page that takes clicks finds the cells with `lay_out`.
"""

import math
from collections.abc import Mapping
from typing import NamedTuple
from xml.sax.saxutils import escape

from zerolab.games.base import BLACK, Game, State, shape
from zerolab.games.boards.stones import EMPTY, has_lines, picture_text, stone_at
from zerolab.games.notation import Arcs, Columns, Point, action_space

CELL, MARGIN, EDGE = 40, 22, 6  # pixels; coordinates stand in the margin, left and below
FILLS = {BLACK: "#222222", 1 - BLACK: "#fdfdfd"}
SQUARES = ("#e9d3ab", "#dfc191")
LINES = "#7a6a4f"
MARKED = "#e4572e"  # the last move
ADVICE = "#0072B2"  # moves that somebody proposes
FONT = 'font-family="sans-serif" font-size="11" fill="#777777" text-anchor="middle"'
SMALL = 'font-family="sans-serif" font-size="8.5" font-weight="bold" text-anchor="middle"'

Place = tuple[float, float]


class Arrow(NamedTuple):
    """A move that is drawn over the stones; a circle where it has one cell only."""

    action: int
    weight: float
    """From 0 to 1: how wide."""
    label: str = ""
    colour: str = ADVICE


class Overlay(NamedTuple):
    """What is drawn over a position."""

    arrows: tuple[Arrow, ...] = ()
    tints: Mapping[int, str] = {}
    """Colours of cells."""
    texts: Mapping[int, str] = {}
    """Short texts in the corners of cells."""


NOTHING = Overlay()


class Layout(NamedTuple):
    """Where the cells of a picture are."""

    width: float
    height: float
    places: tuple[Place, ...]
    """The middle of each cell, or vertex."""


def lay_out(game: Game) -> Layout:
    """The size of the picture and the places of its cells; a graph is a ring."""
    rows, cols = shape(game)
    if not isinstance(action_space(game), Arcs):
        places = tuple((_x(col), _y(row)) for row in range(rows) for col in range(cols))
        around = MARGIN + EDGE
        return Layout(around + cols * CELL, around + rows * CELL, places)
    radius = max(CELL, cols * CELL / 4)
    centre = radius + CELL
    turns = [2 * math.pi * vertex / cols - math.pi / 2 for vertex in range(cols)]
    ring = tuple(
        (centre + radius * math.cos(turn), centre + radius * math.sin(turn)) for turn in turns
    )
    return Layout(2 * centre, 2 * centre, ring)


def draw_svg(game: Game, state: State, last: int | None = None, overlay: Overlay = NOTHING) -> str:
    """The board with its coordinates; the move `last` is marked. A graph is drawn as a ring."""
    if picture_text(game, state):
        return _draw_text(picture_text(game, state))
    space, layout = action_space(game), lay_out(game)
    rows, cols = shape(game)
    if isinstance(space, Arcs):
        parts = [
            _line(layout.places[one], layout.places[other], "#999999") for one, other in space.edges
        ]
    else:
        parts = _lines(rows, cols) if has_lines(game) else _squares(rows, cols)
    for cell, colour in overlay.tints.items():
        parts.append(_tint(layout.places[cell], colour))
    parts += _stones(game, state, layout)
    parts += _coordinates(game, layout)
    if last is not None:
        parts += _marks(_places(game, layout, last))
    for cell, text in overlay.texts.items():
        parts.append(_badge(layout.places[cell], text))
    # The widest below, so that no arrow hides another; labels above all of them.
    arrows = sorted(overlay.arrows, key=lambda arrow: -arrow.weight)
    parts += [_arrow(_places(game, layout, each.action), each) for each in arrows]
    parts += [_label(_places(game, layout, each.action), each) for each in arrows if each.label]
    return _page(layout.width, layout.height, parts)


def _draw_text(text: str) -> str:
    lines = text.rstrip().split("\n")
    look = 'font-family="monospace" font-size="14" fill="#222222" xml:space="preserve"'
    width, height = 9 * max(map(len, lines)), 18 * len(lines)
    parts = [
        f'<text x="{MARGIN}" y="{MARGIN + 18 * row}" {look}>{escape(line)}</text>'
        for row, line in enumerate(lines)
    ]
    return _page(width + 2 * MARGIN, height + 2 * MARGIN, parts)


def _places(game: Game, layout: Layout, action: int) -> list[Place]:
    """Where the points of a move are; those that are not on the board have no place."""
    rows, cols = shape(game)
    points = [point for point in action_space(game).points(action) if _is_inside(point, rows, cols)]
    return [layout.places[row * cols + col] for row, col in points]


def _stones(game: Game, state: State, layout: Layout) -> list[str]:
    is_graph = isinstance(action_space(game), Arcs)
    parts = []
    for cell, (x, y) in enumerate(layout.places):
        stone = stone_at(game, state, cell)
        if stone != EMPTY:
            parts.append(_disc(x, y, stone))
        elif is_graph:
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="#999999"/>')
    return parts


def _coordinates(game: Game, layout: Layout) -> list[str]:
    """Rows and columns at the edge; beside each vertex of a graph its number."""
    space = action_space(game)
    rows, cols = shape(game)
    if isinstance(space, Arcs):
        return [
            _text(str(vertex), x, y - CELL * 0.5) for vertex, (x, y) in enumerate(layout.places)
        ]
    numbers = [_text(str(rows - row), MARGIN / 2, _y(row) + 4) for row in range(rows)]
    if isinstance(space, Columns):
        numbers = []  # a move is the letter of a column alone
    return numbers + [
        _text(letter, _x(col), layout.height - MARGIN / 2 + 5)
        for col, letter in enumerate(space.letters[:cols])
    ]


def _squares(rows: int, cols: int) -> list[str]:
    """Squares in two colours, as on a board for chess."""
    return [
        _rectangle(col, row, 1, 1, SQUARES[(row + col) % 2])
        for row in range(rows)
        for col in range(cols)
    ]


def _lines(rows: int, cols: int) -> list[str]:
    """Lines on which stones stand where they cross."""
    left, right = _x(0), _x(cols - 1)
    top, bottom = _y(0), _y(rows - 1)
    return [
        _rectangle(0, 0, cols, rows, SQUARES[0]),
        *(_line((left, y), (right, y), LINES, 1) for y in map(_y, range(rows))),
        *(_line((x, top), (x, bottom), LINES, 1) for x in map(_x, range(cols))),
    ]


def _x(col: int) -> float:
    return MARGIN + (col + 0.5) * CELL


def _y(row: int) -> float:
    return EDGE + (row + 0.5) * CELL


def _is_inside(point: Point, rows: int, cols: int) -> bool:
    return 0 <= point[0] < rows and 0 <= point[1] < cols


def _disc(x: float, y: float, stone: int) -> str:
    look = f'fill="{FILLS[stone]}" stroke="#222222" stroke-width="1.5"'
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{CELL * 0.38:.1f}" {look}/>'


def _tint(place: Place, colour: str) -> str:
    at = f'x="{place[0] - CELL / 2:.1f}" y="{place[1] - CELL / 2:.1f}"'
    return f'<rect {at} width="{CELL}" height="{CELL}" fill="{colour}" fill-opacity="0.75"/>'


def _badge(place: Place, text: str) -> str:
    """A text in the lower right corner of a cell."""
    x, y = place[0] + CELL * 0.2, place[1] + CELL * 0.46
    look = f'{SMALL} fill="#111111" stroke="#ffffff" stroke-width="3" paint-order="stroke"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {look}>{escape(text)}</text>'


def _arrow(places: list[Place], arrow: Arrow) -> str:
    if not places:
        return ""
    look = f'stroke="{arrow.colour}" stroke-opacity="{0.35 + 0.55 * arrow.weight:.2f}"'
    (x, y), (to_x, to_y) = places[0], places[-1]
    if len(places) == 1:
        width = 2 + 5 * arrow.weight
        radius = CELL * 0.42 - width / 2
        return (
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{arrow.colour}" '
            f'fill-opacity="{0.1 + 0.3 * arrow.weight:.2f}" {look} stroke-width="{width:.1f}"/>'
        )
    width = 3 + 7 * arrow.weight
    length = math.hypot(to_x - x, to_y - y)
    across, down = (to_x - x) / length, (to_y - y) / length
    head = 7 + 0.9 * width
    end = to_x - across * head * 0.6, to_y - down * head * 0.6
    wings = [
        (end[0] + side * down * head * 0.62, end[1] - side * across * head * 0.62)
        for side in (1, -1)
    ]
    tip = to_x + across * head * 0.4, to_y + down * head * 0.4
    corners = " ".join(f"{px:.1f},{py:.1f}" for px, py in (tip, *wings))
    fill = f'fill="{arrow.colour}" fill-opacity="{0.35 + 0.55 * arrow.weight:.2f}"'
    return (
        f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}" {look} '
        f'stroke-width="{width:.1f}"/><polygon points="{corners}" {fill}/>'
    )


def _label(places: list[Place], arrow: Arrow) -> str:
    """The text of a move: in its circle, or half-way along its arrow."""
    if not places:
        return ""
    x = sum(place[0] for place in places) / len(places)
    y = sum(place[1] for place in places) / len(places) + 3
    width = 5 * len(arrow.label) + 5
    box = f'x="{x - width / 2:.1f}" y="{y - 8.5:.1f}" width="{width:.1f}" height="11" rx="3.5"'
    return (
        f'<rect {box} fill="#ffffff" fill-opacity="0.9" stroke="{arrow.colour}"/>'
        f'<text x="{x:.1f}" y="{y:.1f}" {SMALL} fill="#111111">{escape(arrow.label)}</text>'
    )


def _marks(places: list[Place]) -> list[str]:
    """A dot where the move ended, and a line from where it began."""
    if not places:
        return []
    x, y = places[-1]
    dot = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{MARKED}"/>'
    return [*([_line(places[0], places[-1], MARKED)] if len(places) > 1 else []), dot]


def _rectangle(col: int, row: int, cols: int, rows: int, colour: str) -> str:
    place = f'x="{MARGIN + col * CELL}" y="{EDGE + row * CELL}"'
    return f'<rect {place} width="{cols * CELL}" height="{rows * CELL}" fill="{colour}"/>'


def _line(one: Place, other: Place, colour: str, width: int = 3) -> str:
    ends = f'x1="{one[0]:.1f}" y1="{one[1]:.1f}" x2="{other[0]:.1f}" y2="{other[1]:.1f}"'
    return f'<line {ends} stroke="{colour}" stroke-width="{width}"/>'


def _text(text: str, x: float, y: float) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" {FONT}>{text}</text>'


def _page(width: float, height: float, parts: list[str]) -> str:
    size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(parts)}</svg>'
