"""Draw the pictures of docs/web.md in a browser: python docs/images/make_web_images.py

Two small runs and a small sweep are trained first, which takes a few minutes. With --all DIRECTORY
every page is drawn at the size of a desk and of a phone, in the light and in the dark, to be looked
at.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page

from zerolab.benchmarks.page_speed import launched, serving

HERE = Path(__file__).parent
DESK, PHONE = (1440, 900), (390, 844)
PATIENCE = 300_000  # milliseconds; kernels may have to be compiled
SMALL = ("actors=1", "evaluators=1", "max_simulations=20", "replay_buffer_size=1024")
NETWORK = ("train_batch_size=64", "nn_depth=2", "checkpoint_freq=5")
SWEEP = "sweeps/costs"
GAME = """clobber 4x5
b3b4 a1a2 b1c1 c3c4 d3d2 e1d1 b4c4 d4c4 d2d1 e3e2 a4a3 a2a3 c2b2
"""


def train(runs: Path, name: str, steps: int, *settings: str) -> None:
    """A small run below `runs`."""
    subprocess.run(
        [
            *(sys.executable, "-m", "zerolab", "train", "clobber", "--size", "4x4"),
            *("--run", str(runs / name), "--steps", str(steps), "--games", "0"),
            *("--set", *SMALL, *NETWORK, *settings),
        ],
        check=True,
        stdout=subprocess.DEVNULL,
    )


def try_settings(runs: Path) -> None:
    """A small sweep below `runs`."""
    command = [sys.executable, "-m", "zerolab", "sweep", "clobber", "--size", "5x5"]
    command += ["--preset", "wang", "--objective", "loss", "time", "--steps", "2", "--games", "4"]
    command += ["--set", "nn_width=8", "episodes=8", "epochs=2", "arena=false"]
    command += ["--over", "max_simulations=5,20,40", "uct_c=0.5,1,2", "--dir", str(runs / SWEEP)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def play(page: Page, address: str) -> None:
    """A game that is over and was reviewed."""
    page.goto(f"{address}/play")
    page.wait_for_function("window.did_handshake")
    page.get_by_text("Paste a game").click()
    page.locator("textarea").fill(GAME)
    page.get_by_role("button", name="Load", exact=True).click()
    page.get_by_text("clobber 4x5").first.wait_for()
    page.get_by_text("Paste a game").click()
    for _ in range(4):
        page.get_by_role("button", name="next move").click()
    page.get_by_text("14 of 14 positions solved exactly").wait_for()


def analyse(page: Page, address: str) -> None:
    """A position of some components, when search and solver are done."""
    page.goto(f"{address}/analyse")
    page.wait_for_function("window.did_handshake")
    page.get_by_text("wins with perfect play").wait_for()
    page.get_by_text(re.compile("^100,000 simulations|proven$")).first.wait_for()
    page.locator("[data-line]").first.wait_for()
    page.get_by_text("6 stones").wait_for()


def runs(page: Page, address: str) -> None:
    """The curves of two runs."""
    page.goto(f"{address}/runs?show=narrow&show=wide&x=step")
    page.locator(".nicegui-echart canvas").nth(3).wait_for()


def replay(page: Page, address: str) -> None:
    """A game of a run in the middle, with the network's opinion."""
    page.goto(f"{address}/replay?run=wide")
    page.wait_for_function("window.did_handshake")
    page.wait_for_function("document.querySelectorAll('.zl-move small:not(:empty)').length > 5")
    for _ in range(3):
        page.get_by_role("button", name="next move").click()
    page.get_by_text("to which it gives").wait_for()


def studies(page: Page, address: str) -> None:
    """A tournament."""
    page.goto(f"{address}/studies")
    page.wait_for_function("window.did_handshake")
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_text("120 games.").wait_for()
    page.locator(".nicegui-echart canvas").nth(1).wait_for()


def sweep(page: Page, address: str) -> None:
    """A sweep, at the top of the window."""
    page.goto(f"{address}/studies?sweep={SWEEP}")
    page.wait_for_function("window.did_handshake")
    page.get_by_text("What explains the differences").wait_for()
    page.get_by_text("Sweeps", exact=True).evaluate(
        "(e) => scrollTo(0, e.getBoundingClientRect().top + scrollY - 90)"
    )
    page.locator(".nicegui-echart canvas").last.wait_for()


def learn(page: Page, address: str) -> None:
    """The examples, all answered."""
    page.goto(f"{address}/learn")
    page.get_by_text("against perfect play").first.wait_for()
    page.get_by_text("lines of play the best move is").wait_for()


PAGES: dict[str, Callable[[Page, str], None]] = {
    "play": play,
    "analyse": analyse,
    "runs": runs,
    "replay": replay,
    "studies": studies,
    "sweep": sweep,
    "learn": learn,
}
CHOSEN = {
    "web-play": ("play", DESK, "light"),
    "web-analyse": ("analyse", DESK, "light"),
    "web-runs": ("runs", DESK, "light"),
    "web-replay": ("replay", DESK, "light"),
    "web-sweep": ("sweep", DESK, "light"),
    "web-phone": ("analyse", PHONE, "dark"),
}


def draw(
    browser: Browser, address: str, path: Path, name: str, size: tuple[int, int], scheme: str
) -> None:
    """One picture."""
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    PAGES[name](page, address)
    page.mouse.move(0, 0)
    if name != "sweep":
        page.evaluate("scrollTo(0, 0)")
    page.locator(".q-tooltip").wait_for(state="detached")
    page.wait_for_function("document.fonts.status === 'loaded'")
    page.screenshot(path=path)
    context.close()
    print(path.name, flush=True)


def main() -> None:
    """Draw the pictures of the documentation, or all pages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", type=Path, metavar="DIRECTORY")
    parser.add_argument("--runs", type=Path, metavar="DIRECTORY", help="that were trained before")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as text:
        directory = chosen.runs or Path(text)
        for name, settings in {"narrow": ("nn_width=8",), "wide": ("nn_width=32",)}.items():
            if not (directory / name).exists():
                train(directory, name, 30, *settings)
        if not (directory / SWEEP).exists():
            try_settings(directory)
        with launched() as browser, serving(directory) as (address, _):
            if chosen.all is None:
                for name, (page, size, scheme) in CHOSEN.items():
                    draw(browser, address, HERE / f"{name}.png", page, size, scheme)
                return
            chosen.all.mkdir(parents=True, exist_ok=True)
            for name in PAGES:
                for label, size in {"desk": DESK, "phone": PHONE}.items():
                    for scheme in ("light", "dark"):
                        path = chosen.all / f"{name}-{label}-{scheme}.png"
                        draw(browser, address, path, name, size, scheme)


if __name__ == "__main__":
    main()
