"""How fast the web page answers a click while a run trains and searches run, in a real browser.

A server is started on this machine with a directory of runs of its own, and a browser without a
window (Chromium, by Playwright). A run is started from the page and trains until the end; one page
searches without pause. Then stones are moved on another page, and set on a third, where each stone
cancels a search and begins the next. Last, many pages are open at once, all of them are clicked,
and it is counted what is left when they are closed and the server is stopped.

A time runs from the moment at which the browser takes the click to the end of the first frame
that shows the new position.
"""

import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from zerolab.benchmarks.server_processes import (
    HAS_PROC,
    family_of,
    left_of,
    seconds_until_idle,
    workers_of,
)
from zerolab.errors import UsageError
from zerolab.evaluation.players.engine_process import find_program
from zerolab.games.boards.board_picture import lay_out
from zerolab.games.clobber import Clobber
from zerolab.games.notation import action_space
from zerolab.games.position import Position

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

PATIENCE = 180.0  # seconds for anything that a page is to show
COMPILING = 600.0  # seconds for a first move or step: what they need may have to be compiled
STOPPING = 60.0  # seconds that the server may take to end
MOST_PAGES = 100
BATCH = 10  # clicks after which the other page's search is begun again
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome")
BOARD = Clobber(10, 10)  # a game of some 40 moves a side
ANALYSED = Clobber(4, 6)  # what the page shows first
PLAYED = Clobber(5, 5)
RUN = "bench"

WATCH = """
window.zlTimes = []; window.zlClicked = null; window.zlPending = 0;
addEventListener('pointerdown', event => {
  window.zlTimes = []; window.zlClicked = event.timeStamp;
}, true);
new MutationObserver(changes => {
  const since = window.zlClicked, times = window.zlTimes;
  if (since === null || !changes.some(each => each.target.classList.contains('zl-board'))) return;
  window.zlPending += 1;
  requestAnimationFrame(() => setTimeout(() => {
    window.zlPending -= 1;
    times.push(performance.now() - since);
  }));
}).observe(document.body, {subtree: true, attributes: true, attributeFilter: ['aria-label']});
"""


class ClickTimes(NamedTuple):
    """Milliseconds from clicks to what they show."""

    what: str
    times: tuple[float, ...]

    @property
    def median(self) -> float:
        """Half of the clicks are answered in this time."""
        return float(np.median(self.times))

    @property
    def most(self) -> float:
        """95 in 100 clicks are answered in this time."""
        return float(np.percentile(self.times, 95))

    def summary(self) -> dict[str, float]:
        """For programs."""
        return {
            "clicks": len(self.times),
            "median_ms": self.median,
            "p95_ms": self.most,
            "slowest_ms": max(self.times),
        }


class PageSpeed(NamedTuple):
    """What was measured of the page."""

    moves: ClickTimes
    """Moves on a page that judges each position."""
    stones: ClickTimes
    """Stones set under analysis; each cancels a search and begins another."""
    pages: int
    """Pages that were open at once."""
    crowd: ClickTimes
    """A click on each of them."""
    replies: ClickTimes
    """From a move to the reply of mcts:1000, on half of them."""
    workers: int | None
    """Worker processes when all these pages were open; None where there is no /proc."""
    idle_after: float | None
    """Seconds from closing the pages until these were idle; None if that took over a minute."""
    steps: int
    """Steps that the run made while this was measured."""
    left: int | None
    """Processes that were left after the server was stopped; None where there is no /proc."""
    load: float
    """Programs that wanted a processor before anything was started, on average over a minute."""
    cores: int


