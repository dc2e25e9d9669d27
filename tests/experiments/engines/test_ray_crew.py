"""Workers on a real cluster of several nodes: processes and nodes killed, nodes added."""

import os
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.experiments.engines.clusters import Cluster, add_node, nodes, wait_until
from tests.experiments.sweeps.small import small_sweep
from tests.training import jobs
from zerolab.errors import UsageError
from zerolab.experiments.engines.ray_cluster import connected
from zerolab.experiments.engines.ray_crew import RayCrew
from zerolab.experiments.engines.ray_worker import OUTBOX
from zerolab.experiments.experiment import run_experiment
from zerolab.experiments.sweeps.definition import Place, open_sweep
from zerolab.experiments.sweeps.findings import summarise
from zerolab.experiments.sweeps.trials import Told
from zerolab.experiments.sweeps.workers import run_hired
from zerolab.games.clobber import Clobber
from zerolab.training.loop import Limits
from zerolab.training.selfplay.receipts import ReceiptBook
from zerolab.training.selfplay.workforce import CAPACITY, UNLIMITED, Job
from zerolab.training.settings.continuous_config import TrainingConfig

GAME = Clobber(3, 3)
SMALL: dict[str, object] = {
    **{"max_simulations": 8, "batch": 8, "nn_model": "zerolab", "nn_width": 8, "nn_depth": 1},
    **{"replay_buffer_size": 512, "replay_buffer_reuse": 4, "train_batch_size": 32},
    **{"eval_levels": 2, "exact_stones": 18},
}
IN_FLIGHT = 2 * OUTBOX + 2  # of one worker: its outbox, a parcel, and what it holds in its hands


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """A head without processors, where the learner is, and a node with two."""
    with nodes(0, 2) as cluster, connected(cluster.address):
        yield cluster


@contextmanager
def working(players: list[Job], others: tuple[Job, ...] = ()) -> Iterator[RayCrew]:
    crew = RayCrew(players, Path("no file"), others)
    crew.start(0, b"first", seed=1)
    try:
        yield crew
    finally:
        crew.close()


def test_messages_are_lost_in_flight_only(cluster: Cluster, tmp_path: Path) -> None:
    """A process is killed, a node is added, and killed: ledgers say what was sent."""
    book, deaths = ReceiptBook(), 0
    taken: dict[int, int] = {}

    def take() -> None:
        seed, number = crew.take()
        assert book.is_new(seed, number)
        taken[seed] = taken.get(seed, 0) + 1

    def take_until_there_are(workers: int, lives: int) -> None:
        deadline = time.monotonic() + 600
        while len(crew.pids) != workers or len(taken) < lives:
            assert time.monotonic() < deadline, (crew.pids, crew.figures)
            take()

    job = Job("clerk", jobs.keep_ledger, (tmp_path, 0.002))
    with working([job._replace(name=f"clerk {number}") for number in range(UNLIMITED)]) as crew:
        take_until_there_are(2, 2)  # as many as there are processors
        assert crew.players == 2
        assert crew.neighbours == 0

        os.kill(crew.pids["clerk 0"], signal.SIGKILL)
        while crew.deaths == deaths:
            take()
        take_until_there_are(2, 3)

        node = add_node(cluster, 1)
        take_until_there_are(3, 4)
        assert crew.figures["nodes"] == 2

        cluster.remove_node(node, allow_graceful=False)
        while crew.deaths == 1:
            take()
        take_until_there_are(2, 4)
        figures = crew.figures
    assert crew.deaths == 2
    assert (figures["workers"], figures["nodes"]) == (4, 1)
    ledgers = {int(path.name, 16): len(path.read_text().split()) for path in tmp_path.iterdir()}
    assert ledgers.keys() == taken.keys()  # each life has a seed of its own
    receipts = book.step()
    assert (receipts.repeated, receipts.missing) == (0, 0)
    assert receipts.learnt == sum(taken.values())
    waiting = figures["received"] - receipts.learnt
    assert 0 <= waiting <= CAPACITY + 2 * IN_FLIGHT
    for seed, count in taken.items():
        assert count <= ledgers[seed] <= count + waiting + IN_FLIGHT
    on_their_way = figures["finished"] - figures["received"] - figures["lost"]
    assert 0 <= on_their_way <= 2 * OUTBOX
    assert figures["finished"] <= sum(ledgers.values())


