"""The presets: what jans says, value by value, and what our own runs are made with."""

import os
from collections.abc import Callable
from typing import Any

import pytest

from zerolab.games.base import Game
from zerolab.games.clobber import CANNIBAL, Clobber
from zerolab.games.connect_four import ConnectFour
from zerolab.games.go import Go
from zerolab.games.graph_clobber import GraphClobber
from zerolab.games.othello import Othello
from zerolab.training.settings.continuous_config import TrainingConfig
from zerolab.training.settings.presets import make_preset

CORES = 8

# Appendix B of jans, row by row: values of small boards (3x3 and 4x4) and of large ones. Where the
# paper has several, all of them stand here, and CHOICES has ours. Rows that "varied depending on
# the number of CPUs" are tested below. (Section 5 has 20 simulations on small boards, the table
# 25.)
APPENDIX_B: dict[str, tuple[tuple[Any, ...], tuple[Any, ...]]] = {
    "learning_rate": ((0.01,), (0.001,)),
    "weight_decay": ((0.0001,), (0.0001,)),
    "train_batch_size": ((128,), (128, 256, 1024)),
    "replay_buffer_size": ((2**14,), (2**16, 2**17, 2**18, 2**19)),
    "replay_buffer_reuse": ((4,), (2, 3)),
    "max_steps": ((0,), (0,)),
    "evaluation_window": ((50,), (100,)),
    "eval_levels": ((7,), (7,)),
    "uct_c": ((1,), (2,)),
    "max_simulations": ((25,), (100, 150, 200)),
    "policy_alpha": ((0.25,), (1,)),
    "policy_epsilon": ((1,), (0.25,)),
    "temperature": ((1,), (1,)),
    "nn_model": (("resnet",), ("resnet",)),
    "nn_width": ((128,), (128,)),
}
CHOICES: dict[str, Any] = {
    "train_batch_size": 128,
    "replay_buffer_size": 2**16,
    "replay_buffer_reuse": 3,
    "max_simulations": 100,
}
# Rows that depend on the board in another way, and what is said elsewhere in the paper.
# Temperature drop: 4 on small boards, 10 on 5x5 and 5x6, else 0.182 N + 2.85 (section 5), where N
# is the mean length of random games: 22.8 on 6x6 and 31.2 on 7x7 in OpenSpiel's Clobber, which
# makes 7.0 and 8.5. Depth: 2 on small boards, else max(R, C) + 1 (section 5). First encoding: up
# to 5x5; second: from 5x6 on (section 4).
BY_BOARD: dict[tuple[int, int], dict[str, Any]] = {
    (3, 3): {"temperature_drop": 4, "nn_depth": 2, "encoding": "colours"},
    (4, 4): {"temperature_drop": 4, "nn_depth": 2, "encoding": "colours"},
    (5, 5): {"temperature_drop": 10, "nn_depth": 6, "encoding": "colours"},
    (5, 6): {"temperature_drop": 10, "nn_depth": 7, "encoding": "own"},
    (6, 5): {"temperature_drop": 10, "nn_depth": 7, "encoding": "own"},
    (6, 6): {"temperature_drop": 7, "nn_depth": 7, "encoding": "own"},
    (7, 7): {"temperature_drop": 9, "nn_depth": 8, "encoding": "own"},
}
# What the paper does not have is off; how many games are played at once and how often networks are
# kept changes nothing that is learnt.
NOT_IN_JANS: dict[str, Any] = {
    "nn_weights": None,
    "precision": "float32",
    "schedule": "constant",
    "decouple_weight_decay": False,
    "checkpoint_freq": 10,
    "urgency": None,
    "gumbel": False,
    "gumbel_considered": 16,
    "fast_simulations": None,
    "full_share": 0.25,
    "forced_playouts": 0.0,
    "reuse": False,
    "opening_plies": 0,
    "batch": 64,
    "symmetries": False,
    "cache_symmetric": False,
    "exact_stones": 0,
    "search_share": 0.0,
    "exact_targets": False,
    "int8": False,
}
PROCESSES = {"actors": CORES - 1, "evaluators": 1}  # one for each core, 1 to 4 of them evaluators


@pytest.fixture(autouse=True)
def _cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: CORES)


@pytest.mark.parametrize("size", BY_BOARD)
def test_the_values_of_jans(size: tuple[int, int]) -> None:
    is_large = size not in ((3, 3), (4, 4))
    of_paper = {
        name: CHOICES[name] if is_large and name in CHOICES else values[is_large][0]
        for name, values in APPENDIX_B.items()
    }
    expected = of_paper | BY_BOARD[size] | NOT_IN_JANS | PROCESSES
    assert make_preset("jans", Clobber(*size)).flat() == expected


