"""A trial: a mutant in a copy of the tree, and the tests that should notice.

Each worker has a copy of its own, with a cache of compiled kernels and a place for temporary files
of its own; the user's tree and cache are only read.
"""

import contextlib
import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.mutation.kernels import Kernels
from tests.mutation.mutants import Mutant, mutated
from tests.mutation.nearest import Imports

KILLED, TIMEOUT, SURVIVED, FAULTY = "killed", "timeout", "survived", "faulty"

_PYTEST = ("-m", "pytest", "-x", "-vv", "--tb=no", "--no-header", "-p", "no:cacheprovider")
_TOO_LATE = "Timeout ("  # so says faulthandler, before it ends the process
_STARTING = 120  # seconds that it may take to begin
_NO_TESTS = 5  # pytest's code where a file has only slow ones
_TEST = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.M)
_BEGUN = re.compile(r"^(\S+\.py::\S+)", re.M)
_WHERE = "from {}.kernels.compiling import cache_directory; print(cache_directory())"


class Limits(NamedTuple):
    """What a trial may take."""

    seconds: float  # of one test
    gigabytes: float  # of data, of one process


class Verdict(NamedTuple):
    """How a run of tests ended."""

    outcome: str
    test: str = ""  # that noticed, or that was running when the time was over


class Tree:
    """A worker's copy of a tree, in which mutants are made and tested one after the other."""

    def __init__(self, root: Path, package: str, place: Path, limits: Limits) -> None:
        self.package, self.limits, self.place = package, limits, place
        self.root = place / "tree"
        self._running: subprocess.Popen[bytes] | None = None
        self._stopped = False
        self._sound: dict[str, bool] = {}
        _copy(root, self.root)  # anew, as the tree may have changed; the cache is worth keeping
        self.imports = Imports(self.root, package)
        self.kernels = Kernels(self.imports)
        self.cache = self._cache_directory()  # of compiled kernels, without a mutant

    def try_mutant(self, mutant: Mutant) -> Verdict:
        """Run the tests that meet a mutant, the nearest first, until one fails."""
        verdict = Verdict(SURVIVED)
        with self.mutated(mutant):
            for stage in self.imports.stages(mutant.path):
                verdict = self._confirmed(self.run(stage))
                if verdict.outcome != SURVIVED:
                    break
        if verdict.outcome in (KILLED, TIMEOUT) and not self._is_sound(verdict.test):
            return verdict._replace(outcome=FAULTY)
        return verdict

    def _confirmed(self, verdict: Verdict) -> Verdict:
        """A verdict that does not depend on the tests before: those may have used up the memory."""
        if verdict.outcome == KILLED and verdict.test:
            return self._alone(verdict.test)
        return verdict

    def _is_sound(self, test: str) -> bool:
        """Whether a test that noticed a mutant passes without it: else it proves nothing."""
        function = _function(test)
        if function and function not in self._sound:
            self._sound[function] = self._alone(test).outcome == SURVIVED
        return self._sound.get(function, True)

    def _alone(self, test: str) -> Verdict:
        """Run one test, or import its file if that is what failed."""
        options = [] if "::" in test else ["--collect-only"]
        return self.run([_function(test), *options])

    def run(self, tests: list[str]) -> Verdict:
        """Run tests in a process of its own, which ends with all that it has started."""
        temporary = self.place / "tmp"
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir()
        limited = [
            "sh",
            "-c",
            'ulimit -d "$0" && exec "$@"',
            str(int(self.limits.gigabytes * 2**20)),
        ]
        command = [
            *(*limited, sys.executable, *_PYTEST),
            *("-o", f"faulthandler_timeout={self.limits.seconds}"),
            *("-o", "faulthandler_exit_on_timeout=true", *tests),
        ]
        log = self.place / "log"
        with log.open("wb") as file:
            self._running = subprocess.Popen(
                command,
                cwd=self.root,
                env=self._environment(temporary),
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,
                start_new_session=True,
            )
            try:
                code = self._wait(self._running, log)
            finally:
                _end(self._running)
        if self._stopped:
            raise KeyboardInterrupt
        return _verdict(code, log.read_text("utf-8", "replace"))

    def _wait(self, process: "subprocess.Popen[bytes]", log: Path) -> int | None:
        """The code that a process ends with, or None if it falls silent: each test prints a line.

        Tests have a limit of their own; this is for files that hang while they are imported.
        """
        size, heard = 0, time.monotonic()
        while not self._stopped and time.monotonic() - heard < _STARTING + self.limits.seconds:
            with contextlib.suppress(subprocess.TimeoutExpired):
                return process.wait(timeout=0.5)
            if log.stat().st_size != size:
                size, heard = log.stat().st_size, time.monotonic()
        return None

    def stop(self) -> None:
        """End what runs, from another thread."""
        self._stopped = True
        if self._running is not None:
            _end(self._running)

    def _environment(self, temporary: Path) -> dict[str, str]:
        return {
            **os.environ,
            "PYTHONPATH": str(self.root),  # before the tree that the environment has installed
            "XDG_CACHE_HOME": str(self.place / "cache"),
            "TMPDIR": str(temporary),
            "HYPOTHESIS_STORAGE_DIRECTORY": str(temporary / "hypothesis"),
        }

    @contextlib.contextmanager
    def mutated(self, mutant: Mutant) -> Iterator[Path | None]:
        """The copy with a slip in it, and where its kernels are, those it has no part in kept."""
        path = self.root / mutant.path
        before, stat = path.read_bytes(), path.stat()
        after = mutated(self.root, mutant)
        own = self.cache
        caches = set((self.place / "cache").rglob("kernels-*"))
        try:
            _write(path, after.encode())
            own = self._cache_directory()
            if own != self.cache:
                self._keep_kernels(own, mutant)
            yield own
        finally:
            _write(path, before)
            # Numba, too, knows a source by its time: the kernels of the unmutated file stay good.
            os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
            if own != self.cache:
                for cache in set((self.place / "cache").rglob("kernels-*")) - caches:
                    shutil.rmtree(cache, ignore_errors=True)

    def _cache_directory(self) -> Path | None:
        """Where the package keeps its kernels now, if it has any and can still say so."""
        done = subprocess.run(
            [sys.executable, "-c", _WHERE.format(self.package)],
            cwd=self.root,
            env=self._environment(self.place),
            capture_output=True,
            text=True,
        )
        return Path(done.stdout.strip()) if done.returncode == 0 else None

    def _keep_kernels(self, own: Path | None, mutant: Mutant) -> None:
        """Put into the cache of a mutant the kernels that it has no part in."""
        if own is None or self.cache is None:
            return
        spoilt = self.kernels.spoilt(mutant.path, mutant.start[0])
        kept = {
            (path.parent.name, path.stem)
            for module, path in self.imports.paths.items()
            if module in self.kernels.trees and module not in spoilt
        }
        kept -= {
            (path.parent.name, path.stem)
            for module, path in self.imports.paths.items()
            if module not in self.kernels.trees  # a test's kernels may look like a module's
        }
        for file in self.cache.glob("*/*.nb[ci]"):
            folder, module = file.parent.name.rpartition("_")[0], file.name.partition(".")[0]
            if (folder, module) in kept:
                (own / file.parent.name).mkdir(exist_ok=True)
                # Links will do: Numba replaces files and never writes into one.
                os.link(file, own / file.parent.name / file.name)


