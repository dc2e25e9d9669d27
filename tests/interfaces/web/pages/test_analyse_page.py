"""Analyse, in a real browser."""

from tests.interfaces.web.pages.browsing import (
    choose,
    click_cells,
    needs_browser,
    wait_for_board,
)
from zerolab.games.boards.board_picture import lay_out
from zerolab.games.clobber import Clobber
from zerolab.games.position import Position

pytestmark = needs_browser


def paste(page, text):
    field = page.get_by_label("position as text")
    field.fill(text)
    page.get_by_role("button", name="Set up").click()


def test_a_pasted_position_shows_the_verdict_of_the_solver(address, open_page):
    page = open_page(f"{address}/analyse")
    paste(page, "[clobber] XXO|O.X {B}")
    position = Position.parse(Clobber(2, 3), "xxo|o.x")
    wait_for_board(page, position)
    assert page.get_by_label("size").input_value() == "2x3"  # of the start position, too
    page.get_by_text("Black, to move, wins with perfect play").wait_for()
    page.get_by_text("{⇑*|*,↑}").wait_for()
    page.get_by_text("proven").first.wait_for()

    # A candidate is played by a click, and the verdict follows.
    first = page.locator("[data-line]").first
    move = first.get_attribute("data-line").split()[0]
    first.click()
    wait_for_board(page, position.play(move))
    page.get_by_text("Black wins with perfect play").wait_for()
    page.reload()
    wait_for_board(page, position.play(move))
    page.get_by_role("button", name="Back").click()
    wait_for_board(page, position)

    # Stones are set by clicking.
    page.get_by_role("switch", name="set stones").click()
    click_cells(page, position.game, 4)
    wait_for_board(page, Position.parse(position.game, "xxo|oxx"))

    paste(page, "xo|o")
    page.locator(".zl-error", has_text="row 'o' has 1 cells").wait_for()
    page.get_by_text("Search tree").click()
    page.locator(".q-tree__node-header").first.wait_for()


def test_what_is_being_typed_stays_while_a_search_reports(address, open_page):
    page = open_page(f"{address}/analyse")
    progress = page.get_by_text(" simulations in ")
    page.get_by_label("size").fill("10x10")
    page.get_by_role("button", name="Start position").click()
    choose(page, "budget", "1,000,000 simulations")
    wait_for_board(page, Position.start(Clobber(10, 10)))
    progress.wait_for()
    field = page.get_by_label("position as text")
    field.fill("xxo|o.")
    before = progress.inner_text()
    page.wait_for_function("seen => !document.body.innerText.includes(seen)", arg=before)
    assert field.input_value() == "xxo|o."


def test_clicks_are_where_the_stones_are(address, open_page):
    """The board is no larger than its picture, or clicks would miss the stones."""
    page = open_page(f"{address}/analyse")
    paste(page, "xo.|oxo|.xo")
    wait_for_board(page, Position.parse(Clobber(3, 3), "xo.|oxo|.xo"))
    layout = lay_out(Clobber(3, 3))
    for height in (900, 600):
        page.set_viewport_size({"width": 1440, "height": height})
        box = page.locator(".zl-hits").bounding_box()
        shape = layout.width / layout.height
        assert abs(box["width"] / box["height"] - shape) < 0.01
        assert box["height"] < height


def test_other_games(address, open_page):
    page = open_page(f"{address}/analyse", 390, 844)
    choose(page, "game", "tic-tac-toe")
    page.get_by_text("A draw with perfect play").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
