"""Cold starts: what is run and where, without waiting for compilers."""

import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

from zerolab.benchmarks import cold_starts as bench_cold
from zerolab.benchmarks.cold_starts import COMMANDS
from zerolab.errors import UsageError
from zerolab.interfaces import cli


def test_every_command_that_compiles_is_measured() -> None:
    light = {"elo", "plot", "network", "export", "study", "sweep", "bench"}  # or made of the others
    light.add("learn")  # it needs games, and compiles little that training does not
    light.add("verify")  # compiles what solve does, where there are leaves to be solved
    light |= {"gtp", "uci", "web"}  # they serve until they are told to end
    assert {arguments[0] for arguments in COMMANDS.values()} == {*cli.COMMANDS, "--help"} - light


def test_the_first_use_has_an_empty_cache_and_the_second_that_of_the_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = []

    def run(
        command: list[str], env: dict[str, str], cwd: Path, **rest: object
    ) -> subprocess.CompletedProcess[str]:
        cache = Path(env["XDG_CACHE_HOME"])
        seen.append((command[3:], cache, (cache / "kernels").exists(), any(cwd.iterdir())))
        (cache / "kernels").touch()
        (cwd / "run").mkdir()
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(bench_cold.subprocess, "run", run)
    told: list[int] = []
    starts = bench_cold.bench_cold(lambda done, total: told.append(done), ("perft", "solve"))
    assert [each.name for each in starts] == ["perft", "solve"]
    assert told == [1, 2]
    assert [each[0] for each in seen] == [
        list(COMMANDS[name]) for name in ("perft", "perft", "solve", "solve")
    ]
    assert [each[2] for each in seen] == [False, True, False, True]
    assert not any(each[3] for each in seen)  # a run finds no run there already
    assert seen[0][1] == seen[1][1] != seen[2][1]
    assert not seen[0][1].exists()


def test_seconds_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 20.0, 30.0, 31.5]).__next__
    work = iter([(1.0, 0.5), (9.0, 2.5), (9.0, 2.5), (10.0, 2.5)])

    def times() -> SimpleNamespace:
        user, system = next(work)
        return SimpleNamespace(children_user=user, children_system=system)

    monkeypatch.setattr(bench_cold, "time", SimpleNamespace(perf_counter=clock))
    monkeypatch.setattr(bench_cold.os, "times", times)
    done = subprocess.CompletedProcess([], 0, "", "")
    monkeypatch.setattr(bench_cold.subprocess, "run", lambda *a, **k: done)
    assert bench_cold.bench_cold(lambda *told: None, ("games",)) == [("games", 20.0, 10.0, 1.5)]


def test_a_command_that_fails_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(COMMANDS, "wrong", ("perft", "nothing"))
    with pytest.raises(UsageError, match=r"zerolab wrong failed: .*'nothing' is not a game"):
        bench_cold.bench_cold(lambda *told: None, ("wrong",))
