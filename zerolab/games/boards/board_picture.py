"""A board as a picture: SVG, for notebooks and pages. It draws the stones of any game."""

import math

from zerolab.games.base import BLACK, Game, State, shape
from zerolab.games.boards.stones import EMPTY, has_lines, stone_at
from zerolab.games.notation import Arcs, Point, action_space

CELL, MARGIN = 40, 22  # pixels
FILLS = {BLACK: "#222222", 1 - BLACK: "#fdfdfd"}
SQUARES = ("#e9d3ab", "#dfc191")
LINES = "#7a6a4f"
MARKED = "#e4572e"  # the last move
FONT = 'font-family="sans-serif" font-size="13" fill="#666666" text-anchor="middle"'


def draw_svg(game: Game, state: State, last: int | None = None) -> str:
    """The board with its coordinates; the move `last` is marked. A graph is drawn as a ring."""
    space = action_space(game)
    if isinstance(space, Arcs):
        return _draw_graph(game, state, space, last)
    rows, cols = shape(game)
    width, height = 2 * MARGIN + cols * CELL, 2 * MARGIN + rows * CELL
    parts = _lines(rows, cols) if has_lines(game) else _squares(rows, cols)
    for row in range(rows):
        parts.append(_text(str(rows - row), MARGIN / 2, _middle(row) + 5))
        for col in range(cols):
            stone = stone_at(game, state, row * cols + col)
            if stone != EMPTY:
                parts.append(_disc(_middle(col), _middle(row), stone))
    for col, letter in enumerate(space.letters[:cols]):
        parts.append(_text(letter, _middle(col), height - MARGIN / 2 + 5))
    if last is not None:
        points = [point for point in space.points(last) if _is_inside(point, rows, cols)]
        parts += _marks([(_middle(col), _middle(row)) for row, col in points])
    return _page(width, height, parts)


def _squares(rows: int, cols: int) -> list[str]:
    """Squares in two colours, as on a board for chess."""
    return [
        _rectangle(col, row, 1, 1, SQUARES[(row + col) % 2])
        for row in range(rows)
        for col in range(cols)
    ]


def _lines(rows: int, cols: int) -> list[str]:
    """Lines on which stones stand where they cross."""
    left, right = _middle(0), _middle(cols - 1)
    top, bottom = _middle(0), _middle(rows - 1)
    return [
        _rectangle(0, 0, cols, rows, SQUARES[0]),
        *(_line((left, y), (right, y), LINES, 1) for y in map(_middle, range(rows))),
        *(_line((x, top), (x, bottom), LINES, 1) for x in map(_middle, range(cols))),
    ]


def _draw_graph(game: Game, state: State, space: Arcs, last: int | None) -> str:
    _, count = shape(game)
    radius = max(CELL, count * CELL / 4)
    centre = radius + CELL
    turns = [2 * math.pi * vertex / count - math.pi / 2 for vertex in range(count)]
    places = [
        (centre + radius * math.cos(turn), centre + radius * math.sin(turn)) for turn in turns
    ]
    parts = [_line(places[one], places[other], "#999999") for one, other in space.edges]
    for vertex, (x, y) in enumerate(places):
        stone = stone_at(game, state, vertex)
        if stone == EMPTY:
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="#999999"/>')
        else:
            parts.append(_disc(x, y, stone))
        parts.append(_text(str(vertex), x, y - CELL * 0.5))
    if last is not None:
        parts += _marks([places[vertex] for _, vertex in space.points(last)])
    return _page(2 * centre, 2 * centre, parts)


def _middle(index: int) -> float:
    return MARGIN + (index + 0.5) * CELL


def _is_inside(point: Point, rows: int, cols: int) -> bool:
    return 0 <= point[0] < rows and 0 <= point[1] < cols


def _disc(x: float, y: float, stone: int) -> str:
    look = f'fill="{FILLS[stone]}" stroke="#222222" stroke-width="1.5"'
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{CELL * 0.38:.1f}" {look}/>'


def _marks(places: list[tuple[float, float]]) -> list[str]:
    """A dot where the move ended, and a line from where it began."""
    if not places:
        return []
    x, y = places[-1]
    dot = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{MARKED}"/>'
    return [*([_line(places[0], places[-1], MARKED)] if len(places) > 1 else []), dot]


def _rectangle(col: int, row: int, cols: int, rows: int, colour: str) -> str:
    place = f'x="{MARGIN + col * CELL}" y="{MARGIN + row * CELL}"'
    return f'<rect {place} width="{cols * CELL}" height="{rows * CELL}" fill="{colour}"/>'


def _line(one: tuple[float, float], other: tuple[float, float], colour: str, width: int = 3) -> str:
    ends = f'x1="{one[0]:.1f}" y1="{one[1]:.1f}" x2="{other[0]:.1f}" y2="{other[1]:.1f}"'
    return f'<line {ends} stroke="{colour}" stroke-width="{width}"/>'


def _text(text: str, x: float, y: float) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" {FONT}>{text}</text>'


def _page(width: float, height: float, parts: list[str]) -> str:
    size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(parts)}</svg>'
