"""What is on axes that are never looked at."""

from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_hex


class Marked(NamedTuple):
    """Points with error bars, of one colour: [x, y] and [from, to]."""

    points: list[tuple[float, float]]
    bars: list[tuple[float, float]]
    colour: str


def marked(axes: Axes, direction: str) -> list[Marked]:
    """All points with error bars; the direction of these is x or y."""
    along = "xy".index(direction)
    found = []
    for container in axes.containers:
        line, _, (bars,) = container.lines
        segments = [np.array(each) for each in bars.get_segments()]
        # A bar goes through its point.
        for segment, point in zip(segments, zip(*line.get_data(), strict=True), strict=True):
            assert set(segment[:, 1 - along]) == {point[1 - along]}
        found.append(
            Marked(
                [(float(x), float(y)) for x, y in zip(*line.get_data(), strict=True)],
                [tuple(float(each) for each in segment[:, along]) for segment in segments],
                to_hex(line.get_color()).upper(),
            )
        )
    return found


def written(axes: Axes) -> dict[tuple[float, float], str]:
    """Texts by where they stand: x, y."""
    found = {}
    for text in axes.texts:
        x, y = text.get_position()
        found[float(x), float(y)] = text.get_text()
    return found


def ticks(axes: Axes, direction: str) -> list[str]:
    """The labels beside an axis."""
    labels = axes.get_xticklabels() if direction == "x" else axes.get_yticklabels()
    return [label.get_text() for label in labels]


def legend(axes: Axes) -> list[str]:
    """What the legend names."""
    shown = axes.get_legend()
    return [] if shown is None else [text.get_text() for text in shown.get_texts()]
