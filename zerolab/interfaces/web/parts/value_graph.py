"""The values of a game for both sides, move by move, as stones on wood; mistakes are marked."""

import itertools
from collections.abc import Collection, Sequence
from typing import Any

from nicegui import ui
from nicegui.events import GenericEventArguments

from zerolab.games.base import num_players
from zerolab.games.notation import COLOUR_NAMES, format_move
from zerolab.games.position import Position
from zerolab.interfaces.web.parts.page_frame import AXIS
from zerolab.interfaces.web.parts.walking import Walked

WOOD, DARK, LIGHT = "#dfc191", "#222222", "#fdfdfd"
WARM = "#B34700"  # vermilion that is read on wood and inside either stone
MOST_STONES = 60  # on a curve; more would hide it
BY_PLY = "(place) => place.split(' ')[0]"  # what the axis shows of a name such as '12 b3b4'
IN_WORDS = "(value) => value > 0 ? 'wins' : value < 0 ? 'loses' : 'even'"


class ValueGraph:
    """The graph on a page; a click on it shows the position there."""

    def __init__(self, game: Walked) -> None:
        self._chart = ui.echart({"series": []})

        def clicked(event: GenericEventArguments) -> None:
            if isinstance(event.args.get("dataIndex"), int):
                game.show_ply(event.args["dataIndex"])

        self._chart.on("click", clicked, ["dataIndex"])

    def show(
        self,
        positions: Sequence[Position],
        shown: int,
        values: Sequence[float | None],
        mistakes: Collection[int] = (),
    ) -> None:
        """`values` are Black's, `mistakes` the plies of the positions before bad moves."""
        self._chart.options.clear()
        self._chart.options.update(value_chart(positions, shown, values, mistakes))
        self._chart.update()


def value_chart(
    positions: Sequence[Position],
    shown: int,
    values: Sequence[float | None],
    mistakes: Collection[int] = (),
) -> dict[str, Any]:
    """Options of a chart with a curve for each side; a puzzle has one."""
    is_contest = num_players(positions[0].game) == 2
    places = ["0 start"] + [
        f"{ply} {format_move(before.game, after.action)}"
        for ply, (before, after) in enumerate(itertools.pairwise(positions), 1)
        if after.action is not None
    ]
    bad: dict[str, set[int]] = {colour: set() for colour in COLOUR_NAMES}
    for ply in mistakes:
        bad[positions[ply].turn if is_contest else "black"].add(ply + 1)
    curves = [_curve("black", values, bad["black"])]
    if is_contest:
        mirrored = [None if value is None else -value for value in values]
        curves.append(_curve("white", mirrored, bad["white"]))
    curves[0]["markLine"] = {
        "symbol": "none",
        "silent": True,
        "label": {"show": False},
        "data": [{"xAxis": shown}],
        "lineStyle": {"color": DARK, "opacity": 0.6},
    }
    words = {":formatter": IN_WORDS} if is_contest else {}
    return {
        "animation": False,
        "grid": {
            **{"left": 44, "right": 12, "top": 14, "bottom": 24},
            **{"show": True, "backgroundColor": WOOD, "borderWidth": 0},
        },
        "tooltip": {"trigger": "axis"},
        "xAxis": {
            "type": "category",
            "data": places,
            "boundaryGap": False,
            "axisLabel": {**AXIS["axisLabel"], ":formatter": BY_PLY},
            "axisLine": {"lineStyle": {"color": DARK, "opacity": 0.4}},
            "axisTick": {"show": False},
        },
        "yAxis": {
            **AXIS,
            **{"type": "value", "min": -1.15, "max": 1.15, "splitLine": {"show": False}},
            "axisLabel": {**AXIS["axisLabel"], "customValues": [-1, 0, 1], **words},
        },
        "series": curves,
        "aria": {"enabled": True, "label": {"description": "values of the game, move by move"}},
    }


def _curve(colour: str, values: Sequence[float | None], bad: Collection[int]) -> dict[str, Any]:
    """A line of stones; those of mistakes are large, with a question mark."""
    fill, edge = (DARK, LIGHT) if colour == "black" else (LIGHT, DARK)
    return {
        "name": colour.capitalize(),
        "type": "line",
        "data": [
            {
                "value": value,
                "symbolSize": 19,
                "itemStyle": {"color": fill, "borderColor": WARM, "borderWidth": 3},
                "label": {"show": True, "formatter": "?", "color": edge},
            }
            if ply in bad
            else value
            for ply, value in enumerate(values)
        ],
        "symbol": "circle",
        "symbolSize": 7 if len(values) <= MOST_STONES else 3,
        "showAllSymbol": True,
        "connectNulls": True,
        "lineStyle": {"width": 2.5, "color": fill, "shadowColor": edge, "shadowBlur": 2},
        "itemStyle": {"color": fill, "borderColor": edge, "borderWidth": 1},
        "label": {"position": "inside", "fontWeight": "bold", "fontSize": 13},
        "z": 3 if colour == "black" else 4,
    }
