"""From plain Python rules to compiled kernels.

There are eight decorators:

- ``@generic`` makes a name that every game binds to a function of its own, such as ``step``;
- ``@rule(Clobber)`` binds one of those names for one game;
- ``@kernel`` compiles a function that plays any game through the generic names;
- ``@jitable`` marks a helper that rules and kernels call, ``@subroutine`` a large one,
  ``@recursive`` one that calls itself, ``@vectorised`` one that adds up many numbers, and
  ``@interpreted`` one that Python runs.

A kernel is compiled once for each class of game record it meets. The class decides then
which rules it gets, so nothing is looked up at run time and everything can be inlined. Called from
Python, or under ``NUMBA_DISABLE_JIT=1``, the same functions run as plain Python, and a debugger can
step through them.

Compiled kernels are kept on disk, in a directory named after a hash of the sources they came from,
because Numba does not notice an edit in another file (numba issue 8396).
"""

import contextlib
import functools
import hashlib
import inspect
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba import types
from numba.core.caching import NullCache
from numba.core.event import Listener, install_listener
from numba.extending import overload, register_jitable

from zerolab.kernels import quick_compiling

F = TypeVar("F", bound=Callable[..., Any])

# Compiled code never allocates: the caller of a kernel passes the buffers it needs. So reference
# counting can be switched off, which makes random games six times as fast (the counts are atomic,
# and taken at every call) and halves the time to compile. What is small is inlined always, another
# factor of three: a call hands over an array as five numbers. Options should be the same wherever
# they can: a helper is compiled anew for callers with other ones.
_LEAN: Any = {"_nrt": False, "error_model": "numpy", "nogil": True}
_INLINED: Any = {**_LEAN, "forceinline": True}
# Of "fast math" only this much: sums in any order, products and sums in one rounding. NaN,
# infinities and the sign of zero keep their meaning.
_ANY_ORDER: Any = {"fastmath": {"reassoc", "contract"}}
_UNSEEN: Any = {**_LEAN, "no_cpython_wrapper": True}  # as helpers have it: Python cannot call it

_config: Any = numba.config
_PACKAGE = Path(__file__).resolve().parent.parent
_OF_KERNELS = {
    "kernels",
    "games",
    "encodings",
    "solver",
    "search",
}  # an edit there changes compiled code
_CACHES_KEPT = 8
_SECONDS_KEPT = 24 * 3600

_bindings: dict[str, dict[type, Callable[..., Any]]] = {}
_defaults: dict[str, Callable[..., Any]] = {}
_classes: dict[str, type] = {}
_kernels: list[Any] = []
_guest_sources: dict[str, str] = {}

quick_compiling.install()


def jitable(function: F) -> F:
    """A helper for rules and kernels: inlined into them, plain Python elsewhere."""
    return _helper(function, _INLINED)


def subroutine(function: F) -> F:
    """A helper so large that a call costs relatively little: called, not inlined."""
    return _helper(function, _LEAN)


def vectorised(function: F) -> F:
    """A helper with a sum of floats, inlined, that is computed in the fastest order.

    The last bits of the sum may differ between kinds of processor, and from plain Python.
    """
    return register_jitable(**_INLINED, **_ANY_ORDER)(function)


def interpreted(function: F) -> F:
    """A helper that is one block ``with numba.objmode``: Python runs it, one thread at a time.

    It takes numbers only. Without reference counting a kernel cannot hand over an array, but it
    can hand over its address.
    """
    return _helper(function, {**_LEAN, "nogil": False})  # or Numba warns of what is said above


def _helper(function: F, options: Any) -> F:
    quick_compiling.note_helper(function)
    return register_jitable(**options)(function)


def recursive(function: F) -> F:
    """A helper that calls itself, always with the same types: else a kernel that calls it would
    load from the cache with a hole in it. Its first `return` must not call it. Only compiled code
    can call it.
    """
    if _config.DISABLE_JIT:
        return function
    quick_compiling.note_helper(function)
    return cast(F, numba.njit(**_UNSEEN)(function))


def generic(default: F) -> F:
    """Make `default` a name that games bind; a game that does not bind it gets `default` itself."""
    bound = _bindings.setdefault(default.__name__, {})
    _defaults[default.__name__] = default

    @functools.wraps(default)
    def dispatch(game: Any, *arguments: Any) -> Any:
        return bound.get(type(game), default)(game, *arguments)

    @functools.wraps(default)
    def choose(game: Any, *arguments: Any) -> Callable[..., Any]:
        # An all-int record types as NamedUniTuple, another as NamedTuple: only the class counts.
        if any(isinstance(field, types.UnicodeType | types.EnumMember) for field in game):
            raise TypeError("a kernel takes lean(game), not the game itself")
        return bound.get(getattr(game, "instance_class", type(None)), default)

    # Not strict: Numba would have the annotations agree too. The decorator `rule` checks the names.
    overload(dispatch, strict=False, jit_options=_INLINED)(choose)
    return cast(F, dispatch)


def rule(game_class: type, name: str | None = None) -> Callable[[F], F]:
    """Bind a generic name, the function's own if no other is given, for games of this class."""

    def bind(function: F) -> F:
        return _bind(game_class, name or function.__name__, function)

    return bind


