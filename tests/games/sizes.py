"""The games that the laws, the twins and the symmetries are tried on: every class, many sizes."""

from zerolab.games.base import Game
from zerolab.games.catalogue import describe
from zerolab.games.clobber import CANNIBAL, IMPARTIAL, RANDOM, Clobber
from zerolab.games.connect_four import ConnectFour
from zerolab.games.go import Go
from zerolab.games.gobang import Gobang
from zerolab.games.graph_clobber import GraphClobber
from zerolab.games.othello import Othello
from zerolab.games.solitaire import Solitaire


def wheel(rim: int) -> GraphClobber:
    """A hub, vertex 0, joined to every vertex of a ring; colours in turn."""
    ring = [f"{i}-{i % rim + 1}" for i in range(1, rim + 1)]
    spokes = [f"0-{i}" for i in range(1, rim + 1)]
    return GraphClobber(" ".join(ring + spokes), "".join("xo"[i % 2] for i in range(rim + 1)))


CLOBBER = (
    Clobber(1, 2),
    Clobber(2, 1),
    Clobber(1, 9),
    Clobber(2, 3),
    Clobber(5, 5),
    Clobber(4, 7),
    Clobber(8, 8),  # exactly one word
    Clobber(9, 8),  # the second word begins with a row
    Clobber(10, 10),  # the second word begins inside a row
    Clobber(12, 12),  # three words
    Clobber(3, 26),
    Clobber(26, 3),
    Clobber(2, 3, CANNIBAL),
    Clobber(4, 5, CANNIBAL),
    Clobber(9, 9, CANNIBAL),
    Clobber(3, 4, IMPARTIAL),
    Clobber(7, 11, IMPARTIAL),
    Clobber(5, 6, setup=RANDOM),
    Clobber(9, 9, setup=RANDOM),
    Clobber(3, 4, setup="xxo.|o.xo|.oxx"),
    Clobber(2, 2, setup="xx|.x"),  # over before it begins
)
GRAPH_CLOBBER = (
    GraphClobber(),
    GraphClobber("0-1", "xo"),
    GraphClobber("2-0, 0-1,1-2 1-0", "xox"),  # a triangle, one edge given twice
    GraphClobber("0-1 0-2 0-3 1-2 1-3 2-3", "xxoo"),
    GraphClobber("0-1 3-4", "xo.xo"),  # two components and a vertex without edges
    wheel(6),
    wheel(75),
)
SOLITAIRE = (
    Solitaire(2, 3),
    Solitaire(4, 4),
    Solitaire(4, 4, alternate=False),
    Solitaire(3, 5, alternate=False, setup=RANDOM),
    Solitaire(3, 3, setup="xo.|.ox|xxo"),
    Solitaire(9, 8),
    Solitaire(8, 9, alternate=False),
)
OTHELLO = tuple(Othello(side, side) for side in (3, 4, 5, 6, 8, 9, 10))
CONNECT_FOUR = (
    ConnectFour(),
    ConnectFour(5, 5),
    ConnectFour(4, 9, 3),
    ConnectFour(9, 9),
    ConnectFour(1, 2, 2),
    ConnectFour(2, 2, 2),
)
GOBANG = (
    Gobang(3, 3, 3),
    Gobang(6, 6),
    Gobang(5, 7, 4),
    Gobang(9, 9, 5),
    Gobang(15, 15, 5),
    Gobang(1, 5, 2),
    Gobang(8, 8, 8),  # ends in a draw more often than not
)
GO = (
    Go(1, 1),  # only passes are legal
    Go(1, 5, history=1, limit=40),
    Go(2, 2, half_komi=2, history=6, limit=60),
    Go(2, 2, history=1000, limit=300),
    Go(3, 3, half_komi=0, history=2, limit=100),
    Go(5, 5, half_komi=14),
    Go(4, 7, history=8, limit=99),
    Go(8, 8),
    Go(9, 9),
    Go(3, 25),
    Go(6, 25, history=1, limit=100),  # three words
    Go(19, 19, limit=20),  # six words; for whole games on this board see test_go.py
)

ALL_GAMES: tuple[Game, ...] = (
    CLOBBER + GRAPH_CLOBBER + SOLITAIRE + OTHELLO + CONNECT_FOUR + GOBANG + GO
)


def label(game: Game) -> str:
    """A short name of a game, for the report of the tests."""
    return describe(game)[:50]
