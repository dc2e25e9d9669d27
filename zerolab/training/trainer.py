"""A trainer makes the steps of a run, for either loop; loop.py drives it."""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator

import numpy as np

from zerolab.encodings.views import make_view
from zerolab.games.base import Game
from zerolab.networks.machine import seed_weights
from zerolab.networks.signature import signature_of
from zerolab.networks.torch_network import Network
from zerolab.records.recorded_game import RecordedGame
from zerolab.training.learner import Arrays, Learner
from zerolab.training.runs.evaluations import Evaluations, Measured
from zerolab.training.runs.kept_games import LADDER, MOST_JUDGED
from zerolab.training.samples.replay import Replay
from zerolab.training.samples.window import Window
from zerolab.training.settings.loops import RunConfig
from zerolab.training.steps import Lesson, OnPhase, Step


class Trainer(ABC):
    """Makes the steps of a run. The state between steps can be saved and restored."""

    judged_by = LADDER
    """What the games are that judge its networks."""

    def __init__(
        self,
        game: Game,
        config: RunConfig,
        seed: int,
        replay: Replay | Window,
        evaluations: dict[str, Evaluations],
    ) -> None:
        self.game = game
        self.config = config
        self.step = 0
        """Steps that are complete."""
        self.progress = 0.0
        """How much of the run is done, from 0 to 1; whoever drives the run says so."""
        self.on_phase: OnPhase = lambda phase, share: None
        """Told what goes on, and how much of it is done."""
        self.view = make_view(game, config.encoding)
        seed_weights(seed)
        network = Network(config.recipe.network, signature_of(game, config.encoding)).eval()
        self.learner = self.make_learner(network)
        self.replay = replay
        self.draw = np.random.default_rng(seed)
        self.evaluations = evaluations
        """The last results of evaluators, by kind."""
        self.measured: Measured | None = None
        """The last comparison with perfect play."""
        self.judged: deque[RecordedGame] = deque(maxlen=MOST_JUDGED)
        """Games that judge its networks, and were not kept yet."""

    @abstractmethod
    def steps(self) -> Iterator[Step] | Iterator[Lesson]:
        """The following steps, up to the configuration's last one, if it has one."""

    def make_learner(self, network: Network) -> Learner:
        """A learner of this network with a new optimizer."""
        settings = self.config.learner
        return Learner(network, self.config.recipe.loss, settings.learning_rate, settings.is_half)

    def model(self) -> bytes:
        """The current network as an ONNX model, for self-play."""
        return self.learner.network.to_onnx()

    def begin_with(self, network: Network) -> None:
        """Take the weights of another network of the same kind, before the first step."""
        self.learner.network.load_state_dict(network.state_dict())

    def resume(self, step: int) -> None:
        """Continue after a step, when weights, samples and generator have been restored."""
        self.step = step

    @property
    def can_pause(self) -> bool:
        """Whether a step can stop in the middle, where `on_phase` raises, and continue later."""
        return False

    def pause(self, seconds: float) -> tuple[Arrays, str]:
        """The unfinished step as arrays and text; `seconds` is the time the run has taken."""
        raise TypeError("this trainer ends its steps: one that can_pause gives them unfinished")

    def go_on(self, arrays: Arrays, text: str) -> float | None:
        """Continue the step that `pause` returned, and return the time that the run had taken.

        A step that does not follow the restored one is ignored, and None is returned.
        """
        raise TypeError("this trainer ends its steps: one that can_pause goes on with them")

    def close(self) -> None:  # noqa: B027  (no abstract method: many trainers start none)
        """End the processes that a trainer may have started."""
