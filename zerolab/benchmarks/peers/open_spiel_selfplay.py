"""OpenSpiel's Python AlphaZero at self-play: the peer of bench selfplay.

Its own search, its own evaluator with its own cache, and its own network on JAX, as its actor puts
them together. JAX and flax are not among our dependencies; without them a stand-in has the same
search and the same kind of evaluator, but uses PyTorch, one position at a time. It is much faster
than the original, whose search does its arithmetic in JAX, so ratios to it are much smaller.
"""

import importlib
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from zerolab.benchmarks.measuring import open_spiel
from zerolab.games.base import Game, shape
from zerolab.networks.signature import signature_of
from zerolab.networks.torch_evaluator import TorchEvaluator
from zerolab.networks.torch_network import Network
from zerolab.training.settings.continuous_config import TrainingConfig

ORIGINAL = "OpenSpiel's Python AlphaZero"
STAND_IN = "a stand-in for OpenSpiel's Python AlphaZero (its search, PyTorch instead of JAX)"
ALGORITHMS = "open_spiel.python.algorithms"
WARM_UP = 10  # simulations
CACHE = 2**16  # evaluations that are kept

Inference = Callable[[Any, Any], tuple[Any, Any]]
"""Observation and mask of legal actions -> value for the first player, policy."""


class Peer:
    """Games of OpenSpiel against itself, a move at a time."""

    def __init__(self, name: str, game: Any, make_bot: Callable[[], Any], drop: int) -> None:
        self.name = name
        self._game, self._drop = game, drop
        warm = make_bot()  # it has a cache of its own, which is thrown away
        warm.max_simulations = min(WARM_UP, warm.max_simulations)
        warm.mcts_search(game.new_initial_state())
        self._bot = make_bot()
        self._draw = np.random.default_rng(1)
        self._state = game.new_initial_state()

    def move(self) -> None:
        """Search and move: at first drawn in proportion to visits, then the best move."""
        root = self._bot.mcts_search(self._state)
        action = root.best_child().action
        if self._state.move_number() < self._drop:
            visits = np.array([child.explore_count for child in root.children], np.float64)
            action = root.children[self._draw.choice(len(visits), p=visits / visits.sum())].action
        self._state.apply_action(action)
        if self._state.is_terminal():
            self._state = self._game.new_initial_state()


def make_peer(game: Game, config: TrainingConfig) -> Peer:
    """OpenSpiel's actor for Clobber, or the stand-in."""
    rows, cols = shape(game)
    peer_game = open_spiel().load_game(f"clobber(rows={rows},columns={cols})")
    mcts = importlib.import_module(f"{ALGORITHMS}.mcts")
    try:
        make_evaluator, name = _original(peer_game, config), ORIGINAL
    except ImportError:
        make_evaluator, name = _stand_in(mcts, game, config), STAND_IN

    def make_bot() -> Any:
        return mcts.MCTSBot(
            peer_game,
            config.search.uct_c,
            config.search.max_simulations,
            make_evaluator(),
            solve=False,
            random_state=np.random.RandomState(1),
            dirichlet_noise=(config.search.policy_epsilon, config.search.policy_alpha),
            child_selection_fn=mcts.SearchNode.puct_value,
            dont_return_chance_node=True,
        )

    return Peer(name, peer_game, make_bot, config.search.temperature_drop)


def _original(game: Any, config: TrainingConfig) -> Callable[[], Any]:
    """What its actor evaluates with."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        evaluators = importlib.import_module(f"{ALGORITHMS}.alpha_zero.evaluator")
        models = importlib.import_module(f"{ALGORITHMS}.alpha_zero.model_nnx")
        model = models.Model.build_model(
            config.network.nn_model,
            game.observation_tensor_shape(),
            game.num_distinct_actions(),
            config.network.nn_width,
            config.network.nn_depth,
            config.decay.weight_decay,
            config.learner.learning_rate,
            None,
        )
    return lambda: evaluators.AlphaZeroEvaluator(game, model)


def _stand_in(mcts: Any, game: Game, config: TrainingConfig) -> Callable[[], Any]:
    """The same kind of network in PyTorch, for a board that it sees and numbers as OpenSpiel does.

    Which plane and which action is which makes no difference to weights drawn at random.
    """
    network = Network(config.recipe.network, signature_of(game, config.encoding))
    rate, planes = TorchEvaluator(network), network.signature.input_shape

    def infer(observation: Any, mask: Any) -> tuple[Any, Any]:
        logits, values = rate(observation.astype(np.float32).reshape(1, *planes))
        odds = np.where(mask, np.exp(logits[0]), 0)
        return values[0], odds / odds.sum()

    return lambda: make_evaluator(mcts, infer)


def make_evaluator(mcts: Any, infer: Inference) -> Any:
    """OpenSpiel's kind of evaluator: a value and priors for one state, and its kind of cache."""
    caches = importlib.import_module("open_spiel.python.utils.lru_cache")

    class Evaluator(mcts.Evaluator):  # type: ignore[misc]  # the base has no types
        def __init__(self) -> None:
            self._cache = caches.LRUCache(CACHE)

        def _infer(self, state: Any) -> tuple[Any, Any]:
            observation = np.asarray(state.observation_tensor())
            mask = np.asarray(state.legal_actions_mask())
            key = observation.tobytes() + mask.tobytes()
            found: tuple[Any, Any] = self._cache.make(key, lambda: infer(observation, mask))
            return found

        def evaluate(self, state: Any) -> Any:
            value, _ = self._infer(state)
            return np.array([value, -value])

        def prior(self, state: Any) -> list[tuple[int, Any]]:
            _, policy = self._infer(state)
            return [(action, policy[action]) for action in state.legal_actions()]

    return Evaluator()
