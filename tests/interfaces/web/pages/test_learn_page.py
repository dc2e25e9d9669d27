"""Learn, in a real browser."""

from tests.interfaces.web.pages.browsing import needs_browser

pytestmark = needs_browser


def test_the_examples_are_alive(address, open_page):
    page = open_page(f"{address}/learn", 390, 844)
    page.get_by_text("Black to move, and loses against perfect play").wait_for()
    page.get_by_text("{⇑*|*,↑}").wait_for()
    page.get_by_role("button", name="xo", exact=True).click()
    page.get_by_text("star, *: whoever moves first takes").wait_for()
    page.get_by_label("a position of your own").fill("xq")
    page.get_by_label("a position of your own").press("Enter")
    page.locator(".zl-error", has_text="'q' in row 'xq' is not a cell").wait_for()
    page.get_by_text("lines of play the best move is").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
