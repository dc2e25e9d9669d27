"""The graphs of a training run: OpenSpiel's twelve, with its titles, and ours among them.

Graphs of learning come first, then those of the search, the games and the machine.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from zerolab.interfaces.plots.curves import Draw, Find, Series, average, heat_map, lines, spread
from zerolab.training.runs.logs import RunLog


class Graph(NamedTuple):
    """One of the graphs."""

    title: str
    unit: str
    draw: Draw
    limits: tuple[float | None, float | None] = (0, None)
    of_first: bool = False  # whether of several runs the first alone is drawn


def _fields(*group: str, **fields: str) -> Find:
    """Series that are single numbers of a line, or of a group in it; `_` in a name is a blank."""

    def find(log: RunLog) -> list[Series]:
        return [
            Series(name.replace("_", " "), log.numbers(*group, field))
            for name, field in fields.items()
        ]

    return find


def _stages(field: str) -> Find:
    """A series for each stage of the game."""

    def find(log: RunLog) -> list[Series]:
        number = log.longest(field)
        names = {0: "start", number // 2: "middle", number - 1: "end"}
        return [
            Series(names.get(stage, str(stage + 1)), average(log, field, stage))
            for stage in range(number)
        ]

    return find


def _levels(field: str) -> Find:
    """A series for each level of the ladder, without those that have no result yet."""

    def find(log: RunLog) -> list[Series]:
        results = log.rows(field, "results")
        results[log.numbers(field, "count") == 0] = np.nan
        return [Series(f"x{10 ** (level / 2):,.0f}", y) for level, y in enumerate(results.T)]

    return find


def _outcomes(log: RunLog) -> list[Series]:
    """Shares of the games of a step."""
    counts = log.rows("outcomes", "counts")
    games = np.nansum(counts, axis=1, keepdims=True)
    shares = counts / np.where(games > 0, games, np.nan)
    names = log.names("outcomes", "names")
    names += [f"outcome {number + 1}" for number in range(len(names), shares.shape[1])]
    return [Series(name, y) for name, y in zip(names, shares.T, strict=False)]


def graphs_of(logs: Sequence[RunLog]) -> Sequence[Graph]:
    """The graphs that these runs have: all are supervised, or the graphs of self-play."""
    is_supervised = all("validation" in line for log in logs for line in log.lines)
    return SUPERVISED_GRAPHS if is_supervised else GRAPHS


def _phases(log: RunLog) -> list[Series]:
    """All times in the lines: play_seconds is that of the phase `play`."""
    ending = "_seconds"
    names = dict.fromkeys(name for line in log.lines for name in line if name.endswith(ending))
    return [Series(name.removesuffix(ending), log.numbers(name)) for name in names]


TRAINING_LOSS = Graph(
    "Training loss",
    "loss",
    lines(_fields("loss", sum="sum", policy="policy", value="value", l2reg="l2reg")),
)
SUPERVISED_GRAPHS = (
    TRAINING_LOSS,
    Graph(
        "Validation games: share predicted",
        "share",
        lines(_fields("validation", moves="accuracy", winners="value_accuracy")),
        (0, 1),
    ),
    Graph(
        "Validation games: squared error of the value",
        "error, between 0 and 1",
        lines(_fields("validation", error="mse")),
    ),
    Graph(
        "Validation games: cross-entropy of moves",
        "nats",
        lines(_fields("validation", cross_entropy="policy")),
    ),
    Graph("Learning rate", "rate", lines(_fields(learning_rate="learning_rate"))),
    Graph("Speed of learning", "positions/s", lines(_fields(positions="states_per_s"))),
)
GRAPHS = (
    TRAINING_LOSS,
    Graph(
        "Evaluation returns vs MCTS+Solver with x10^(n/2) sims",
        "mean return",
        lines(_levels("eval"), ordered=True),
        (-1, 1),
    ),
    Graph(
        "The same without exact leaves",
        "mean return",
        lines(_levels("eval_plain"), ordered=True),
        (-1, 1),
    ),
    Graph(
        "Judged by perfect play",
        "share",
        lines(
            _fields(
                "perfect",
                moves_that_keep_the_value="keeps",
                values_with_the_right_sign="value_accuracy",
            )
        ),
        (0, 1),
    ),
    Graph(
        "The network alone, judged by perfect play",
        "share",
        lines(
            _fields(
                "perfect",
                moves_that_keep_the_value="network_keeps",
                values_with_the_right_sign="network_value_accuracy",
            )
        ),
        (0, 1),
    ),
    Graph(
        "Moves that keep the value, by stage of the game",
        "share",
        lines(
            _fields("perfect", early="keeps_early", middle="keeps_middle", late="keeps_late"),
            ordered=True,
        ),
        (0, 1),
    ),
    Graph(
        "Its own games, judged by perfect play",
        "share",
        lines(
            _fields(
                "perfect",
                critical_moves_that_keep_the_value="selfplay_critical",
                all_moves="selfplay_keeps",
            )
        ),
        (0, 1),
    ),
    Graph(
        "Regret: value thrown away in a game of its own",
        "win = 1, loss = -1",
        lines(
            _fields(
                "perfect",
                per_game="regret",
                early="regret_early",
                middle="regret_middle",
                late="regret_late",
            )
        ),
    ),
    Graph(
        "MCTS value prediction accuracy",
        "share",
        lines(_stages("value_accuracy"), ordered=True),
        (0, 1),
    ),
    Graph(
        "MCTS absolute value prediction",
        "absolute value",
        lines(_stages("value_prediction"), ordered=True),
        (0, 1),
    ),
    Graph("Share of positions proven", "share", lines(_fields(proven="proven")), (0, 1)),
    Graph("Outcomes", "share", lines(_outcomes), (0, 1)),
    Graph("Game length + stddev + min/max", "moves", spread("game_length")),
    Graph(
        "Game length histogram",
        "moves",
        heat_map("game_length_hist", of="share of games"),
        (None, None),
        of_first=True,
    ),
    Graph(
        "Speed of actor state/s",
        "states/s",
        lines(_fields(while_playing="states_per_s_actor", learning_included="states_per_s")),
    ),
    Graph("Time per phase", "seconds a step", lines(_phases, main=2)),
    Graph(
        "Cache requests/s",
        "requests/s",
        lines(_fields("cache", requests="requests_per_s", misses="misses_per_s")),
    ),
    Graph(
        "Cache usage and hit rate",
        "share",
        lines(_fields("cache", hit_rate="hit_rate", usage="usage")),
        (0, 1),
    ),
    Graph("Inference batch size + stddev + min/max", "positions", spread("batch_size")),
    Graph(
        "Inference batch size",
        "positions",
        heat_map("batch_size_hist", of="share of batches"),
        (None, None),
        of_first=True,
    ),
)
