"""Runs, in a real browser: one is started, watched and stopped."""

from tests.interfaces.web.pages.browsing import choose, needs_browser
from zerolab.training.runs.logs import read_log
from zerolab.training.runs.run_list import is_running

pytestmark = needs_browser

SMALL = {
    "max_simulations": "4",
    "actors": "0",
    "evaluators": "0",
    "replay_buffer_size": "64",
    "train_batch_size": "8",
    "batch": "8",
    "nn_width": "4",
    "nn_depth": "1",
    "exact_stones": "4",
    "checkpoint_freq": "1",
}


def test_a_run_is_started_watched_and_stopped(address, open_page, runs):
    page = open_page(f"{address}/runs")
    page.get_by_text("There is no run yet").wait_for()
    page.get_by_label("size").fill("3x3")
    page.get_by_label("name of the run").fill("../escape")
    page.get_by_role("button", name="Start").click()
    page.locator(".zl-error", has_text="the name of a run has letters").wait_for()

    page.get_by_label("name of the run").fill("tried")
    page.get_by_text("All settings").click()
    page.get_by_label("learning_rate").fill("fast")
    page.get_by_label("learning_rate").blur()
    page.get_by_text("should be a valid number").wait_for()
    page.get_by_label("learning_rate").fill("")
    for name, value in SMALL.items():
        page.get_by_label(name, exact=True).fill(value)
    page.get_by_role("button", name="Start").click()

    page.locator(".nicegui-echart canvas").first.wait_for()
    page.get_by_text("Training loss").wait_for()
    page.reload()
    page.get_by_text("Training loss").wait_for()
    page.locator('[data-do="stop"]').click()
    page.locator('[data-do="resume"]').wait_for()
    assert not is_running(runs / "tried")
    steps = len(read_log(runs / "tried"))
    assert steps >= 1

    # Its games can be replayed, with the network's opinion of each move.
    page.get_by_role("link", name="games").click()
    page.get_by_text("to which it gives").wait_for()
    first = page.locator(".zl-board").get_attribute("aria-label")
    page.keyboard.press("ArrowRight")
    page.wait_for_function(
        "first => document.querySelector('.zl-board').getAttribute('aria-label') !== first",
        arg=first,
    )
    choose(page, "opinion of", "the network of step 1")
    page.reload()
    page.get_by_text("to which it gives").wait_for()
    page.go_back()

    page.locator('[data-do="resume"]').click()
    page.locator('[data-do="stop"]').click()
    page.locator('[data-do="resume"]').wait_for()
    assert len(read_log(runs / "tried")) >= steps
