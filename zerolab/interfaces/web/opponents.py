"""The players that a page offers, and how a choice becomes a player's name."""

from zerolab.errors import UsageError
from zerolab.evaluation.players.agents.shipped_agents import AGENTS
from zerolab.experiments.sweeps.sweep_list import find_sweeps, sweep_of
from zerolab.interfaces.web.safety import Rules
from zerolab.training.runs.run_list import find_runs

MCTS, BY_NAME = "mcts", "name"
STRENGTHS = {
    "25": "25 simulations",
    "100": "100 simulations",
    "1000": "1,000 simulations",
    "10000": "10,000 simulations",
    "100000": "100,000 simulations",
    "200ms": "0.2 seconds",
    "1000ms": "1 second",
    "5000ms": "5 seconds",
}


def opponents(rules: Rules, game: str = "") -> dict[str, str]:
    """What can be chosen, by the beginning of its name.

    Networks of other games are left out, and so are those of sweeps, of which there may be many.
    """
    found = {
        MCTS: "Monte Carlo tree search",
        "solver": "perfect play, where it is in reach",
        "mc:50": "flat Monte Carlo, 50 games a move",
        "first": "the first legal move",
        "random": "random moves",
    }
    for agent in AGENTS.values():
        if game in ("", agent.game):
            found[f"az:{agent.name}"] = f"network {agent.name} (comes with zerolab)"
    sweeps = find_sweeps(rules.runs)
    for run in find_runs(rules.runs):
        is_for_it = not game or run.game.split(" ")[0] == game
        if run.networks and is_for_it and sweep_of(run.name, sweeps) is None:
            found[f"az:{run.name}"] = f"network {run.name} ({run.game}, step {run.step})"
    return {**found, BY_NAME: "another, by name"}


def player_name(kind: str, strength: str, typed: str) -> str:
    """The name of a chosen player."""
    if kind == BY_NAME:
        if not typed.strip():
            raise UsageError("type the name of a player, such as mcts:1000,exact=18")
        return typed.strip()
    if kind == MCTS:
        return f"mcts:{strength}"
    if kind.startswith("az:"):
        return f"{kind}@{strength}"
    return kind
