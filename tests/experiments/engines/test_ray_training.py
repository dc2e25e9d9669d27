"""A run on a cluster, killed everywhere: the command itself, its actors, nodes; then resumed."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.experiments.engines.clusters import Cluster, add_node, nodes, wait_until
from tests.training.test_kill import COMMAND, SETTINGS, messages_of

ENDLESS = ("--steps", "100000")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with nodes(0, 2) as cluster:
        yield cluster


def train(cluster: Cluster, directory: Path, *options: str) -> "subprocess.Popen[bytes]":
    arguments = ["train", "clobber", "--size", "3x3", "--run", str(directory), "--games", "0"]
    engine = ["--engine", "ray", "--address", cluster.address, "--json"]
    command = [sys.executable, "-c", COMMAND, *arguments, *engine, *options]
    with messages_of(directory).open("wb") as file:
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=file)


def log_of(directory: Path) -> list[dict[str, Any]]:
    path = directory / "learner.jsonl"
    lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
    return [json.loads(line) for line in lines]


def actors_of(cluster: Cluster) -> list[int]:
    """The processes of actors and evaluators on the nodes of this cluster."""
    raylets = {
        each.process.pid
        for node in cluster.list_all_nodes()
        for each in node.all_processes["raylet"]
    }
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            name, status = (path / "cmdline").read_bytes(), (path / "stat").read_text()
        except OSError:  # it has just ended
            continue
        parent = int(status.rpartition(")")[2].split()[1])
        if parent in raylets and name.startswith(b"ray::RayWorker"):
            found.append(int(path.name))
    return found


def wait_for(process: "subprocess.Popen[bytes]", directory: Path, is_true: Any) -> dict[str, Any]:
    """The first line of the log, from now on, of which this is true."""
    before = len(log_of(directory))

    def found() -> list[dict[str, Any]]:
        assert process.poll() is None, messages_of(directory).read_text()
        return [line for line in log_of(directory)[before:] if is_true(line)]

    wait_until(lambda: bool(found()), "the run does not go on", 300)  # kernels may be compiled
    return found()[0]


def check(log: list[dict[str, Any]]) -> None:
    """No message was learnt from twice, and none is missing between two others."""
    assert [line["step"] for line in log] == list(range(1, len(log) + 1))
    last: dict[str, int] = {}
    for line in log:
        assert (line["messages"]["repeated"], line["messages"]["missing"]) == (0, 0)
        for player, (first, final) in line["messages"]["players"].items():
            assert first == last.get(player, 0) + 1
            last[player] = final
    games = 0
    for line in log:
        games += sum(line["game_length_hist"])
        assert line["total_trajectories"] == games


def end(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    process.communicate()


@pytest.mark.slow
def test_a_run_goes_on_whatever_is_killed(cluster: Cluster, tmp_path: Path) -> None:
    directory = tmp_path / "run"
    process = train(cluster, directory, *ENDLESS, "--set", *SETTINGS, "actors=3", "evaluators=0")
    try:
        wait_for(process, directory, lambda line: line["actors"] == 2)  # no room for three
        os.kill(actors_of(cluster)[0], signal.SIGKILL)
        wait_for(process, directory, lambda line: line["restarts"] == 1 and line["actors"] == 2)
        node = add_node(cluster, 2)
        wait_for(process, directory, lambda line: line["actors"] == 3)  # and no more than that
        cluster.remove_node(node, allow_graceful=False)
        line = wait_for(process, directory, lambda line: line["restarts"] == 2)
        assert line["engine"]["workers"] <= 5
        end(process)
        wait_until(lambda: not actors_of(cluster), "actors end with the learner")
        check(log_of(directory))

        steps = len(log_of(directory))
        process = train(cluster, directory, "--steps", str(steps + 3), "--resume")
        output, _ = process.communicate(timeout=900)
        assert process.returncode == 0, messages_of(directory).read_text()
        assert json.loads(output)["steps"] == steps + 3  # and nothing else was printed
    finally:
        end(process)
    log = log_of(directory)
    check(log)
    assert len(log) == steps + 3
    wait_until(lambda: not actors_of(cluster), "actors end with the run")


@pytest.mark.slow
def test_games_and_evaluations_come_from_all_over_the_cluster(
    cluster: Cluster, tmp_path: Path
) -> None:
    """Killed ten times, at any moment; the evaluator comes back too."""
    directory = tmp_path / "run"
    process = train(cluster, directory, *ENDLESS, "--set", *SETTINGS, "evaluation_window=10")
    try:
        for number in range(10):
            line = wait_for(process, directory, lambda line: line["actors"] == 1)
            restarts = line["restarts"]
            pids = actors_of(cluster)
            if number % 3 < 2:
                os.kill(pids[number % len(pids)], signal.SIGKILL)
                wait_for(process, directory, lambda line: line["restarts"] > restarts)  # noqa: B023
            else:
                end(process)
                wait_until(lambda: not actors_of(cluster), "workers end with the learner")
                process = train(cluster, directory, *ENDLESS, "--resume")
        count = log_of(directory)[-1]["eval"]["count"]
        wait_for(process, directory, lambda line: line["eval"]["count"] > count)
    finally:
        end(process)
    check(log_of(directory))


@pytest.mark.slow
def test_a_cluster_of_this_machine_alone_leaves_nothing(tmp_path: Path) -> None:
    """Killed, the command leaves no process of Ray, and --resume begins with new ones."""
    directory = tmp_path / "run"
    arguments = ["train", "clobber", "--size", "3x3", "--run", str(directory), "--games", "0"]
    command = [sys.executable, "-c", COMMAND, *arguments, "--engine", "ray"]
    marked = {**os.environ, "ZEROLAB_TEST": str(tmp_path)}

    def start(*options: str) -> "subprocess.Popen[bytes]":
        with messages_of(directory).open("wb") as file:
            return subprocess.Popen([*command, *options], stdout=file, stderr=file, env=marked)

    def left() -> list[Path]:
        return [path for path in Path("/proc").glob("[0-9]*") if is_marked(path)]

    def is_marked(path: Path) -> bool:
        try:
            return str(tmp_path).encode() in (path / "environ").read_bytes()
        except OSError:
            return False

    process = start(*ENDLESS, "--set", *SETTINGS)
    try:
        wait_for(process, directory, lambda line: True)
        assert len(left()) > 5
        end(process)
        wait_until(lambda: not left(), "processes end with the learner")
        steps = len(log_of(directory))
        process = start("--steps", str(steps + 2), "--resume")
        process.communicate(timeout=900)
        assert process.returncode == 0, messages_of(directory).read_text()
    finally:
        end(process)
    wait_until(lambda: not left(), "processes end with the run")
    check(log_of(directory))
