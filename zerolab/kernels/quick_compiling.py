"""Compiling in two thirds of the time: helpers are optimised in full only where they end up.

Numba optimises every function in full, links the result into its callers and optimises it there
again, up to the kernel: the deeper a helper lies, the more often. But only the kernel is ever
called from outside. For helpers the first, cheap passes of Numba's two are enough: they clean up
and inline, and the kernel's full passes see the whole. (Not for rules and for loops that are
to be vectorised: those came out up to a seventh slower.)

Numba has no option for this, so a method of its code generator is wrapped. Where a later version
has no such method, everything is compiled as usual. Functions are identified by their qualified
names: a foreign function with the name of a helper is compiled like one, which is correct but may
be slower.
"""

import functools
from collections.abc import Callable
from typing import Any

from numba.core import codegen

_helpers: set[str] = set()
_kernels: set[str] = set()


def note_helper(function: Callable[..., Any]) -> None:
    """Only compiled code calls this function."""
    _helpers.add(function.__qualname__)


def note_kernel(function: Callable[..., Any]) -> None:
    """Python calls this function, even if a helper has the same name."""
    _kernels.add(function.__qualname__)


def install() -> None:
    """Make Numba skip its full passes for helpers."""
    library = getattr(codegen, "CPUCodeLibrary", None)
    optimise_fully = getattr(library, "_optimize_final_module", None)
    if library is None or optimise_fully is None:
        return

    @functools.wraps(optimise_fully)
    def optimise(self: Any) -> None:
        if self.name in _kernels or self.name not in _helpers:
            optimise_fully(self)
            return
        generator = self._codegen
        passes, builder = generator._module_pass_manager(
            loop_vectorize=generator._loopvect,
            slp_vectorize=False,
            opt=generator._opt_level,
            cost="cheap",
        )
        passes.run(self._final_module, builder)

    library._optimize_final_module = optimise
