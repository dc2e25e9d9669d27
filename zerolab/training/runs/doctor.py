"""Warnings about a run, each with the likely cause."""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

Line = dict[str, Any]
RECENT = 5  # lines of the log that count as now
SETTLED = 15  # lines after which a run should have learnt something
STARVED = 0.75  # share of the time spent waiting for games
FLAT = 0.02  # change of a mean result that counts as none
BUSY = 0.6  # share of one core that learning, which is nothing but computing, should get
REPEATED = 0.7  # share of distinct positions in a step below which games repeat each other


class Sign(NamedTuple):
    """A symptom, how to recognise it, and the warning."""

    name: str
    is_seen: Callable[[Sequence[Line]], bool]
    words: str


def diagnose(lines: Sequence[Line]) -> dict[str, str]:
    """Warnings about a run with this log, by name; none while the run is young."""
    if len(lines) < RECENT:
        return {}
    return {sign.name: sign.words for sign in SIGNS if sign.is_seen(lines)}


def _has_failed_numbers(lines: Sequence[Line]) -> bool:
    return not math.isfinite(lines[-1]["loss"]["sum"])


def _has_collapsed_policy(lines: Sequence[Line]) -> bool:
    """The search always prefers the same move, and the network has memorised it."""
    return _mean(lines[-RECENT:], "loss", "policy") < 0.02


def _has_stuck_value(lines: Sequence[Line]) -> bool:
    """The value loss is no better than at the start, after many steps."""
    first, now = _mean(lines[:2], "loss", "value"), _mean(lines[-RECENT:], "loss", "value")
    return len(lines) >= SETTLED and now > 0.97 * first


def _has_identical_games(lines: Sequence[Line]) -> bool:
    return all(
        line["game_length"]["num"] >= 20
        and line["game_length"]["std_dev"] < 1e-9
        and max(line["outcomes"]["counts"]) == sum(line["outcomes"]["counts"])
        for line in lines[-RECENT:]
    )


def _has_repeated_games(lines: Sequence[Line]) -> bool:
    recent = [line.get("distinct_states", 1.0) for line in lines[-RECENT:]]
    return bool(sum(recent) < REPEATED * len(recent))


def _has_one_winner(lines: Sequence[Line]) -> bool:
    recent = [line["outcomes"]["counts"] for line in lines[-RECENT:]]
    totals = [sum(column) for column in zip(*recent, strict=True)]
    return bool(max(totals) > 0.98 * sum(totals) > 100)


def _has_starved_buffer(lines: Sequence[Line]) -> bool:
    """The learner waits for actors most of the time."""
    recent = [line for line in lines[-RECENT:] if line["actors"] > 0]
    waited, learnt = (
        sum(line[key] for line in recent) for key in ("play_seconds", "learn_seconds")
    )
    return bool(waited > STARVED * (waited + learnt) > 0)


def _has_busy_machine(lines: Sequence[Line]) -> bool:
    """Steps take much longer than the processor time they use."""
    timed = [line for line in lines[-RECENT:] if "learn_processor_seconds" in line]
    learnt = sum(line["learn_seconds"] for line in timed)
    return bool(sum(line["learn_processor_seconds"] for line in timed) < BUSY * learnt)


def _has_lost_workers(lines: Sequence[Line]) -> bool:
    return bool(lines[-1]["restarts"] > lines[-RECENT]["restarts"])


def _has_stopped_improving(lines: Sequence[Line]) -> bool:
    """Results on the ladder did not improve over the last third of the run, and are not high."""
    if len(lines) < 3 * SETTLED:
        return False
    before, now = (_mean_result(line) for line in (lines[-len(lines) // 3], lines[-1]))
    return before is not None and now is not None and now < before + FLAT and now < 0.5


SIGNS = (
    Sign(
        "numbers",
        _has_failed_numbers,
        "the loss is no longer a number: the learning rate is too high; go back to an earlier "
        "network with a smaller one",
    ),
    Sign(
        "policy",
        _has_collapsed_policy,
        "the policy has collapsed to single moves: too little noise or temperature at the root, or "
        "too small a buffer, so that the network learns its own habits",
    ),
    Sign(
        "value",
        _has_stuck_value,
        "the value loss has not improved: the learning rate is too high or too low, or the "
        "network is too small for this board",
    ),
    Sign(
        "games",
        _has_identical_games,
        "all games are alike: temperature is zero or drops too early, and there is no noise",
    ),
    Sign(
        "repeats",
        _has_repeated_games,
        "games repeat each other, so that the network learns little new: more opening_plies, or "
        "temperature for more plies, would help",
    ),
    Sign(
        "winner",
        _has_one_winner,
        "one side wins nearly every game: the board may be solved by now, or the other side's "
        "games are too few to learn from",
    ),
    Sign(
        "starved",
        _has_starved_buffer,
        "the learner waits for games most of the time: more actors, fewer simulations or a smaller "
        "network would help, or a higher replay_buffer_reuse",
    ),
    Sign(
        "busy",
        _has_busy_machine,
        "steps take much longer than the processor time they use: other programs keep the cores "
        "busy; end them, or give this run fewer actors",
    ),
    Sign(
        "workers",
        _has_lost_workers,
        "actors or evaluators died and were restarted: killed by hand, or out of memory",
    ),
    Sign(
        "evaluation",
        _has_stopped_improving,
        "results on the ladder have not improved for a third of the run: a lower learning rate, a "
        "larger network or more simulations may help",
    ),
)


def _mean(lines: Sequence[Line], group: str, field: str) -> float:
    return float(sum(line[group][field] for line in lines)) / len(lines)


def _mean_result(line: Line) -> float | None:
    results = [each for each in line["eval"]["results"] if each is not None]
    return sum(results) / len(results) if results else None
