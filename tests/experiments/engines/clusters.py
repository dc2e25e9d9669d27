"""Clusters of several nodes on this machine alone, small, without a dashboard.

A busy machine starts Ray's processes slowly: what Ray gives up after half a minute is tried again.
"""

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

HYGIENE = {
    "RAY_ENABLE_AUTO_CONNECT": "0",
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_worker_register_timeout_seconds": "600",
    "RAY_health_check_timeout_ms": "60000",
}
os.environ.update(HYGIENE)  # read when Ray is imported, and inherited by its processes

from ray.cluster_utils import Cluster  # noqa: E402

NODE = {
    "node_ip_address": "127.0.0.1",
    "object_store_memory": 80 * 2**20,
    "include_dashboard": False,
    "include_log_monitor": False,
}
ATTEMPTS = 5


@contextmanager
def nodes(*processors: int) -> Iterator[Cluster]:
    """A cluster of nodes with these numbers of processors; the first is its head."""
    directory = tempfile.mkdtemp(prefix="ray", dir="/tmp")  # sockets have short names
    cluster = started(directory, processors[0])
    try:
        for count in processors[1:]:
            add_node(cluster, count)
        yield cluster
    finally:
        cluster.shutdown()
        shutil.rmtree(directory, ignore_errors=True)


def started(directory: str, processors: int) -> Cluster:
    """A cluster with its head alone."""
    cluster = Cluster()
    _patiently(
        lambda: cluster.add_node(num_cpus=processors, temp_dir=directory, no_monitor=True, **NODE)
    )
    return cluster


def add_node(cluster: Cluster, processors: int) -> Any:
    """One more node."""
    return _patiently(lambda: cluster.add_node(num_cpus=processors, **NODE))


def _patiently(start: Callable[[], Any]) -> Any:
    for attempt in range(ATTEMPTS):
        try:
            return start()
        except Exception:
            if attempt == ATTEMPTS - 1:
                raise
            time.sleep(1)
    raise AssertionError


def wait_until(is_true: Callable[[], bool], what: str, seconds: float = 300) -> None:
    """Wait for something that happens soon, or after long on a busy machine."""
    deadline = time.monotonic() + seconds
    while not is_true():
        assert time.monotonic() < deadline, what
        time.sleep(0.05)