def bench_page(
    clicks: int,
    on_progress: Callable[[int], None],
    pages: int = 20,
    settings: dict[str, str] | None = None,
    size: str = "5x5",
) -> PageSpeed:
    """Click on the page; `settings` are those of the run that trains on a board of that size."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    with _as_sentences(), tempfile.TemporaryDirectory(prefix="zerolab-web-") as text:
        runs = Path(text)
        with launched() as browser, serving(runs) as (address, server):
            context = browser.new_context(viewport={"width": 1440, "height": 900})
            context.set_default_timeout(1000 * PATIENCE)
            train(open_page(context, f"{address}/runs"), runs, size, settings or {})
            before = _steps(runs)
            search = _searching(context, address)
            moves = _moves(open_page(context, f"{address}/play"), clicks, search, on_progress)
            stones = _stones(
                open_page(context, f"{address}/analyse"),
                *(clicks, search, lambda done: on_progress(clicks + done)),
            )
            crowd, replies = _crowd(context, address, pages)
            steps = _steps(runs) - before
            workers = len(workers_of(server.pid)) if HAS_PROC else None
            context.close()
            idle_after = seconds_until_idle(server.pid) if HAS_PROC else None
            family = family_of(server.pid)
            server.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                server.wait(STOPPING)
            left = left_of(family) if HAS_PROC else None
    return PageSpeed(
        *(moves, stones, pages, crowd, replies, workers, idle_after, steps, left, load),
        os.cpu_count() or 1,
    )


@contextlib.contextmanager
def _as_sentences() -> Iterator[None]:
    """What the browser could not do, as a UsageError."""
    try:
        yield
    except Exception as error:
        if not type(error).__module__.startswith("playwright"):
            raise
        what = str(error).strip().splitlines()[0][:200]
        raise UsageError(f"the page did not do what was expected: {what}") from error


# The server and the browser.


@contextlib.contextmanager
def serving(runs: Path, *options: str) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """A server in a process of its own, and its address."""
    # NiceGUI listens elsewhere if it thinks that it is tested.
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST")}
    package = str(Path(__file__).resolve().parents[2])
    path = os.pathsep.join(filter(None, (package, os.environ.get("PYTHONPATH"))))
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "zerolab", "web", "--port", "0", "--no-browser"),
            *("--runs", str(runs), *options),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**environment, "PYTHONPATH": path},
    )
    deadline = threading.Timer(PATIENCE, process.kill)
    deadline.start()
    try:
        assert process.stdout is not None
        said = ""
        for line in process.stdout:
            said += line
            if found := re.search(r"the page is at (http://\S+)", line):
                break
        else:
            raise UsageError(f"zerolab web did not start: {said.strip()[-300:]}")
        deadline.cancel()
        yield found[1].rstrip("/"), process
    finally:
        deadline.cancel()
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(STOPPING)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if process.stdout is not None:
            process.stdout.close()


@contextlib.contextmanager
def launched() -> Iterator["Browser"]:
    """Chromium without a window; UsageError if there is none."""
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError:
        raise UsageError(
            "zerolab bench web needs Playwright; install it with pip install 'zerolab[dev]'"
        ) from None
    names = (os.environ.get("CHROMIUM", ""), *CHROMIUMS)
    program = next(filter(None, (find_program(name) for name in names if name)), None)
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=program)
        except Error as error:
            raise UsageError(
                "zerolab bench web needs Chromium, on the PATH or by playwright install chromium: "
                f"{str(error).strip().splitlines()[0][:200]}"
            ) from None
        try:
            yield browser
        finally:
            with contextlib.suppress(Error):
                browser.close()


def open_page(context: "BrowserContext", address: str) -> "Page":
    """A page that is connected to its server and notes when its board changes."""
    page = context.new_page()
    page.goto(address)
    # Events of before are kept, but each by a timer of its own: they could overtake one another.
    page.wait_for_function("window.did_handshake")
    page.evaluate(WATCH)
    return page


# What is done on the pages.


def train(page: "Page", runs: Path, size: str, settings: dict[str, str]) -> None:
    """Start a run by the form, and wait until it has made a step."""
    page.get_by_label("size").fill(size)
    page.get_by_label("name of the run").fill(RUN)
    page.get_by_label("minutes").fill("60")
    if settings:
        page.get_by_text("All settings").click()
        for name, value in settings.items():
            page.get_by_label(name, exact=True).fill(value)
    page.get_by_role("button", name="Start").click()
    deadline = time.monotonic() + COMPILING
    while not _steps(runs):
        if time.monotonic() > deadline:
            raise UsageError(f"the run has made no step in {COMPILING:.0f} seconds")
        failures = page.locator(".zl-error:visible").all_inner_texts()
        if any(failures):
            raise UsageError(f"the run did not start: {' '.join(failures)[:300]}")
        page.wait_for_timeout(500)


def _searching(context: "BrowserContext", address: str) -> Callable[[], None]:
    """A page that searches; the function begins its search anew."""
    page = open_page(context, f"{address}/analyse")

    def search() -> None:
        page.get_by_role("button", name="Start position").click()

    page.get_by_label("size").fill("10x10")
    search()
    page.get_by_label("budget", exact=True).click()
    page.get_by_role("option", name="1,000,000 simulations", exact=True).click()
    page.get_by_text(" simulations in ").wait_for(timeout=1000 * COMPILING)
    return search


def _moves(
    page: "Page", clicks: int, search: Callable[[], None], on_progress: Callable[[int], None]
) -> ClickTimes:
    """Moves of both colours, game after game."""
    page.get_by_label("size").fill(f"{BOARD.rows}x{BOARD.cols}")
    page.get_by_role("button", name="both", exact=True).click()
    draw = np.random.default_rng(1)
    position: Position | None = None
    times: list[float] = []
    while len(times) < clicks:
        if position is None or position.is_over:
            page.locator(".zl-new").click()
            position = Position.start(BOARD)
            _wait_for_board(page, position)
        if len(times) % BATCH == 0:
            search()
        action = int(draw.choice(position.legal_actions))
        position = position.after(action)
        times.append(_click_move(page, position, action)[0])
        on_progress(len(times))
    page.close()
    return ClickTimes("moves", tuple(times))


def _stones(
    page: "Page", clicks: int, search: Callable[[], None], on_progress: Callable[[int], None]
) -> ClickTimes:
    """Stones of a position under analysis."""
    page.get_by_role("switch", name="set stones").click()
    page.locator(".zl-board.zl-editing").wait_for()
    times: list[float] = []
    for number in range(clicks):
        if number % BATCH == 0:
            search()
        before = _label(page)
        _click_cell(page, ANALYSED, number * 7 % (ANALYSED.rows * ANALYSED.cols))
        page.wait_for_function(f"before => {LABEL} !== before", arg=before)
        times.append(_times(page)[0])
        on_progress(number + 1)
    page.close()
    return ClickTimes("stones", tuple(times))


def _crowd(context: "BrowserContext", address: str, pages: int) -> tuple[ClickTimes, ClickTimes]:
    """A click on each of many pages; half of them play, half of them search."""
    position = Position.start(PLAYED)
    first = position.legal_actions[0]
    with open_page(context, f"{address}/play") as page:  # the player is loaded, once for all
        page.set_default_timeout(1000 * COMPILING)
        _click_move(page, position.after(first), first, has_reply=True)
    crowd = [
        open_page(context, f"{address}/{'analyse' if number % 2 else 'play'}")
        for number in range(pages)
    ]
    answers, replies = [], []
    for number, page in enumerate(crowd):
        page.bring_to_front()
        if number % 2:
            page.get_by_role("switch", name="set stones").click()
            page.locator(".zl-board.zl-editing").wait_for()
            _click_cell(page, ANALYSED, 0)
            answers.append(_times(page)[0])
        else:
            times = _click_move(page, position.after(first), first, has_reply=True)
            answers.append(times[0])
            replies.append(times[-1])
    return ClickTimes("crowd", tuple(answers)), ClickTimes("replies", tuple(replies))


LABEL = "document.querySelector('.zl-board').getAttribute('aria-label')"


def _label(page: "Page") -> str:
    return str(page.evaluate(LABEL))


def _wait_for_board(page: "Page", position: Position) -> None:
    label = f"board: {position.text}, {position.turn} to move"
    page.wait_for_function(f"label => {LABEL} === label", arg=label)


def _times(page: "Page") -> list[float]:
    """What the page has noted since the last click, as soon as that is anything."""
    page.wait_for_function("window.zlTimes.length > 0")
    return [float(each) for each in page.evaluate("window.zlTimes")]


def _click_move(page: "Page", after: Position, action: int, has_reply: bool = False) -> list[float]:
    """Click on a stone and where it goes; milliseconds of the second click."""
    cols = after.game.cols
    for row, col in action_space(after.game).points(action):
        _click_cell(page, after.game, row * cols + col)
    if not has_reply:
        _wait_for_board(page, after)
        return _times(page)
    # Move and reply may come in one message, and are one change then.
    page.wait_for_function(
        f"words => {LABEL}.endsWith(words) && {LABEL}.includes('.') && !window.zlPending",
        arg="black to move",
    )
    return _times(page)


def _click_cell(page: "Page", game: Any, cell: int) -> None:
    layout = lay_out(game)
    x, y = layout.places[cell]
    box = page.locator(".zl-hits").bounding_box()
    assert box is not None
    page.mouse.click(
        box["x"] + x * box["width"] / layout.width, box["y"] + y * box["height"] / layout.height
    )


def _steps(runs: Path) -> int:
    try:
        return (runs / RUN / "learner.jsonl").read_bytes().count(b"\n")
    except OSError:
        return 0
