"""PyTorch on this machine: its threads, its seed, and the peak speed for comparison."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

import torch

SIDE = 512  # what fits in the cache goes fastest
MULTIPLY_ADDS = SIDE**3  # of one product


@contextmanager
def at_most(threads: int) -> Iterator[None]:
    """Within the block PyTorch uses at most that many cores."""
    before = torch.get_num_threads()
    torch.set_num_threads(min(before, threads))
    try:
        yield
    finally:
        torch.set_num_threads(before)


def use_threads(count: int) -> None:
    """From now on PyTorch uses that many cores in this process."""
    torch.set_num_threads(count)


def one_thread() -> AbstractContextManager[None]:
    """Within the block PyTorch uses one core."""
    return at_most(1)


def seed_weights(seed: int) -> None:
    """Make the weights of the next network, and dropout, depend on a seed alone."""
    torch.manual_seed(seed)


def multiply_matrices(times: int) -> None:
    """Multiply matrices, which comes closest to the peak speed."""
    matrix = torch.ones(SIDE, SIDE)
    result = torch.empty_like(matrix)
    for _ in range(times):
        torch.mm(matrix, matrix, out=result)
