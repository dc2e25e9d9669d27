"""zerolab games: the games and the players."""

import importlib
from typing import Any

from zerolab.interfaces.views.output import Output


def games(json: bool = False) -> None:
    """List the games, their sizes and options, and the players.

    Args:
        json: Print one JSON object and nothing else.
    """
    from zerolab.evaluation.players.agents.shipped_agents import AGENTS, LEVELS
    from zerolab.evaluation.players.players import PLAYERS
    from zerolab.games.catalogue import GAMES, text_name, text_value

    out = Output(json)
    found: dict[str, dict[str, Any]] = {}
    for name, entry in GAMES.items():
        record = getattr(importlib.import_module(f"zerolab.games.{entry.module}"), entry.record)
        defaults = {**record._field_defaults, **entry.preset}
        parameters = {text_name(key): text_value(key, value) for key, value in defaults.items()}
        found[name] = {"summary": entry.summary, "parameters": parameters}
    rows = []
    for name, about in found.items():
        parameters = dict(about["parameters"])
        size = "-"
        if "rows" in parameters:
            size = f"{parameters.pop('rows')}x{parameters.pop('cols')}"
        options = " ".join(
            f"{key}={value!r}" if " " in value else f"{key}={value}"
            for key, value in parameters.items()
        )
        rows.append((name, size, options, about["summary"]))
    out.table("Games", ("name", "default size", "options and defaults", "rules"), rows)
    out.table("Players", ("name", "plays"), [*PLAYERS.items(), ("human", "you (zerolab play)")])
    agents = {agent.name: agent.game for agent in AGENTS.values()}
    levels = [
        (f"az:{agent.name}", agent.game, level, player)
        for agent in AGENTS.values()
        for level, player in zip(LEVELS, agent.levels, strict=True)
    ]
    out.table("Agents that come with zerolab", ("name", "plays", "--level", "as"), levels)
    out.result({"games": found, "players": [*PLAYERS, "human"], "agents": agents})
