"""Where results go: tables and progress for people, one JSON object for programs."""

import json as json_library
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from rich.console import Console, RenderableType
from rich.live import Live
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

LOG_SECONDS = 60.0  # between lines of progress in a log file
VIEW_SECONDS = 0.25  # between drawings of a panel
COMPILING_SECONDS = 10.0  # between lines about compiling in a log file
ONCE = "once after an installation or an update"
# The kernels that take longest to compile, and how many helpers each has, more or less.
KERNELS = {"_play_games": 57, "choose_once": 50, "search": 93, "next_leaves": 123}


class Output:
    """Prints for people, or with `json` for programs; progress always goes to standard error."""

    def __init__(self, json: bool) -> None:
        self.json = json
        self.aside = Console(stderr=True, highlight=False, markup=False)
        self.console = self.aside if json else Console(highlight=False, markup=False)

    def result(self, values: dict[str, Any]) -> None:
        """The result for programs, at the end of a command."""
        if self.json:
            print(json_library.dumps(values))

    def table(
        self, title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], note: str = ""
    ) -> None:
        """The result for people."""
        if self.json:
            return
        # Title and note are outside the table, to whose width they would be wrapped.
        table = Table()
        for index, column in enumerate(columns):
            numeric = bool(rows) and all(_is_number(row[index]) for row in rows)
            # Folded, since a truncated name could be that of another player.
            table.add_column(column, justify="right" if numeric else "left", overflow="fold")
        for row in rows:
            table.add_row(*row)
        self.console.print(title, style="bold")
        self.console.print(table)
        if note:
            self.console.print(note, style="dim")

    def line(self, text: str) -> None:
        """A line of the result for people."""
        if not self.json:
            self.console.print(text)

    def note(self, text: str) -> None:
        """Print a remark on standard error."""
        self.aside.print(text)

    @contextmanager
    def compiling(self) -> Iterator[None]:
        """Show what is being compiled, and the progress, if anything is."""
        from zerolab.kernels.compiling import watch_compiling

        started = time.monotonic()
        with ExitStack() as stack:
            show: Callable[[str], None] | None = None

            def tell(kernel: str, done: int) -> None:
                nonlocal show
                if show is None:
                    if self.aside.is_terminal:
                        show = stack.enter_context(self.aside.status("compiling ...")).update
                    else:
                        self.aside.print(f"compiling, {ONCE}", soft_wrap=True)
                        show = _paced(COMPILING_SECONDS, self._print_unbroken)
                helpers = KERNELS.get(kernel)
                share = "" if helpers is None else f", {min(1.0, done / helpers):.0%} of its parts"
                seconds = time.monotonic() - started
                show(f"compiling {kernel.strip('_')}{share}, {seconds:.0f} s so far ({ONCE})")

            with watch_compiling(tell):
                yield

    def _print_unbroken(self, text: str) -> None:
        self.aside.print(text, soft_wrap=True)

    @contextmanager
    def status(self) -> Iterator[Callable[[str], None]]:
        """A line that is updated in place, or printed once a minute if that is not possible."""
        if self.aside.is_terminal:
            with Live(console=self.aside, transient=True, refresh_per_second=4) as live:
                yield lambda text: live.update(Text(text, overflow="ellipsis", no_wrap=True))
            return
        yield _paced(LOG_SECONDS, self._print_unbroken)

    @contextmanager
    def view(
        self, panel: Callable[[], RenderableType], line: Callable[[], str]
    ) -> Iterator[Callable[[], None]]:
        """A panel that is updated in place, or a line once a minute if that is not possible.

        Yields a function to be called when there is something new.
        """
        if not self.aside.is_terminal:
            yield _paced(LOG_SECONDS, lambda: self.aside.print(line(), soft_wrap=True))
            return
        with Live(
            console=self.aside, transient=True, auto_refresh=False, get_renderable=panel
        ) as live:
            yield _paced(VIEW_SECONDS, live.refresh)

    @contextmanager
    def progress(
        self, title: str, total: int | None, unit: str
    ) -> Iterator[Callable[[float], None]]:
        """A bar with the time left, or a line once a minute if that is not possible.

        Yields a function that takes the amount done.
        """
        if not sys.stderr.isatty():
            yield self._progress_in_log(title, total, unit)
            return
        columns = [TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()]
        times = [TextColumn(unit), TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn()]
        if total is None:
            columns, times = [SpinnerColumn(), MofNCompleteColumn()], [TextColumn(unit)]
        with Progress(*columns, *times, console=self.aside, transient=True) as bar:
            task = bar.add_task(title, total=total)
            yield lambda done: bar.update(task, completed=done)

    def _progress_in_log(self, title: str, total: int | None, unit: str) -> Callable[[float], None]:
        started = time.monotonic()
        before: float | None = None  # what was done before does not count for the speed

        def write(done: float) -> None:
            text = f"{done:,.0f} {unit}" if total is None else f"{done / total:.0%}"
            if total is not None and before is not None and done > before:
                left = (time.monotonic() - started) * (total - done) / (done - before)
                text += f", {left / 60:.0f} minutes left"
            self.aside.print(f"{title}: {text}", soft_wrap=True)

        write_now_and_then = _paced(LOG_SECONDS, write)

        def tell(done: float) -> None:
            nonlocal before
            before = done if before is None else before
            write_now_and_then(done)

        return tell


def _is_number(text: str) -> bool:
    return text.replace(",", "").replace(".", "").strip("+-%x ").isdigit()


def _paced(seconds: float, action: Callable[..., None]) -> Callable[..., None]:
    """The same action, skipped if called too soon after the last time, or after now."""
    last = time.monotonic()

    def act(*arguments: Any) -> None:
        nonlocal last
        if time.monotonic() - last >= seconds:
            last = time.monotonic()
            action(*arguments)

    return act
