"""Pieces of work on a real cluster: done once, whatever dies while they are done."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.experiments.engines.clusters import Cluster, nodes
from zerolab.errors import UsageError
from zerolab.evaluation.matches.tournaments import Event, play_event
from zerolab.experiments.engines.ray_cluster import connected
from zerolab.experiments.engines.ray_tasks import play_on_cluster, spread
from zerolab.games.clobber import Clobber


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with nodes(0, 2) as cluster, connected(cluster.address):
        yield cluster


def test_a_tournament_is_the_same_on_a_cluster(cluster: Cluster, tmp_path: Path) -> None:
    """Games depend on their seeds alone. A stopped one goes on with the games that are missing."""
    event = Event(Clobber(3, 3), ("random", "mc:2", "mcts:4"), rounds=3, seed=5)
    path = tmp_path / "games.jsonl"
    few, _ = play_event(event._replace(rounds=1), path, play=play_on_cluster)
    played, is_complete = play_event(event, path, play=play_on_cluster)
    here, _ = play_event(event)
    assert is_complete
    assert (len(few), len(played)) == (6, 18)
    assert {each[:7] for each in played} == {each[:7] for each in here}


def test_what_dies_is_done_again(cluster: Cluster, tmp_path: Path) -> None:
    def once(number: int) -> int:
        mark = tmp_path / str(number)
        if number == 3 and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return number * number

    found: dict[int, int] = {}

    def keep(item: int, result: int) -> bool:
        assert item not in found
        found[item] = result
        return False

    assert spread(once, range(12), keep)
    assert found == {number: number**2 for number in range(12)}


def test_whoever_has_enough_gets_no_more(cluster: Cluster) -> None:
    found: list[int] = []

    def keep(item: int, result: int) -> bool:
        found.append(result)
        return len(found) == 3

    assert spread(abs, range(1000), keep)
    assert len(found) == 3


def test_errors_of_the_user_stay_a_sentence(cluster: Cluster) -> None:
    def refuse(item: int) -> None:
        raise UsageError(f"no {item}")

    with pytest.raises(UsageError, match=r"^no 7$"):
        spread(refuse, [7], lambda item, result: False)


def test_ctrl_c_ends_it_with_what_is_there(cluster: Cluster) -> None:
    found: list[int] = []

    def keep(item: float, result: None) -> bool:
        found.append(1)
        if len(found) == 2:
            raise KeyboardInterrupt
        return False

    assert not spread(time.sleep, [0.01] * 100, keep)
    assert len(found) == 2