def test_a_run_learns_from_games_of_the_cluster(cluster: Cluster, tmp_path: Path) -> None:
    """Each message once; its log says who sent it."""
    config = TrainingConfig().changed(**SMALL, actors=UNLIMITED, evaluators=1)
    limits = Limits(steps=3)
    outcome = run_experiment(GAME, config, tmp_path, limits, compiling=0.0, hire=RayCrew)
    assert [line["step"] for line in outcome.log] == [1, 2, 3]
    last = outcome.log[-1]
    assert last["engine"]["name"] == "ray"
    assert last["engine"]["lost"] == 0
    assert 1 <= last["actors"] <= 2
    found = [line["messages"] for line in outcome.log]
    assert {(each["repeated"], each["missing"]) for each in found} == {(0, 0)}
    ranges = [pair for each in found for pair in each["players"].values()]
    assert sum(final - first + 1 for first, final in ranges) == found[-1]["learnt"]
    assert found[-1]["learnt"] <= last["engine"]["received"] <= last["engine"]["finished"]


def test_nobody_works_ahead_of_a_learner_who_takes_nothing(
    cluster: Cluster, tmp_path: Path
) -> None:
    """Games wait in outboxes; what others say comes none the less, and first."""
    job = Job("clerk", jobs.keep_ledger, (tmp_path, 0.0))
    with working([job], (Job("reader", jobs.read_models, ()),)) as crew:
        wait_until(lambda: len(crew._games) >= CAPACITY, "messages arrive")
        wait_until(lambda: len(crew._verdicts) == 1, "the network comes back")
        path = next(tmp_path.iterdir())

        def stands_still() -> bool:
            before = path.stat().st_size
            time.sleep(1)
            return path.stat().st_size == before

        wait_until(stands_still, "the worker waits")
        assert len(path.read_text().split()) <= CAPACITY + 2 * IN_FLIGHT
        crew.publish(1, b"second")
        wait_until(lambda: len(crew._verdicts) == 2, "the new network comes back")
        assert [crew.take(), crew.take()] == [(0, b"first"), (1, b"second")]
        numbers = [number for _ in range(2 * CAPACITY) for _, number in [crew.take()]]
        assert numbers == list(range(1, 2 * CAPACITY + 1))


def test_seeds_are_those_of_the_step_that_a_run_goes_on_from(cluster: Cluster) -> None:
    def first_seeds(seed: int) -> set[int]:
        crew = RayCrew([Job(f"counter {i}", jobs.count, (1,)) for i in range(2)], Path("none"))
        crew.start(0, b"", seed)
        found: set[int] = set()
        while len(found) < 2:
            found.add(crew.take()[1])
        crew.close()
        return found

    assert first_seeds(1) == first_seeds(1)
    assert not first_seeds(1) & first_seeds(2)


def test_a_worker_that_cannot_live_ends_the_run_with_a_sentence(cluster: Cluster) -> None:
    with (
        working([Job("actor 1", jobs.fail, ())]) as crew,
        pytest.raises(UsageError, match=r"actor 1 died 3 times in a row: .*no rules for this"),
    ):
        crew.take()


def test_a_job_that_a_node_does_not_know_ends_the_run_too(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zerolab.experiments.engines.ray_crew._REST", 0.1)
    with (
        working([Job("actor 1", jobs.fail, (Unknown(),))]) as crew,
        pytest.raises(UsageError, match="actor 1 died 3 times in a row"),
    ):
        crew.take()


class Unknown:
    """Cannot be unpacked."""

    def __reduce__(self) -> tuple[object, ...]:
        return (_explode, ())


def _explode() -> None:
    raise RuntimeError("not here")


def test_nodes_have_the_same_version(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zerolab.experiments.engines.ray_crew.__version__", "0.0.1")
    message = r"a node of the cluster has zerolab .*, and this is 0\.0\.1"
    with working([Job("counter", jobs.count, (1,))]) as crew:
        wait_until(lambda: crew.waiting > 0 or crew._failure is not None, "it is heard")
        crew._games.clear()
        with pytest.raises(UsageError, match=message):
            crew.take()


def test_a_cluster_without_a_free_processor_says_so(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zerolab.experiments.engines.ray_crew._free_processors", lambda: 0)
    monkeypatch.setattr("zerolab.experiments.engines.ray_crew._ROOM", 0.5)
    crew = RayCrew([Job("counter", jobs.count, (1,))], Path("none"))
    with pytest.raises(UsageError, match="less than 1 free processors"):
        crew.start(0, b"", seed=1)
    crew.close()


def test_trials_of_a_sweep_are_made_on_the_cluster(cluster: Cluster, tmp_path: Path) -> None:
    """There is room for one of three workers at a time."""
    place = Place(tmp_path / "sweep")
    told: list[Told] = []
    crews: list[RayCrew] = []

    def hire(players: Sequence[Job], path: Path, others: Sequence[Job] = ()) -> RayCrew:
        crews.append(RayCrew(players, path, others, processors=2))
        return crews[0]

    assert run_hired(small_sweep(), place, 3, 2, hire, told.append)
    assert crews[0].started == 1
    summary = summarise(small_sweep(), open_sweep(small_sweep(), place))
    assert summary.is_complete
    assert {each.number for each in told} == {trial.number for trial in summary.complete}
