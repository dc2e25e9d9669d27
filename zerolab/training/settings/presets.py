"""Settings by board: those of jans, and ours."""

import functools
import math
import os
from collections.abc import Sequence

from zerolab.errors import UsageError
from zerolab.games.base import Game, shape
from zerolab.games.clobber import NORMAL, Clobber
from zerolab.games.go import Go
from zerolab.games.graph_clobber import GraphClobber
from zerolab.games.notation import has_board
from zerolab.search.batched.batched_search import SearchConfig
from zerolab.search.playouts import mean_length
from zerolab.training.samples.replay import ReplayConfig
from zerolab.training.samples.value_targets import TargetConfig
from zerolab.training.settings.continuous_config import TrainingConfig
from zerolab.training.settings.flat_names import change_settings, parse_settings
from zerolab.training.settings.loops import RunConfig
from zerolab.training.settings.shared_config import DecayConfig, LearnerConfig, NetworkChoice
from zerolab.training.settings.staged_config import StagedConfig

PRESETS = ("zerolab", "jans")
WANG = "wang"  # whose loop is the staged one, with the same settings for all boards
SMALL = 16  # cells: 3x3 and 4x4 are the small boards of jans
SAMPLE = 10_000  # random games whose length is averaged


def make_preset(name: str, game: Game) -> TrainingConfig:
    """The settings of that name for a game."""
    workers = {"actors": max(1, (os.cpu_count() or 1) - 1), "evaluators": 1}
    if name == "jans":
        return jans(game).changed(**workers)
    if name == "zerolab":
        return ours(game).changed(**workers)
    raise UsageError(f"'{name}' is not a preset; expected {' or '.join(PRESETS)}")


def choose_settings(preset: str | None, game: Game, changes: Sequence[str] = ()) -> RunConfig:
    """The settings of a preset of either loop, ours if none is named, with some of them changed."""
    base = StagedConfig() if preset == WANG else make_preset(preset or "zerolab", game)
    return parse_settings(type(base), change_settings(base, changes))


def jans(game: Game) -> TrainingConfig:
    """Appendix B; where it gives a range, one value of it."""
    rows, cols = shape(game)
    if rows * cols <= SMALL:
        return TrainingConfig(
            learner=LearnerConfig(learning_rate=0.01, train_batch_size=128),
            replay=ReplayConfig(replay_buffer_size=2**14, replay_buffer_reuse=4),
            evaluation_window=50,
            search=SearchConfig(
                uct_c=1.0,
                max_simulations=25,
                policy_alpha=0.25,
                policy_epsilon=1.0,
                temperature_drop=4,
                encoding="colours",
            ),
            network=NetworkChoice(nn_depth=2),
        )
    known = isinstance(game, Clobber) and (rows, cols) in ((5, 5), (5, 6), (6, 5))
    return TrainingConfig(
        learner=LearnerConfig(learning_rate=0.001),
        replay=ReplayConfig(replay_buffer_size=2**16, replay_buffer_reuse=3),
        search=SearchConfig(
            temperature_drop=10 if known else temperature_drop(game),
            encoding="own" if max(rows, cols) > 5 else "colours",
        ),
        network=NetworkChoice(nn_depth=max(rows, cols) + 1),
    )


@functools.lru_cache(maxsize=64, typed=True)  # records of two games may be equal as tuples
def _random_length(game: Game) -> float:
    return mean_length(game, SAMPLE)


def temperature_drop(game: Game) -> int:
    """jans, section 5: T = 0.182 N + 2.85, with N the mean length of random games."""
    return round(0.182 * _random_length(game) + 2.85)


def opening_plies(game: Game) -> int:
    """Half the mean length of random games; without random openings self-play repeats itself.

    Random games of Go last until the board is full and captured again, which real ones do not.
    """
    if isinstance(game, Go):
        return game.rows * game.cols // 5
    return round(_random_length(game) / 2)


def ours(game: Game) -> TrainingConfig:
    """A small network and exact leaves, for a run of minutes on two cores."""
    rows, cols = shape(game)
    exact = 18 if isinstance(game, Clobber | GraphClobber) else 0
    on_board = has_board(game)
    has_values = isinstance(game, Clobber) and game.variant == NORMAL
    return TrainingConfig(
        learner=LearnerConfig(learning_rate=3e-3, train_batch_size=256, symmetries=True),
        schedule="cosine",
        decay=DecayConfig(decouple_weight_decay=True),
        # With this reuse an actor plays about as fast as the learner learns.
        replay=ReplayConfig(replay_buffer_size=2**15, replay_buffer_reuse=4),
        search=SearchConfig(
            uct_c=1.5,
            urgency=0.2,
            policy_alpha=None,
            temperature_drop=temperature_drop(game),
            opening_plies=opening_plies(game),
            encoding="components" if has_values else "own",
            cache_symmetric=on_board,
        ),
        network=NetworkChoice(
            nn_model="zerolab" if on_board else "mlp",
            nn_width=32 * math.ceil(max(rows, cols) / 8) if on_board else 64,
            nn_depth=max(rows, cols) // 2 + 2 if on_board else 3,
        ),
        batch=128,
        exact_stones=exact,
        targets=TargetConfig(search_share=0.5, exact_targets=True),
        int8=on_board,
    )
