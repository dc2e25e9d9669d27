"""Pictures of boards that are graphs."""

from xml.etree import ElementTree

from zerolab.games.base import shape
from zerolab.games.boards.board_picture import draw_svg
from zerolab.games.graph_clobber import GraphClobber


def test_the_vertices_of_a_graph_are_numbered():
    game = GraphClobber()
    root = ElementTree.fromstring(draw_svg(game, game.start().state))
    texts = [each.text for each in root.iter("{http://www.w3.org/2000/svg}text")]
    _, count = shape(game)
    assert texts == [str(vertex) for vertex in range(count)]
