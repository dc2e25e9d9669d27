"""Pictures of boards that are graphs, and of those with lines."""

from xml.etree import ElementTree

from zerolab.games.base import shape
from zerolab.games.boards.board_picture import ADVICE, MARKED, Arrow, Overlay, draw_svg, lay_out
from zerolab.games.clobber import Clobber
from zerolab.games.connect_four import ConnectFour
from zerolab.games.go import Go
from zerolab.games.graph_clobber import GraphClobber


def test_the_vertices_of_a_graph_are_numbered():
    game = GraphClobber()
    root = ElementTree.fromstring(draw_svg(game, game.start().state))
    texts = [each.text for each in root.iter("{http://www.w3.org/2000/svg}text")]
    _, count = shape(game)
    assert texts == [str(vertex) for vertex in range(count)]


def test_stones_of_go_stand_where_lines_cross():
    position = Go(9, 10).start().play("k9").play("pass")
    root = ElementTree.fromstring(position.undo().svg())
    lines = [each.attrib for each in root.iter("{http://www.w3.org/2000/svg}line")]
    xs = {each["x1"] for each in lines if each["x1"] == each["x2"]}
    ys = {each["y1"] for each in lines if each["y1"] == each["y2"]}
    assert (len(lines), len(xs), len(ys)) == (9 + 10, 10, 9)
    stone, mark = root.iter("{http://www.w3.org/2000/svg}circle")
    for circle in (stone, mark):
        assert circle.get("cx") == max(xs, key=float)
        assert circle.get("cy") == min(ys, key=float)
    assert mark.get("fill") == MARKED
    texts = [each.text for each in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts == [*"987654321", *"abcdefghjk"]
    assert MARKED not in position.svg()


SVG = "{http://www.w3.org/2000/svg}"


def test_the_places_of_cells_are_where_their_stones_are_drawn():
    for game in (Clobber(2, 3), GraphClobber()):
        layout = lay_out(game)
        root = ElementTree.fromstring(draw_svg(game, game.start().state))
        circles = [(float(c.get("cx")), float(c.get("cy"))) for c in root.iter(f"{SVG}circle")]
        assert circles == [(round(x, 1), round(y, 1)) for x, y in layout.places]
        assert root.get("viewBox") == f"0 0 {layout.width:.0f} {layout.height:.0f}"


def test_an_overlay_has_arrows_colours_and_texts():
    position = Clobber(2, 3).start()
    wide, narrow = position.legal_actions[:2]
    overlay = Overlay((Arrow(narrow, 0.1), Arrow(wide, 1.0, "<+1>")), {4: "#123456"}, {5: "A&B"})
    root = ElementTree.fromstring(draw_svg(position.game, position.state, None, overlay))
    lines = [each for each in root.iter(f"{SVG}line") if each.get("stroke") == ADVICE]
    widths = [float(each.get("stroke-width")) for each in lines]
    assert widths == sorted(widths, reverse=True)
    assert len(list(root.iter(f"{SVG}polygon"))) == 2
    assert "<+1>" in [each.text for each in root.iter(f"{SVG}text")]
    assert "A&B" in [each.text for each in root.iter(f"{SVG}text")]
    assert "#123456" in [each.get("fill") for each in root.iter(f"{SVG}rect")]


def test_moves_of_one_cell_are_circles_and_passes_nothing():
    position = Go(3, 3).start()
    plain = draw_svg(position.game, position.state)
    with_circle = draw_svg(position.game, position.state, None, Overlay((Arrow(4, 1.0, "a"),)))
    assert with_circle.count("<circle") == plain.count("<circle") + 1
    passing = Overlay((Arrow(9, 1.0, "pass"),))
    assert draw_svg(position.game, position.state, None, passing) == plain


def test_boards_of_columns_have_letters_only():
    game = ConnectFour()
    root = ElementTree.fromstring(draw_svg(game, game.start().state))
    assert [each.text for each in root.iter(f"{SVG}text")] == [*"abcdefg"]
