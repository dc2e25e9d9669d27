"""The cost of checkpoints, shrunken: no speed is asserted, only what is measured."""

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from tests.clocks import ticking
from tests.training.test_continuous import TINY
from zerolab.benchmarks.learning import checkpoint_speed
from zerolab.benchmarks.learning.checkpoint_speed import (
    VISITED,
    CheckpointCost,
    bench_checkpoints,
    made_up_samples,
    measure_run,
)
from zerolab.games.clobber import Clobber
from zerolab.interfaces.cli import main
from zerolab.records.samples import Samples
from zerolab.training.learner import OPTIMIZER

GAME = Clobber(3, 3)
CONFIG = TINY.changed(replay_buffer_size=40, replay_buffer_reuse=4)
COST = CheckpointCost(
    *("clobber 5x5", 1000, 250, 10**6, 4 * 10**6, 3 * 10**6),
    *(0.5, 1.0, 0.125, 2.0, 4.0, 0.5),
)


@pytest.fixture(name="here")
def _here(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Opens runs in this process; returns the names of what was measured there."""
    opened = []

    def in_this_process(function, *arguments):
        opened.append(function.__name__)
        return function(*arguments)

    monkeypatch.setattr(checkpoint_speed, "_in_new_process", in_this_process)
    return opened


def test_a_full_buffer_is_saved_and_opened(here: list[str], tmp_path: Path) -> None:
    """Ten new samples a step; after the fifth the buffer of 40 has lost some."""
    cost = measure_run(tmp_path, GAME, CONFIG)
    assert (cost.game, cost.buffer, cost.new) == ("clobber 3x3", 40, 10)
    assert here == ["open_run", "open_whole", "read_plainly"] * checkpoint_speed.ROUNDS
    run = tmp_path / "run"
    segments = sorted(run.glob("replay-*"))
    assert [path.name[7:13] for path in segments] == ["000004", "000005", "000006", "000007"]
    checkpoint = (run / "checkpoint.safetensors").stat().st_size
    assert cost.step_bytes == checkpoint + segments[-1].stat().st_size
    assert cost.stored_bytes == checkpoint + sum(path.stat().st_size for path in segments)
    plain = (tmp_path / name for name in ("plain-0", "plain-1"))
    assert cost.step_bytes == sum(path.stat().st_size for path in plain)
    whole = load_file(tmp_path / "whole.safetensors")
    assert {len(whole.pop(name)) for name in Samples._fields} == {40}
    assert set(whole) == set(load_file(run / "checkpoint.safetensors"))
    assert cost.whole_bytes == (tmp_path / "whole.safetensors").stat().st_size
    moments = [name for name in load_file(run / "checkpoint.safetensors") if OPTIMIZER in name]
    assert moments


def test_the_best_round_counts(
    here: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = iter([9.0] * 4 + [3, 5, 7, 11, 13, 17, 4, 2, 8, 12, 10, 18, 5, 6, 6, 10, 11, 16.0])
    monkeypatch.setattr(
        checkpoint_speed, "_seconds", lambda function, *rest: _then(function, rest, seconds)
    )
    cost = measure_run(tmp_path, GAME, CONFIG)
    assert cost[6:] == (3, 2, 6, 10, 10, 16)


def _then(function, arguments, seconds):
    function(*arguments)
    return next(seconds)


def test_a_run_is_opened_in_a_new_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint_speed, "ROUNDS", 1)
    monkeypatch.setattr(checkpoint_speed.time, "perf_counter", ticking(0.0))
    cost = measure_run(tmp_path, GAME, CONFIG)
    assert cost.save == cost.save_whole == cost.save_limit == 0.0  # by this process's clock
    assert min(cost.open, cost.open_whole, cost.open_limit) > 0.0


def test_made_up_samples_have_the_size_of_real_ones() -> None:
    samples = made_up_samples(Clobber(10, 10), 50, np.random.default_rng(1))
    assert [array.shape for array in samples] == [(50, 5), (50, 400), (50,), (50,)]
    visited = (samples.policy > 0).sum(axis=1)
    assert (visited <= VISITED).all()
    assert visited.mean() > 0.9 * VISITED
    assert len(np.unique(samples.states)) == samples.states.size


def test_both_runs_are_measured(here: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    asked, done = [], []

    def measure(directory, game, config):
        asked.append((directory.is_dir(), game, config.replay.replay_buffer_size))
        return COST

    monkeypatch.setattr(checkpoint_speed, "measure_run", measure)
    assert bench_checkpoints(100, lambda *told: done.append(told)) == [COST, COST]
    assert asked == [(True, Clobber(5, 5), 2**15), (True, Clobber(10, 10), 100)]
    assert done == [(1, 2), (2, 2)]


def test_the_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    asked = []

    def bench(buffer, told):
        asked.append(buffer)
        return [COST]

    monkeypatch.setattr(checkpoint_speed, "bench_checkpoints", bench)
    main(["bench", "checkpoints"])
    shown = capsys.readouterr().out
    for row in (
        "zerolab      │ 1.00 │ 0.500 │      2.000 │",
        "whole buffer │ 4.00 │ 1.000 │      4.000 │",
        "limit        │ 1.00 │ 0.125 │      0.500 │",
    ):
        assert row in shown
    main(["bench", "checkpoints", "--buffer", "5000", "--json"])
    result = json.loads(capsys.readouterr().out)
    assert result["ratios"] == {
        "clobber 5x5, bytes of a step to those of the whole buffer": 0.25,
        "clobber 5x5, seconds of a step to those of the whole buffer": 0.5,
        "clobber 5x5, seconds of a step to the limit": 4.0,
        "clobber 5x5, seconds of opening to those of the whole buffer": 0.5,
        "clobber 5x5, seconds of opening to the limit": 4.0,
    }
    assert result["costs"][0]["stored_bytes"] == 3 * 10**6
    assert asked == [2**19, 5000]


@pytest.mark.parametrize("arguments", [("checkpoints", "--buffer", "3"), ("cold", "--buffer", "9")])
def test_a_buffer_is_for_checkpoints_and_not_tiny(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["bench", *arguments])
    assert "--buffer is for zerolab bench checkpoints" in capsys.readouterr().err
