"""Agents that come with the package: small networks, named without a path, such as ``az:clobber``.

docs/agents.md has a card for each: how it was trained, how strong it is, what it does not know.
"""

from pathlib import Path
from typing import NamedTuple

from zerolab.errors import UsageError
from zerolab.games.base import Game
from zerolab.games.catalogue import describe, name_of
from zerolab.networks.header import identity

DIRECTORY = Path(__file__).parent


class Level(NamedTuple):
    """A strength at which an agent is offered to people."""

    name: str
    strength: str
    """As names of players have it, after the @."""


class Agent(NamedTuple):
    """A network in the package."""

    name: str
    game: str
    """As in the catalogue; the network plays every size of it."""
    levels: tuple[Level, ...]
    """From the weakest to the strongest."""

    @property
    def path(self) -> Path:
        """Its model."""
        return DIRECTORY / f"{self.name}.onnx"

    @property
    def best(self) -> str:
        """The strength that is meant where none is named."""
        return self.levels[-1].strength

    def player(self, level: str) -> str:
        """The name of the player at a level."""
        strength = next(each.strength for each in self.levels if each.name == level)
        return f"az:{self.name}@{strength}"


AGENTS = {
    agent.name: agent
    for agent in (
        Agent(
            "clobber",
            "clobber",
            (
                Level("beginner", "2,temperature=2"),
                Level("casual", "8,temperature=1"),
                Level("club", "16"),
                Level("expert", "64,exact=12"),
                Level("best", "400,exact=18"),
            ),
        ),
    )
}
LEVELS = ("beginner", "casual", "club", "expert", "best")
"""Those that every agent has."""
USUAL = "casual"  # the level at which people play unless they ask for another
FALLBACK = "mcts:1000"  # the opponent in games for which there is no agent


def agent_for(game: Game) -> Agent | None:
    """The agent that plays a game by its usual rules, whatever the size; None if there is none."""
    rules, options, _ = identity(name_of(game), describe(game))
    if options:
        return None
    return next((agent for agent in AGENTS.values() if agent.game == rules), None)


def default_opponent(game: Game, level: str | None = None) -> str:
    """The player whom people meet if they name none; UsageError for a level that is not there."""
    agent = agent_for(game)
    if agent is not None:
        return agent.player(level or USUAL)
    if level is None:
        return FALLBACK
    raise UsageError(
        f"--level is not possible: no agent for {describe(game)} comes with zerolab; name a player "
        f"with --white, such as {FALLBACK}"
    )
