"""Connections to a cluster of Ray, or to one on this machine that lasts as long as the connection.

Nothing is sent to Ray's makers, no dashboard is served, and a cluster on this machine alone listens
to nobody else.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # read when Ray is imported
os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")

import ray
from ray._private import ray_constants
from ray._private import worker as ray_driver

from zerolab.errors import UsageError
from zerolab.training.selfplay.workforce import cores_beside

STORE = 256 * 2**20  # bytes, of the object store on this machine: there is one network at a time
_LOOPBACK = ("127.0.0.1", "localhost")
_QUIET: dict[str, Any] = {
    "log_to_driver": False,
    "logging_level": "ERROR",
    "namespace": "zerolab",
}


@contextmanager
def connected(address: str | None) -> Iterator[None]:
    """Be part of the cluster at an address within the block, or of one on this machine alone."""
    if address is not None and address.startswith("ray://"):
        raise UsageError(
            f"--address {address}: the learner is part of the cluster; start zerolab on one of its "
            "machines, with --address auto"
        )
    is_here = address is None or address.partition(":")[0] in _LOOPBACK
    with _in_silence(), _on_loopback(is_here):
        try:
            if address is None:
                ray.init(
                    "local",
                    num_cpus=cores_beside(1),
                    object_store_memory=STORE,
                    include_dashboard=False,
                    **_QUIET,
                )
            else:
                ray.init(address, **_QUIET)
        except Exception as error:  # of whatever kind: Ray has no common one for this
            where = "this machine" if address is None else f"--address {address}"
            raise UsageError(
                f"{where}: there is no cluster to be part of ({_first_line(error)}); see "
                "docs/cluster.md"
            ) from None
        try:
            yield
        finally:
            ray.shutdown()


@contextmanager
def _in_silence() -> Iterator[None]:
    """Within the block Ray does not report every dead worker on standard output; we count them."""
    before = ray_driver.print_to_stdstream
    ray_driver.print_to_stdstream = _say_nothing
    try:
        yield
    finally:
        ray_driver.print_to_stdstream = before


def _say_nothing(*words: Any, **options: Any) -> None:
    """Print nothing."""


@contextmanager
def _on_loopback(is_wanted: bool) -> Iterator[None]:
    """Within the block this machine has no other address; Ray would look for its public one."""
    before = ray_constants.ENABLE_RAY_CLUSTER
    if is_wanted:
        ray_constants.ENABLE_RAY_CLUSTER = False
    try:
        yield
    finally:
        ray_constants.ENABLE_RAY_CLUSTER = before


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
