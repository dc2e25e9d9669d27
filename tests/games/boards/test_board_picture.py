"""Pictures of boards that are graphs, and of those with lines."""

from xml.etree import ElementTree

from zerolab.games.base import shape
from zerolab.games.boards.board_picture import MARKED, draw_svg
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