def test_what_was_chosen_is_among_the_values_of_jans() -> None:
    for name, chosen in CHOICES.items():
        assert chosen in APPENDIX_B[name][1]
    several = {name for name, values in APPENDIX_B.items() if max(map(len, values)) > 1}
    assert set(CHOICES) == several


# All settings that our own runs on 5x5 Clobber are made with.
# A new setting is a line here.
OURS: dict[str, Any] = {
    "learning_rate": 3e-3,
    "schedule": "cosine",
    "weight_decay": 1e-4,
    "decouple_weight_decay": True,
    "train_batch_size": 256,
    "replay_buffer_size": 32_768,
    "replay_buffer_reuse": 4,
    "max_steps": 0,
    "checkpoint_freq": 10,
    "actors": CORES - 1,
    "evaluators": 1,
    "evaluation_window": 100,
    "eval_levels": 7,
    "uct_c": 1.5,
    "max_simulations": 100,
    "urgency": 0.2,
    "policy_alpha": None,
    "policy_epsilon": 0.25,
    "gumbel": False,
    "gumbel_considered": 16,
    "fast_simulations": None,
    "full_share": 0.25,
    "forced_playouts": 0.0,
    "reuse": False,
    "temperature": 1.0,
    "temperature_drop": 6,  # 0.182 x 15.7 + 2.85 = 5.7, as jans has it in section 5
    "opening_plies": 8,  # half of 15.7
    "nn_model": "zerolab",
    "nn_width": 32,
    "nn_depth": 4,
    "nn_weights": None,
    "precision": "float32",
    "encoding": "components",
    "batch": 128,
    "symmetries": True,
    "cache_symmetric": True,
    "exact_stones": 18,
    "search_share": 0.5,
    "exact_targets": True,
    "int8": True,
}
# Settings that follow N, the mean length of random games.
BY_LENGTH: dict[str, Callable[[float], int]] = {
    "temperature_drop": lambda n: round(0.182 * n + 2.85),  # jans, section 5
    "opening_plies": lambda n: round(n / 2),
}
# The mean length (Clobber's and Connect Four's as in OpenSpiel), and what differs on other boards.
# Games that are not Clobber have no exact leaves and no components; a graph has no board to
# convolve.
ELSEWHERE: list[tuple[Game, float, dict[str, Any]]] = [
    (Clobber(3, 3), 5.4, {"nn_depth": 3}),
    (Clobber(8, 6), 30.7, {"nn_depth": 6}),
    (Clobber(10, 10), 64.4, {"nn_depth": 7, "nn_width": 64}),
    (Clobber(5, 5, variant=CANNIBAL), 17.6, {"encoding": "own"}),
    (Othello(6, 6), 32.5, {"nn_depth": 5, "encoding": "own", "exact_stones": 0}),
    (ConnectFour(6, 7), 21.4, {"nn_depth": 5, "encoding": "own", "exact_stones": 0}),
    # A fifth of the points; random games are longer than real ones.
    (Go(6, 5), 42.7, {"opening_plies": 6, "nn_depth": 5, "encoding": "own", "exact_stones": 0}),
    (
        GraphClobber(),
        3.4,
        {
            "nn_model": "mlp",
            "nn_width": 64,
            "nn_depth": 3,
            "encoding": "own",
            "cache_symmetric": False,
            "int8": False,
        },
    ),
]


def test_our_values() -> None:
    assert make_preset("zerolab", Clobber(5, 5)).flat() == OURS
    assert set(OURS) == set(TrainingConfig.names())


@pytest.mark.parametrize(("game", "length", "differences"), ELSEWHERE)
def test_our_values_on_other_boards(game: Game, length: float, differences: dict[str, Any]) -> None:
    by_length = {name: rule(length) for name, rule in BY_LENGTH.items()}
    assert make_preset("zerolab", game).flat() == OURS | by_length | differences


@pytest.mark.parametrize(("cores", "actors"), [(None, 1), (1, 1), (2, 1), (4, 3)])
@pytest.mark.parametrize("preset", ["jans", "zerolab"])
def test_every_core_but_one_plays(
    monkeypatch: pytest.MonkeyPatch, preset: str, cores: int | None, actors: int
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    config = make_preset(preset, Clobber(3, 3))
    assert (config.actors, config.evaluators) == (actors, 1)
