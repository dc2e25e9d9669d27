"""Play, in a real browser."""

import pytest
from playwright.sync_api import expect

from tests.interfaces.web.pages.browsing import (
    choose,
    click_cells,
    click_move,
    needs_browser,
    wait_for_board,
)
from zerolab.games.catalogue import GAMES, make_game
from zerolab.games.clobber import Clobber
from zerolab.games.position import Position
from zerolab.interfaces.web.parts.game_fields import SIZES
from zerolab.records.sgf import parse_game

pytestmark = needs_browser

BOARDS = {
    "clobber": ("3x3", ""),
    "graph-clobber": ("", ""),
    "solitaire": ("2x3", ""),
    "othello": ("4x4", ""),
    "connect-four": ("4x4", "k=3"),
    "go": ("2x2", ""),
    "gobang": ("4x4", "k=3"),
    "tic-tac-toe": ("", ""),
}


def begin(page, name, side="both", opponent=None):
    size, options = BOARDS[name]
    choose(page, "game", name)
    expect(page.get_by_label("size")).to_have_value(SIZES.get(name, ""))
    if size:
        page.get_by_label("size").fill(size)
    page.get_by_label("variant").fill(options)
    if opponent:
        choose(page, "opponent", opponent)
    page.get_by_role("button", name=side, exact=True).click()
    page.locator(".zl-new").click()
    game = make_game(name, size or None, options.split())
    position = Position.start(game)
    wait_for_board(page, position)
    return position


def test_every_game_has_a_board_here():
    assert set(BOARDS) == set(GAMES)


def test_a_whole_game_of_each_kind_by_clicking(address, open_page):
    page = open_page(f"{address}/play")
    page.get_by_role("switch", name="values").click()  # judging all of them would only cost time
    for name in BOARDS:
        position = begin(page, name)
        while not position.is_over:
            action = position.legal_actions[0]
            click_move(page, position, action)
            position = position.after(action)
            wait_for_board(page, position)
        outcome = position.outcome()
        words = "value" if name == "solitaire" else str(outcome)
        page.locator(".zl-result").get_by_text(words.capitalize()).wait_for()


def test_a_game_against_a_player(address, open_page, runs):
    page = open_page(f"{address}/play")
    position = begin(page, "tic-tac-toe", "Black", "the first legal move")
    click_cells(page, position.game, 8)
    position = position.play("c1").play("a3")
    wait_for_board(page, position)
    page.get_by_role("button", name="undo").click()
    wait_for_board(page, Position.start(position.game))
    click_cells(page, position.game, 8)
    wait_for_board(page, position)

    # Arrows walk through the game; typed moves are played; a bad one gets a sentence.
    page.keyboard.press("ArrowLeft")
    wait_for_board(page, position.undo())
    page.keyboard.press("ArrowRight")
    wait_for_board(page, position)
    field = page.get_by_label("type a move")
    field.fill("c3x")
    field.press("Enter")
    page.get_by_text("'3x' in 'c3x' is not a row").wait_for()
    field.fill("b1")
    field.press("Enter")
    position = position.play("b1").play("b3")
    wait_for_board(page, position)

    page.get_by_role("button", name="swap sides").click()
    position = position.play("c3")  # the player has Black now, and takes the first legal move
    wait_for_board(page, position)
    page.reload()
    wait_for_board(page, position)

    page.get_by_role("button", name="resign").click()
    page.locator(".zl-result").get_by_text("Black wins").wait_for()
    page.get_by_text("How it went").wait_for()
    page.get_by_text("positions solved exactly").wait_for()
    games = [parse_game(path.read_bytes()) for path in (runs / "games").glob("*.sgf")]
    mine = next(each for each in games if each.position() == position)
    assert mine.names == ("first", "human")
    assert mine.result == 1.0


def test_dragging_a_stone(address, open_page):
    page = open_page(f"{address}/play")
    position = begin(page, "clobber")
    box = page.locator(".zl-hits").bounding_box()
    cell = box["width"] / (22 + 6 + 3 * 40) * 40
    x, y = box["x"] + box["width"] / 148 * 42, box["y"] + box["height"] / 148 * 26
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + cell / 2, y, steps=3)
    page.mouse.move(x + cell, y, steps=3)
    page.mouse.up()
    wait_for_board(page, position.play("a3b3"))


@pytest.mark.parametrize(
    ("label", "text", "sentence"),
    [
        ("size", "5by5", "'5by5' is not a size"),
        ("size", "1" * 30_000, "too long"),
        ("variant", "variant=odd", "variant=odd is not possible"),
        ("name of the player", "uci:sh@100ms", "--allow-engines"),
        ("name of the player", "az:../../etc@100", "not below the directory of runs"),
    ],
)
def test_a_bad_value_gets_a_sentence(address, open_page, label, text, sentence):
    page = open_page(f"{address}/play")
    choose(page, "opponent", "another, by name")
    page.get_by_label("name of the player").fill("random")
    page.get_by_label(label).fill(text)
    page.locator(".zl-new").click()
    page.locator(".zl-error", has_text=sentence).wait_for()


def test_the_board_by_keyboard(address, open_page):
    page = open_page(f"{address}/play")
    position = begin(page, "clobber")
    page.locator(".zl-board").focus()
    for key in ("ArrowRight", "Enter", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    wait_for_board(page, position.play("a3a2"))
    assert page.locator(".zl-spoken").inner_text() == "a2"
    # After a click the arrows walk through the game again.
    click_cells(page, position.game, 8)
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowLeft")
    wait_for_board(page, position)


def test_a_game_as_text_is_loaded_saved_and_analysed(address, open_page):
    page = open_page(f"{address}/play")
    page.get_by_text("Paste a game").click()
    assert page.locator("textarea").get_attribute("maxlength") == "500001"  # a longer one is cut
    page.locator("textarea").fill("clobber 2x3\na2a1 b2b1")
    page.get_by_role("button", name="Load", exact=True).click()
    position = Position.start(Clobber(2, 3))
    wait_for_board(page, position)
    page.get_by_role("button", name="last move").click()
    position = position.play("a2a1").play("b2b1")
    wait_for_board(page, position)
    with page.expect_download() as download:
        page.get_by_role("button", name="As text").click()
    assert download.value.path().read_text() == "clobber 2x3\na2a1 b2b1\n"
    with page.expect_download() as download:
        page.get_by_role("button", name="As SGF").click()
    assert parse_game(download.value.path().read_bytes()).position() == position
    page.get_by_role("button", name="analyse this position").click()
    page.wait_for_url("**/analyse/**")
    wait_for_board(page, position)


def test_a_phone_shows_the_board_first(address, open_page):
    page = open_page(f"{address}/play", 390, 844)
    box = page.locator(".zl-hits").bounding_box()
    assert box["y"] < 300
    assert box["x"] + box["width"] <= 390
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_game_that_is_gone_leads_to_a_new_one(address, open_page):
    page = open_page(f"{address}/play/nothing")
    page.locator(".zl-hits").wait_for()
    assert "/play/" in page.url
