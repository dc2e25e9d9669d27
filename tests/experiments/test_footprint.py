"""Bytes, worked out by hand and compared with those of real arrays and files."""

import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from tests.search.evaluators import uniform
from tests.training.test_continuous import TINY
from zerolab.experiments.footprint import (
    EDGE_BYTES,
    NODE_BYTES,
    Disk,
    Sizes,
    disk_of,
    kept_samples,
    memory_of,
    peak_memory,
    search_bytes,
)
from zerolab.experiments.prediction import Costs, Done, Part, Prediction, Spent
from zerolab.games.clobber import Clobber
from zerolab.games.notation import num_actions
from zerolab.search.batched.batched_search import BatchedSearch, SearchConfig
from zerolab.training.continuous import ContinuousTrainer
from zerolab.training.loop import Limits, train
from zerolab.training.runs.run_directory import CHECKPOINT, Run
from zerolab.training.settings.staged_config import parse_staged

GAME = Clobber(3, 3)
COSTS = Costs(moves=8, parts=(Part(1, 1, 1),), learnt_parts=(Part(1, 1, 1),), batch=1)
SIZES = Sizes(weights=1000, model=500, branching=6, process=10**6, worker=10**5)
STAGED = parse_staged({"episodes": 5, "retrain_window": 2, "batch": 4, "arena_games": 2})


def predicted(steps: int, states: float) -> Prediction:
    return Prediction(steps, 0, states, 0, Spent(), 0, 0)


def test_trees_and_cache_are_as_large_as_real_ones() -> None:
    """If every node had all actions, which is what they have room for."""
    config = SearchConfig(max_simulations=10, cache_size=64)
    search = BatchedSearch(GAME, config, 4, uniform(GAME))
    trees, cache = search.trees, search.cache
    paths = trees.path_nodes.nbytes + trees.path_edges.nbytes + trees.used.nbytes
    entries = sum(each.nbytes for each in cache[:4])
    real = sum(each.nbytes for each in trees) - paths + entries
    assert search_bytes(GAME, config, 4, num_actions(GAME)) == real
    fewer = 4 * 10 * EDGE_BYTES
    assert search_bytes(GAME, config, 4, num_actions(GAME) - 1) == real - fewer
    assert NODE_BYTES == 36


def test_samples_at_the_end() -> None:
    assert kept_samples(STAGED, COSTS, predicted(1, 40), Done()) == 40
    assert kept_samples(STAGED, COSTS, predicted(9, 360), Done()) == 80
    assert kept_samples(STAGED, COSTS, predicted(1, 40), Done(window=(30, 10))) == 50
    assert kept_samples(TINY, COSTS, predicted(2, 128), Done(states=50)) == 178
    assert kept_samples(TINY, COSTS, predicted(2, 10**6), Done()) == 256


def test_memory_of_either_loop() -> None:
    """A sample of 3x3 is 3 words, 36 actions, value and weight: 176 bytes."""
    found = memory_of(GAME, TINY.changed(actors=2, evaluators=1), SIZES, kept=100)
    assert found["replay"] == 17600
    assert found["network"] == 4 * 1000 + 3 * 500
    assert found["search"] == 2 * search_bytes(GAME, TINY.search, TINY.batch, 6)
    assert found["processes"] == 10**6 + 3 * 10**5
    alone = memory_of(GAME, TINY, SIZES, kept=100)
    assert (alone["processes"], alone["network"]) == (10**6, 4500)
    staged = memory_of(GAME, STAGED, SIZES, kept=100)
    assert staged["replay"] == 2 * 17600  # what is kept, and a copy while it is learnt
    assert staged["network"] == 5 * 1000 + 2 * 500
    assert staged["search"] == 2 * search_bytes(GAME, STAGED.search, 2, 6)  # of the arena
    many = STAGED.changed(batch=20, episodes=20, shares=3, arena=False)
    shared = memory_of(GAME, many, SIZES, kept=100)["search"]
    assert shared == search_bytes(GAME, STAGED.search, 20, 6, shares=3)  # a cache each
    one = memory_of(GAME, many.changed(shares=1), SIZES, kept=100)["search"]
    assert one == search_bytes(GAME, STAGED.search, 20, 6) < shared
    quiet = memory_of(GAME, STAGED.changed(arena=False), SIZES, kept=100)
    assert quiet["search"] == search_bytes(GAME, STAGED.search, 4, 6)


def test_disk_of_either_loop() -> None:
    """A sample takes 24 bytes of state, 1 + 6 x 5 of policy, and 8."""
    config = TINY.changed(checkpoint_freq=3, actors=1)
    found = disk_of(GAME, config, SIZES, predicted(7, 700), Done(steps=1), kept=100)
    assert (found.checkpoint, found.samples, found.networks) == (3000, 6300, 3000)  # of 3, 6 and 8
    assert found.model == 500
    assert found.total == sum(found) - found.per_step
    assert found.per_step == pytest.approx(100 * 63 + found.log / 8 + 1000 / 3)
    staged = disk_of(GAME, STAGED, SIZES, predicted(10, 400), Done(), kept=80)
    assert (staged.checkpoint, staged.networks, staged.model) == (1000, 1000, 0)


def test_a_run_takes_about_as_much_disk_as_it_is_said_to(tmp_path: Path) -> None:
    run, trainer = Run.create(tmp_path, GAME, TINY, 1), ContinuousTrainer(GAME, TINY, 1)
    train(run, trainer, Limits(steps=2), lambda event: None)
    weights = sum(each.nbytes for each in trainer.learner.network.state_dict().values())
    policies = trainer.replay.samples.policy
    branching = float(np.count_nonzero(policies) / len(policies))
    sizes = Sizes(weights, 0, branching)
    states = trainer.replay.added
    found = disk_of(GAME, TINY, sizes, predicted(2, states), Done(), states)
    names = Disk("checkpoint", "replay-*", "network-*", "none", "learner.jsonl", "none")
    names = names._replace(checkpoint=CHECKPOINT)
    for name, expected in zip(names, found, strict=True):
        real = sum(path.stat().st_size for path in tmp_path.glob(name))
        if name != "none":
            assert expected == pytest.approx(real, rel=0.25, abs=12_000), name


def test_a_process_uses_memory() -> None:
    assert peak_memory() > 10**7


@pytest.mark.parametrize(("platform", "expected"), [("linux", 5 * 2**20), ("darwin", 5 * 2**10)])
def test_memory_is_counted_as_the_system_tells_it(
    platform: str, expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In kilobytes on Linux, in bytes on macOS; where there is no such count it is unknown."""
    usage = SimpleNamespace(ru_maxrss=5 * 2**10)
    resource = SimpleNamespace(RUSAGE_SELF=0, getrusage=lambda who: usage)
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setitem(sys.modules, "resource", resource)
    assert peak_memory() == expected
    monkeypatch.setitem(sys.modules, "resource", None)  # so that it cannot be imported
    assert peak_memory() == 0
