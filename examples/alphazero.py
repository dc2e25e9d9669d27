"""AlphaZero in about a hundred lines, on the pieces of zerolab.

    python examples/alphazero.py                     a minute or two, on Clobber 4x4
    python examples/alphazero.py --steps 60 --rows 5 --cols 5

Each step plays games of the network against itself, keeps what the search found out, and learns
from a buffer of the last positions. At the end the network plays UCT. `zerolab train` does the same
with processes, checkpoints, exact leaves and much else.
"""

import argparse

import numpy as np

from zerolab.encodings.views import make_view
from zerolab.evaluation.matches.ladder import play_level
from zerolab.games.base import Game
from zerolab.games.clobber import Clobber
from zerolab.networks.architectures import make_recipe
from zerolab.networks.machine import seed_weights
from zerolab.networks.onnx_evaluator import OnnxEvaluator
from zerolab.networks.signature import signature_of
from zerolab.networks.torch_network import Network
from zerolab.records.batches import make_batch
from zerolab.search.batched.batched_search import SearchConfig
from zerolab.search.batched.searching_network import SearchingNetwork
from zerolab.training.learner import Learner, LossValues
from zerolab.training.samples.replay import Replay
from zerolab.training.samples.value_targets import TargetConfig, make_samples
from zerolab.training.selfplay.selfplay import SelfPlay

SIMULATIONS = 50  # evaluations for each move
GAMES_AT_ONCE = 64  # so that the network rates positions of all of them in one call
BUFFER = 8_192  # positions to learn from
POSITIONS = 1_024  # new ones before each step of learning
BATCH = 128
LEARNING_RATE = 3e-3


def gather(selfplay: SelfPlay, replay: Replay) -> int:
    """Self-play: add the positions of finished games to the buffer; return how many games."""
    games, found = 0, 0
    while found < POSITIONS:
        for record in selfplay.round():  # one more leaf in every game, moves where enough were seen
            samples = make_samples(TargetConfig(), record)  # policies of the search, and results
            replay.add(samples)
            games, found = games + 1, found + samples.size
    return games


def learn(game: Game, learner: Learner, replay: Replay, draw: np.random.Generator) -> LossValues:
    """Learning: as many positions as the buffer holds, drawn and turned at random."""
    view = make_view(game, "own")
    losses = []
    for _ in range(max(1, replay.size // BATCH)):
        losses.append(learner.step(make_batch(game, view, replay.draw(BATCH, draw), draw)))
    return LossValues(*(float(mean) for mean in np.mean(losses, axis=0)))


def train(game: Game, steps: int, seed: int) -> SearchingNetwork:
    """The whole loop; return the network as it plays to win."""
    seed_weights(seed)
    recipe = make_recipe("zerolab", width=32, depth=3)
    network = Network(recipe.network, signature_of(game, "own")).eval()
    learner = Learner(network, recipe.loss, LEARNING_RATE)
    replay, draw = Replay(game, BUFFER), np.random.default_rng(seed)
    evaluate = OnnxEvaluator(network.to_onnx())  # fast; it gets the weights after each step
    search = SearchConfig(max_simulations=SIMULATIONS, policy_alpha=None, temperature_drop=6)
    searching = SearchingNetwork(game, evaluate, search)
    selfplay = SelfPlay(searching, GAMES_AT_ONCE, seed)
    for step in range(1, steps + 1):
        games = gather(selfplay, replay)
        losses = learn(game, learner, replay, draw)
        evaluate.load(network.to_onnx())
        selfplay.search.forget_evaluations()  # those of the weights before
        print(
            f"step {step}: {games} games, {replay.size:,} positions in the buffer, "
            f"policy loss {losses.policy:.3f}, value loss {losses.value:.3f}"
        )
    return searching.to_win()


def main() -> None:
    """Train, then play a match."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=4)
    parser.add_argument("--cols", type=int, default=4)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--games", type=int, default=40, help="of the match at the end")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    game = Clobber(options.rows, options.cols)
    network = train(game, options.steps, options.seed)
    for level in range(2):
        result = play_level(network, level, options.games, options.seed)
        won = f"{result.score.wins} of {result.score.games}"
        print(f"against UCT with {result.simulations} simulations: {won}")


if __name__ == "__main__":
    main()