def _bind(game_class: type, name: str, function: F) -> F:
    if name not in _bindings:
        raise TypeError(f"{name} is not a rule; rules are {', '.join(sorted(_bindings))}")
    expected, given = (list(inspect.signature(f).parameters) for f in (_defaults[name], function))
    if expected != given:
        raise TypeError(f"{name} takes ({', '.join(expected)}), not ({', '.join(given)})")
    _give_own_name(game_class)
    _bindings[name][game_class] = function
    if not function.__module__.startswith(f"{_PACKAGE.name}."):
        _welcome_guest(function)
    return function


def _give_own_name(game_class: type) -> None:
    """Numba tells compiled functions apart by the names of their types, so no two may be alike."""
    name = game_class.__name__
    if _classes.setdefault(name, game_class) is not game_class:
        while name in _classes:
            name += f"_{hashlib.sha256(game_class.__module__.encode()).hexdigest()[:6]}"
        game_class.__name__ = name
        _classes[name] = game_class


def lean(game: Any) -> Any:
    """A record for kernels: numbers only, with the length of a text in its place.

    Unboxing texts and enums costs 30 microseconds at each call of a kernel, and leaks memory
    without reference counting. The content of a text is needed only in Python.
    """
    return game._make(len(value) if isinstance(value, str) else int(value) for value in game)


def length_of(text: Any) -> int:
    """The length of a text field of a record; a lean record has the length itself."""
    return text if isinstance(text, int) else len(text)


@overload(length_of, strict=False)
def _length_of(text: Any) -> Any:
    return lambda text: text


def has_rule(game_class: type, name: str) -> bool:
    """Whether games of this class bind that name themselves."""
    return game_class in _bindings[name]


def kernel(function: F) -> F:
    """Compile a function that is generic over games. It releases the GIL, so threads run apart."""
    if _config.DISABLE_JIT:
        return function
    quick_compiling.note_kernel(function)
    compiled = numba.njit(**_LEAN)(function)
    _kernels.append(compiled)
    _enable_cache(compiled)
    return cast(F, compiled)


def _welcome_guest(function: Callable[..., Any]) -> None:
    """Add the source of rules from outside the package to the hash that names the cache."""
    source = ""  # of what a prompt or a notebook defines: it cannot be found again
    if function.__module__ != "__main__":
        with contextlib.suppress(OSError):
            source = Path(inspect.getsourcefile(function) or "").read_text()
    if _guest_sources.get(function.__module__) == source:
        return
    _guest_sources[function.__module__] = source
    cache_directory.cache_clear()
    for compiled in _kernels:
        _enable_cache(compiled)


def _enable_cache(compiled: Any) -> None:
    directory = cache_directory()
    compiled._cache = NullCache()
    if directory is not None:
        _config.CACHE_DIR = str(directory)
        with contextlib.suppress(RuntimeError):  # a kernel that stands in no file
            compiled.enable_caching()
        # Where it cannot write, Numba turns to the sources' own directory, and mixes versions.
        if directory not in Path(compiled.stats.cache_path or "").parents:
            compiled._cache = NullCache()


@functools.cache
def cache_directory() -> Path | None:
    """The directory of compiled kernels, or None if there is none."""
    if not all(_guest_sources.values()):
        return None
    digest = hashlib.sha256(numba.__version__.encode())
    for path in kernel_sources():
        digest.update(path.read_bytes())
    for module, source in sorted(_guest_sources.items()):
        digest.update(f"{module}\n{source}".encode())
    directory = user_cache() / f"kernels-{digest.hexdigest()[:16]}"
    try:
        directory.mkdir(parents=True, exist_ok=True)
        os.utime(directory)
        _clear_old_caches(directory.parent)
    except OSError:  # a read-only home
        return None
    return directory


def kernel_sources() -> list[Path]:
    """The files that compiled code comes from: five layers, and elsewhere whatever has kernels.

    A kernel outside the five layers may take constants from these files only.
    """
    return [
        path
        for path in sorted(_PACKAGE.rglob("*.py"))
        if path.relative_to(_PACKAGE).parts[0] in _OF_KERNELS
        or re.search(
            rb"^@(kernel|rule|jitable|subroutine|vectorised|recursive)", path.read_bytes(), re.M
        )
    ]


class _Watch(Listener):
    """Follows Numba: a kernel first compiles its helpers, one after the other, then itself."""

    def __init__(self, tell: Callable[[str, int], None]) -> None:
        self._tell = tell
        self._depth, self._kernel, self._done = 0, "", 0

    def on_start(self, event: Any) -> None:
        if self._depth == 0:
            self._kernel, self._done = event.data["dispatcher"].py_func.__name__, 0
            self._tell(self._kernel, self._done)
        self._depth += 1

    def on_end(self, event: Any) -> None:
        self._depth -= 1
        if self._depth > 0:
            self._done += 1
            self._tell(self._kernel, self._done)


@contextlib.contextmanager
def watch_compiling(tell: Callable[[str, int], None]) -> Iterator[None]:
    """Within the block, `tell` which kernel is being compiled and how many of its helpers are."""
    with install_listener("numba:compile", _Watch(tell)):
        yield


def user_cache() -> Path:
    """The user's cache directory, for files that can be recreated."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home()))
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "zerolab"


def _clear_old_caches(parent: Path) -> None:
    """Delete the kernels of old sources, except those a running process may still write to."""
    caches = sorted(parent.glob("kernels-*"), key=lambda path: -path.stat().st_mtime)
    for path in caches[_CACHES_KEPT:]:
        if time.time() - path.stat().st_mtime > _SECONDS_KEPT:
            shutil.rmtree(path, ignore_errors=True)
