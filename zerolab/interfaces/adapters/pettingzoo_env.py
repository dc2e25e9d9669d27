"""Our games as PettingZoo environments: agents take turns (AEC).

env = make_env(Clobber(5, 5))
env.reset(seed=1)
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    action = None if termination else env.action_space(agent).sample(observation["action_mask"])
    env.step(action)
"""

import functools
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import (
    AssertOutOfBoundsWrapper,
    OrderEnforcingWrapper,
    TerminateIllegalWrapper,
)

from zerolab.errors import UsageError
from zerolab.games.base import BLACK, Game, num_players
from zerolab.games.boards.stones import picture_text
from zerolab.games.catalogue import describe, name_of
from zerolab.games.notation import num_actions
from zerolab.games.position import Position
from zerolab.interfaces.adapters.player_view import planes_for
from zerolab.interfaces.adapters.raster import draw_raster
from zerolab.interfaces.views.terminal import draw_board

AGENTS = ("player_0", "player_1")  # Black and White
ILLEGAL_REWARD = -1.0
_MOST_SEED = 2**31

Observation = dict[str, npt.NDArray[Any]]


class BoardEnv(AECEnv[str, Observation, int]):  # type: ignore[misc]  # it is not typed
    """A game of ours, without the wrappers that catch mistakes.

    The agents are `player_0`, who is Black and begins, and `player_1`; a puzzle has only the first.
    An observation has the planes [P, R, C] of the encoding `own`, as the agent sees the board, and
    the mask of legal actions [A], which is empty while the other agent is to move. The reward comes
    at the end: 1 won, 0 drawn, -1 lost, or the value of a puzzle.
    """

    def __init__(self, game: Game, render_mode: str | None = None) -> None:
        start = Position.start(game)
        if start.is_over:
            raise UsageError(f"{describe(game)} is over before it begins")
        if picture_text(game, start.words):
            raise UsageError(f"{describe(game)} has no stones, which an environment shows")
        modes = ["ansi", "human", "rgb_array"]
        if render_mode not in (None, *modes):
            raise UsageError(f"'{render_mode}' is no way to render; expected {', '.join(modes)}")
        self.game = game
        self.render_mode = render_mode
        self.metadata: dict[str, Any] = {
            "name": f"zerolab_{name_of(game)}_v0",
            "render_modes": modes,
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.possible_agents = list(AGENTS[: num_players(game)])
        self._np_random, _ = seeding.np_random(0)
        self._planes = start.planes("own").shape
        self._position = start

    @functools.cache  # noqa: B019  # the same object at each call is demanded
    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        """Planes and the mask."""
        return spaces.Dict(
            {
                "observation": spaces.Box(0.0, 1.0, self._planes, np.float32),
                "action_mask": spaces.Box(0, 1, (num_actions(self.game),), np.int8),
            }
        )

    @functools.cache  # noqa: B019  # as above
    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        """The actions of the game."""
        return spaces.Discrete(num_actions(self.game))

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; the seed counts where starts are drawn at random."""
        if seed is not None:
            self._np_random, _ = seeding.np_random(seed)
        self._position = Position.start(self.game, int(self._np_random.integers(_MOST_SEED)))
        while self._position.is_over:  # a start drawn at random may be
            self._position = Position.start(self.game, int(self._np_random.integers(_MOST_SEED)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._agent_to_move()

    def observe(self, agent: str) -> Observation:
        """The board as an agent sees it, and its legal actions."""
        mask = np.zeros(num_actions(self.game), np.int8)
        if agent == self._agent_to_move():
            mask[list(self._position.legal_actions)] = 1
        planes = planes_for(self._position, AGENTS.index(agent))
        return {"observation": planes, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Play an action; a GameError says that it is not legal."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._position = self._position.play(int(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        outcome = self._position.outcome()
        if outcome is not None:
            for each in self.agents:
                self.rewards[each] = outcome.value if each == AGENTS[BLACK] else -outcome.value
                self.terminations[each] = True
        self.agent_selection = self._agent_to_move()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """The board as text, on the screen, or as pixels [height, width, 3]."""
        if self.render_mode is None:
            gymnasium.logger.warn("render needs a render_mode: ansi, human or rgb_array")
            return None
        if self.render_mode == "rgb_array":
            return draw_raster(self.game, self._position.words)
        text = draw_board(self.game, self._position.words).plain
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """There is nothing to release."""

    @property
    def position(self) -> Position:
        """The current position, for our own players."""
        return self._position

    def _agent_to_move(self) -> str:
        return AGENTS[BLACK if num_players(self.game) == 1 else self._position.player]


def make_env(game: Game, render_mode: str | None = None) -> AECEnv[str, Observation, int]:
    """A game of ours as an environment in which an illegal action loses."""
    env: Any = BoardEnv(game, render_mode)
    env = TerminateIllegalWrapper(env, illegal_reward=ILLEGAL_REWARD)
    env = AssertOutOfBoundsWrapper(env)
    return OrderEnforcingWrapper(env)
