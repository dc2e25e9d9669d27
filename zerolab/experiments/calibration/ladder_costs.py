"""What games against the ladder cost, which a network plays when its run has ended."""

from zerolab.evaluation.matches.ladder import simulations_of
from zerolab.evaluation.players.players import Buffers, choose_once, make_buffers
from zerolab.experiments.calibration.measured import timed
from zerolab.experiments.calibration.staggered import stagger
from zerolab.experiments.judging import LEVELS
from zerolab.experiments.prediction import Costs, move_seconds
from zerolab.games.base import Game
from zerolab.kernels.compiling import lean
from zerolab.kernels.rng import stream
from zerolab.search.uct import UctSettings
from zerolab.training.settings.continuous_config import TrainingConfig

POSITIONS = 5  # at which an opponent is measured


def ladder_seconds(game: Game, config: TrainingConfig, costs: Costs) -> float:
    """One game against each level, with every network that is judged.

    Half the moves are the opponent's. The network's cost what they do in self-play.
    """
    search = config.search
    levels = [simulations_of(level, search.max_simulations) for level in range(LEVELS)]
    starts, rng, record = stagger(game, POSITIONS, seed=0), stream(0), lean(game)
    opponents = 0.0
    for simulations in levels:
        choice = UctSettings(simulations, search.uct_c)
        buffers = make_buffers(game, starts.positions[0].state, choice)
        choose_once(choice, record, starts.positions[-1].state, rng, buffers)  # compiles

        def choose_all(choice: UctSettings = choice, buffers: Buffers = buffers) -> None:
            for position in starts.positions:
                choose_once(choice, record, position.state, rng, buffers)

        opponents += timed(choose_all) / POSITIONS
    networks = 2 if config.exact_stones else 1
    own = LEVELS * move_seconds(costs.learnt_parts)
    return networks * (opponents + own) * starts.length / 2
