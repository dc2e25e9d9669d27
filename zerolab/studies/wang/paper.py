"""What wang prints: Tables 1 to 4."""

from typing import NamedTuple

SENSITIVE, FRIENDLY = "time-sensitive", "time-friendly"
SIMILAR, INSIGNIFICANT = "similar", "insignificant"


class Parameter(NamedTuple):
    """A row of Tables 1, 3 and 4."""

    symbol: str
    setting: str
    """Its name in StagedConfig."""
    values: tuple[float, float, float]
    """Minimum, default, maximum."""
    hours: tuple[float, float, float]
    """Time of a run with each, on a GPU."""
    kind: str
    best_loss: float | str
    """The value with the smallest loss."""
    best_time: float | str
    scales: bool = False
    """Whether a shorter study shrinks it."""


_S, _F, _SAME, _NONE = SENSITIVE, FRIENDLY, SIMILAR, INSIGNIFICANT

# Table 4 gives dropout 0.3, and says in the text that no difference is seen.
PARAMETERS = (
    Parameter("I", "iterations", (50, 100, 150), (23.8, 44.0, 60.3), _S, 100, 50, True),
    Parameter("E", "episodes", (10, 50, 100), (17.4, 44.0, 87.7), _S, 10, 10, True),
    Parameter("T'", "temperature_threshold", (10, 15, 20), (41.6, 44.0, 40.4), _F, 10, _SAME),
    Parameter("m", "max_simulations", (25, 100, 200), (26.0, 44.0, 64.8), _S, 200, 25, True),
    Parameter("c", "uct_c", (0.5, 1.0, 2.0), (50.7, 44.0, 49.1), _F, 0.5, _SAME),
    Parameter("rs", "retrain_window", (1, 20, 40), (26.5, 44.0, 50.7), _S, 1, 1, True),
    Parameter("ep", "epochs", (5, 10, 15), (43.4, 44.0, 55.7), _S, 15, 5, True),
    Parameter("bs", "train_batch_size", (32, 64, 96), (47.7, 44.0, 37.7), _S, 96, 96),
    Parameter("lr", "learning_rate", (0.001, 0.005, 0.01), (47.8, 44.0, 40.3), _F, 0.001, _SAME),
    Parameter("d", "dropout", (0.2, 0.3, 0.4), (51.9, 44.0, 51.4), _F, 0.3, _SAME),
    Parameter("n", "arena_games", (20, 40, 100), (33.5, 44.0, 57.4), _S, _NONE, 20, True),
    Parameter("u", "update_threshold", (0.5, 0.6, 0.7), (39.7, 44.0, 40.4), _F, _NONE, _SAME),
)  # fmt: skip

# Table 2: the settings of the tournament of 82 players.
CORRELATED = {
    "iterations": (25, 50, 75),
    "episodes": (10, 20, 30),
    "max_simulations": (25, 50, 75),
    "epochs": (5, 10, 15),
}
OUTER, INNER = ("iterations",), ("episodes", "max_simulations", "epochs")
GAMES_PER_PAIR = 10

# Section 5.3: what training makes small, by the paper's name.
LOSSES = {"policy": "lp", "value": "lv", "sum": "l+", "product": "lx"}
# Figure 11 as the text describes it: the loss with the highest Elo; None where all are alike.
BEST_LOSS: dict[str, str | None] = {
    "othello 5x5": None,
    "othello 6x6": "value",
    "connect-four 5x5": "value",
    "connect-four 6x6": "value",
    "gobang 5x5": "policy",
    "gobang 6x6": "policy",
}
