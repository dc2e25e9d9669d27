"""What a worker process does: one task after another, told over a pipe.

A task is a record with `run(memory, tell)`. It tells what it finds as it goes along; `tell` raises
`Stopped` as soon as nobody wants to know any more. Workers ignore Ctrl-C, and end when the server
closes the pipe or is gone.
"""

import signal
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, NamedTuple, Protocol

STOP, QUIT = "stop", "quit"

Tell = Callable[[Any], None]


class Stopped(Exception):  # noqa: N818  # no error: somebody asked for it
    """Nobody wants the result of the task."""


class Done(NamedTuple):
    """A task has ended; the reason, in a sentence, if it failed."""

    failure: str = ""


class Compiling(NamedTuple):
    """A kernel is being compiled, which happens once for each game and kind of search."""

    kernel: str


class Memory:
    """What a worker keeps between tasks: players, whose networks are loaded, and solvers."""

    MOST = 4

    def __init__(self) -> None:
        self._kept: dict[object, Any] = {}

    def keep(self, key: object, make: Callable[[], Any]) -> Any:
        """What was made for this key before, or now."""
        found = self._kept.pop(key, None)
        if found is None:
            found = make()
        self._kept[key] = found
        while len(self._kept) > self.MOST:
            oldest = next(iter(self._kept))
            _close(self._kept.pop(oldest))
        return found

    def forget(self) -> None:
        """Close everything."""
        for each in self._kept.values():
            _close(each)
        self._kept.clear()


class Task(Protocol):
    """Something to compute away from the event loop."""

    def run(self, memory: Memory, tell: Tell) -> None:
        """Compute, and tell what is found."""


def serve_tasks(pipe: Connection) -> None:
    """The main function of a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    memory = Memory()
    try:
        while True:
            message = pipe.recv()
            if message == QUIT:
                break
            if message == STOP:
                continue  # for a task that has ended by now
            number, task = message
            pipe.send((number, _run(task, memory, pipe, number)))
    except (EOFError, OSError):
        pass  # the server is gone
    finally:
        memory.forget()


def _run(task: Task, memory: Memory, pipe: Connection, number: int) -> Done:
    from zerolab.errors import UsageError
    from zerolab.kernels.compiling import watch_compiling

    def tell(what: Any) -> None:
        if pipe.poll():
            if pipe.recv() == QUIT:
                raise EOFError
            raise Stopped
        if what is not None:
            pipe.send((number, what))

    def compiling(kernel: str, done: int) -> None:
        pipe.send((number, Compiling(kernel)))

    try:
        with watch_compiling(compiling):
            task.run(memory, tell)
    except Stopped:
        return Done()
    except UsageError as error:
        return Done(str(error))
    except (EOFError, OSError):
        raise
    except MemoryError:
        return Done("there is not enough memory for this")
    except Exception as error:  # the page must hear of it, and the worker go on
        return Done(f"this went wrong: {type(error).__name__}: {error}")
    return Done()


def _close(thing: Any) -> None:
    close = getattr(thing, "close", None)
    if close is not None:
        close()
