"""A chart of what is good against what it costs, with the points that none beats in both."""

from collections.abc import Sequence
from typing import Any

from zerolab.interfaces.web.parts.page_frame import AXIS

ON_FRONT, BEATEN = "#D55E00", "#8a8f98"
MOST_NAMED = 20  # points with their names beside them; names of more would only cover each other

Point = tuple[str, float, float]
"""A name, what it costs, how good it is."""


def front_chart(
    points: Sequence[Point],
    front: Sequence[int],
    cost: str,
    good: str,
    is_logarithmic: bool = False,
    step: str | None = "end",
) -> dict[str, Any]:
    """Options of a chart; `front` are the places of the points that none beats, by their cost.

    `step` says where the line between two of them turns; with None it is straight.
    """
    shown = [
        {
            "name": name,
            "value": [x, y],
            "symbol": "circle" if place in front else "diamond",
            "itemStyle": {"color": ON_FRONT if place in front else BEATEN},
            "label": {"show": place in front or len(points) <= MOST_NAMED},
        }
        for place, (name, x, y) in enumerate(points)
    ]
    axis = {**AXIS, "scale": True}
    return {
        "animation": False,
        "grid": {"left": 60, "right": 90, "top": 30, "bottom": 44},
        "tooltip": {"trigger": "item"},
        "xAxis": {
            **axis,
            "type": "log" if is_logarithmic else "value",
            "name": cost,
            "nameLocation": "middle",
            "nameGap": 26,
            "splitLine": {"show": False},
        },
        "yAxis": {
            **axis,
            "type": "value",
            "name": good,
            "splitLine": {"lineStyle": {"color": "#88888833"}},
        },
        "series": [
            {
                "name": "Pareto front",
                "type": "line",
                "step": step or False,
                "symbol": "none",
                "silent": True,
                "lineStyle": {"width": 2, "color": ON_FRONT},
                "data": [list(points[place][1:]) for place in front],
            },
            {
                "name": f"{cost}, {good}",
                "type": "scatter",
                "symbolSize": 11,
                "label": {"position": "right", "formatter": "{b}", "color": "#888888"},
                "labelLayout": {"hideOverlap": True},
                "data": shown,
            },
        ],
        "aria": {"enabled": True, "label": {"description": f"{good} against {cost}"}},
    }
