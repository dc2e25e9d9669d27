"""Charts of players and settings: Elo with its errors, and what something costs that is good."""

from typing import Any

from zerolab.evaluation.ratings.pareto import pareto_front
from zerolab.interfaces.web.pages.standings import Standing
from zerolab.interfaces.web.parts.front_chart import front_chart
from zerolab.interfaces.web.parts.page_frame import AXIS


def elo_chart(standing: Standing) -> dict[str, Any]:
    """Points with their 95 % intervals, the strongest at the top."""
    players = standing.players[::-1]
    return {
        "animation": False,
        "grid": {"left": 130, "right": 30, "top": 10, "bottom": 40},
        "tooltip": {"trigger": "item"},
        "xAxis": {
            **AXIS,
            "type": "value",
            "name": "Elo",
            "nameLocation": "middle",
            "nameGap": 24,
            "splitLine": {"lineStyle": {"color": "#88888833"}},
        },
        "yAxis": {"type": "category", "data": [name for name, *_ in players], **AXIS},
        "series": [
            {
                "name": "95 %",
                "type": "line",
                "symbol": "none",
                "lineStyle": {"width": 3, "color": "#0072B2"},
                "data": [[round(elo - 1.96 * error), row], [round(elo + 1.96 * error), row]],
            }
            for row, (_, elo, error, _) in enumerate(players)
        ]
        + [
            {
                "name": "Elo",
                "type": "scatter",
                "symbolSize": 12,
                "itemStyle": {"color": "#D55E00"},
                "data": [[round(elo), row] for row, (_, elo, _, _) in enumerate(players)],
            }
        ],
    }


def cost_chart(standing: Standing) -> dict[str, Any]:
    """Elo against thinking time for a move, with the Pareto front."""
    players = [each for each in standing.players if standing.seconds.get(each[0], 0.0) > 0]
    costs = [1000 * standing.seconds[name] for name, *_ in players]
    front = pareto_front(costs, [elo for _, elo, _, _ in players])
    points = [
        (name, round(cost, 4), round(elo))
        for cost, (name, elo, _, _) in zip(costs, players, strict=True)
    ]
    return front_chart(points, list(front), "milliseconds for a move", "Elo", is_logarithmic=True)
