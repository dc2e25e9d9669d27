"""A real browser on a real server, and the few things that tests do with it."""

import os
import re
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

from tests.evaluation.engines.real import needs
from zerolab.games.boards.board_picture import lay_out
from zerolab.games.notation import Columns, action_space

CHROMIUM = os.environ.get("CHROMIUM", "chromium")
PATIENCE = int(os.environ.get("PATIENCE", "180000"))  # milliseconds: busy machines compile slowly
needs_browser = needs(CHROMIUM)
COMMAND = [sys.executable, "-c", "from zerolab.interfaces.cli import main; main()", "web"]


@contextmanager
def serving(runs: Path, *options: str):
    """A server in a process of its own; its address."""
    arguments = ["--port", "0", "--no-browser", "--runs", str(runs), *options]
    # NiceGUI listens elsewhere if it thinks that it is tested.
    quiet = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST")}
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=quiet,
    )
    try:
        said = ""
        for line in process.stdout:
            said += line
            if found := re.search(r"the page is at (http://\S+)", line):
                break
        else:
            raise AssertionError(f"the server did not start: {said}")
        yield found[1].rstrip("/"), process
    finally:
        process.terminate()
        process.wait(30)
        process.stdout.close()


def wait_until_connected(page):
    """Wait until the page and its server talk.

    NiceGUI keeps what people do before that, but each event by a timer of its own, so that a click
    may overtake the text that was typed before it.
    """
    page.wait_for_function("window.did_handshake")


def click_cells(page, game, *cells):
    """Click on cells of the board, one after another."""
    layout = lay_out(game)
    for cell in cells:
        box = page.locator(".zl-hits").bounding_box()
        x, y = layout.places[cell]
        page.mouse.click(
            box["x"] + x * box["width"] / layout.width,
            box["y"] + y * box["height"] / layout.height,
        )


def click_move(page, position, action):
    """Make a move by clicking."""
    game, space = position.game, action_space(position.game)
    points = space.points(action)
    if not points:
        page.get_by_role("button", name=re.compile("^Pass$")).click()
    elif isinstance(space, Columns):
        click_cells(page, game, (game.rows - 1) * game.cols + action)
    else:
        cols = game.cols if hasattr(game, "cols") else 0
        click_cells(page, game, *(row * cols + col for row, col in points))


def wait_for_board(page, position):
    """Wait until the board shows a position."""
    from playwright.sync_api import TimeoutError as NeverCame

    label = f"board: {position.text}, {position.turn} to move"
    try:
        page.locator(f'[aria-label="{label}"]').wait_for()
    except NeverCame as error:
        shown = page.locator(".zl-board").get_attribute("aria-label")
        fields = page.eval_on_selector_all("input", "all => all.map(each => each.value)")
        words = page.locator(".zl-error").all_inner_texts()
        raise AssertionError(f"{shown} instead of {label}; {fields}, {words}") from error


def choose(page, label, text):
    """Choose from a list."""
    page.get_by_label(label, exact=True).click()
    page.get_by_role("option", name=text, exact=True).click()
