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
LEVELS = ("beginner", "casual", "club", "expert", "best")
USUAL = "club"  # the level that people meet unless they ask for another
FALLBACK = "mcts:1000"  # the opponent in games for which there is no agent


class Agent(NamedTuple):
    """A network in the package."""

    name: str
    game: str
    """As in the catalogue; the network plays every size of it."""
    strength: str
    """After the @, where none is named."""
    levels: tuple[str, ...]
    """A player for each of LEVELS. No network plays badly enough for the first two."""

    @property
    def path(self) -> Path:
        """Its model."""
        return DIRECTORY / f"{self.name}.onnx"


AGENTS = {
    "clobber": Agent(
        "clobber",
        "clobber",
        "400,exact=18",
        (
            *("mc:1", "mcts:50", "az:clobber@8,temperature=1", "az:clobber@64"),
            "az:clobber@400,exact=18",
        ),
    ),
}


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
        return agent.levels[LEVELS.index(level or USUAL)]
    if level is None:
        return FALLBACK
    raise UsageError(
        f"--level is not possible: no agent for {describe(game)} comes with zerolab; name a player "
        f"with --white, such as {FALLBACK}"
    )
