"""PyTorch on this machine: its threads, memory and seed, and the peak speed for comparison."""

import ctypes
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

import torch

SIDE = 512  # what fits in the cache goes fastest
MULTIPLY_ADDS = SIDE**3  # of one product

# Parameters of mallopt (malloc.h of glibc), and how variables begin by which users set them.
TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3
ALLOCATOR_SETTINGS = "MALLOC_", "GLIBC_TUNABLES"
KEPT = 2**31 - 1  # bytes, the most that can be said
LARGEST_KEPT = 32 * 2**20  # bytes; the library insists on mapping what is larger


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


def keep_freed_memory() -> bool:
    """From now on this process keeps what it frees; return whether the C library agreed.

    Learning frees all activations after each batch and asks for as much again. By default glibc
    returns such memory to the system, which clears every page before it lends it again: a tenth of
    the time of a batch, and more on a busy machine (zerolab bench learning). Nothing happens where
    the environment configures the allocator, and outside glibc.
    """
    if any(name.startswith(ALLOCATOR_SETTINGS) for name in os.environ):
        return False
    mallopt = getattr(_c_library(), "mallopt", None)
    if mallopt is None:
        return False
    return bool(mallopt(MMAP_THRESHOLD, LARGEST_KEPT)) and bool(mallopt(TRIM_THRESHOLD, KEPT))


def _c_library() -> ctypes.CDLL | None:
    try:
        return ctypes.CDLL(None)
    except (OSError, TypeError):  # Windows has no library without a name
        return None
