"""What a run costs as its own log has it, in logs of before there was a field `time` too."""

import statistics
from typing import Any

from zerolab.experiments.prediction import Costs, Done, Part
from zerolab.training.settings.continuous_config import TrainingConfig
from zerolab.training.settings.loops import SelfPlayConfig
from zerolab.training.settings.staged_config import StagedConfig

RECENT = 10  # steps at the end of a log that tell about those to come

Line = dict[str, Any]


def logged_costs(config: SelfPlayConfig, log: list[Line]) -> Costs:
    """What the last steps have cost; there must be one at least."""
    log = [_START, *log]
    costs = _staged(config, log) if isinstance(config, StagedConfig) else _continuous(config, log)
    others = [_between(log, place) for place in range(2, len(log))]
    known = [line["time"]["compiling"] for line in log[1:] if "time" in line]
    compiling = next((each for each in reversed(known) if each is not None), 0.0)
    checkpoint = statistics.median(others[-RECENT:]) if others else 0.0
    return costs._replace(checkpoint=checkpoint, compiling=compiling)


def done_of(log: list[Line]) -> Done:
    """What a run has behind it."""
    if not log:
        return Done()
    last = log[-1]
    window = tuple(last.get("window", ()))
    return Done(last["step"], last["time_rel"], last["total_states"], window)


_START: Line = {"step": 0, "total_states": 0, "total_trajectories": 0, "time_rel": 0.0}


def _between(log: list[Line], place: int) -> float:
    """Seconds of a step that are neither playing nor learning: files, and making models."""
    line = log[place]
    spent = line["play_seconds"] + line["learn_seconds"]
    return max(0.0, float(line["time_rel"] - log[place - 1]["time_rel"] - spent))


def _staged(config: StagedConfig, log: list[Line]) -> Costs:
    lines = log[1:][-RECENT:]
    moves = sum(line["window"][-1] for line in lines)
    examples = sum(sum(line["window"]) for line in lines)
    seconds = {
        stage: sum(line["stage_seconds"][stage] for line in lines)
        for stage in ("play", "train", "arena")
    }
    games = len(lines) * config.arena_games
    parts = (_part(config, seconds["play"] / moves),)
    return Costs(
        moves=moves / len(lines) / config.episodes,
        parts=parts,
        learnt_parts=parts,
        batch=seconds["train"] * config.learner.train_batch_size / config.epochs / examples,
        arena=seconds["arena"] / games,
        arena_simulations=1.0,  # a game is the unit here
    )


def _continuous(config: TrainingConfig, log: list[Line]) -> Costs:
    # The first step has waited for processes to start, so it is left out where there are others.
    recent = log[-RECENT - 1 :] if len(log) > RECENT + 1 else log[min(1, len(log) - 2) :]
    before, lines = recent[0], recent[1:]
    share = 1.0 if config.search.fast_simulations is None else config.search.full_share
    moves = (lines[-1]["total_states"] - before["total_states"]) / share
    games = lines[-1]["total_trajectories"] - before["total_trajectories"]
    waiting = sum(line["play_seconds"] for line in lines)
    learning = sum(line["learn_seconds"] for line in lines)
    size = config.replay.replay_buffer_size
    batches = sum(config.learner.batches_of(min(size, int(line["total_states"]))) for line in lines)
    # Actors play while the learner learns: then all the time is theirs.
    playing = (waiting + learning) * config.actors if config.actors else waiting
    parts = (_part(config, playing / moves),)
    return Costs(
        moves=moves / games,
        parts=parts,
        learnt_parts=parts,
        batch=learning / batches,
        starting=_starting(config, log[1], playing / moves, moves / games),
    )


def _starting(config: TrainingConfig, first: Line, move: float, length: float) -> float:
    """What the first step has waited beyond what its games take, where processes play."""
    if config.actors == 0:
        return 0.0
    share = 1.0 if config.search.fast_simulations is None else config.search.full_share
    begun = config.batch * config.actors * length / 2  # moves of games under way at its end
    playing: float = (first["total_states"] / share + begun) * move / config.actors
    spent: float = first["play_seconds"] + first["learn_seconds"]
    return max(0.0, spent - playing)


def _part(config: SelfPlayConfig, seconds: float) -> Part:
    """A whole game as one part, of moves that take so long."""
    simulations = config.search.max_simulations
    return Part(1.0, simulations, seconds / simulations)
