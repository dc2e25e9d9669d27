import numba
import pytest
from numba.core import codegen
from numba.core.caching import NullCache

from zerolab.kernels.compiling import jitable, kernel, subroutine


@pytest.fixture
def full_passes(monkeypatch):
    """A list that grows by one with each time that Numba optimises a function in full."""
    numba.njit(lambda x: x)(1)  # once in a process Numba compiles something of its own
    seen = []
    original = codegen.CPUCodegen._module_pass_manager

    def count(self, **options):
        if not options:
            seen.append(self)
        return original(self, **options)

    monkeypatch.setattr(codegen.CPUCodegen, "_module_pass_manager", count)
    return seen


def test_only_the_kernel_is_optimised_in_full(full_passes):
    @jitable
    def squared(x):
        return x * x

    @subroutine
    def sum_of_squares(n):
        total = 0
        for i in range(n):
            total += squared(i)
        return total

    @kernel
    def twice(n):
        return 2 * sum_of_squares(n)

    twice._cache = NullCache()  # or it would be loaded the second time that tests are run
    assert twice(5) == 60
    assert len(full_passes) == 1


def test_functions_of_others_are_not_touched(full_passes):
    @numba.njit
    def squared(x):
        return x * x

    @numba.njit
    def sum_of_squares_and_one(n):
        total = 1
        for i in range(n):
            total += squared(i)
        return total

    assert sum_of_squares_and_one(5) == 31
    assert len(full_passes) == 2