def _verdict(code: int | None, output: str) -> Verdict:
    if code in (0, _NO_TESTS):
        return Verdict(SURVIVED)
    failed, begun = _TEST.findall(output), _BEGUN.findall(output)
    if code is None or _TOO_LATE in output:
        return Verdict(TIMEOUT, begun[-1] if begun else "")
    return Verdict(KILLED, failed[0] if failed else begun[-1] if begun else "")


def _function(test: str) -> str:
    """A test with all its parameters: single ones are hard to quote."""
    return test.partition("[")[0]


def _write(path: Path, content: bytes) -> None:
    """Write a source, and drop what Python has compiled it to: it knows them by time and size."""
    path.write_bytes(content)
    Path(importlib.util.cache_from_source(str(path))).unlink(missing_ok=True)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End a process that leads a session, and all that it has started there."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _copy(root: Path, place: Path) -> None:
    """Copy the files that are, or could be, in the repository, times included."""
    shutil.rmtree(place, ignore_errors=True)
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    if (root / ".git").exists():
        listed = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
        files = [Path(name) for name in listed.stdout.split("\0") if name]
    else:
        files = [path.relative_to(root) for path in root.rglob("*") if path.is_file()]
    for file in files:
        if (root / file).is_file():
            (place / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / file, place / file)
