from zerolab.games.clobber import Clobber
from zerolab.games.notation import Steps
from zerolab.interfaces.plots.tree_picture import place, to_dot
from zerolab.search.analysis import Outline

GAME = Clobber(2, 2)
MOVES = [Steps(2, 2).parse(text) for text in ("a2a1", "b1b2")]
TREE = Outline(
    -1,
    10,
    0.5,
    False,
    (Outline(MOVES[0], 6, 1.0, True, ()), Outline(MOVES[1], 3, -0.25, False, ())),
)


def test_dot():
    assert to_dot(GAME, TREE).splitlines() == [
        "digraph search {",
        "  node [shape=box];",
        '  n [label="root\\n10 visits\\n+0.50"];',
        "  n -> n_0;",
        '  n_0 [label="a2a1\\n6 visits\\n+1.00 proven", penwidth=2];',
        "  n -> n_1;",
        '  n_1 [label="b1b2\\n3 visits\\n-0.25"];',
        "}",
    ]


def test_a_parent_stands_above_the_middle_of_its_children():
    root, _ = place(TREE, 0, 0)
    left, right = root.children
    assert root.x == (left.x + right.x) / 2
    assert left.x < right.x
    assert root.y < left.y == right.y
