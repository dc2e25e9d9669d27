"""The numbers of damhuis about networks: Tables 5.4 to 5.17, and those in its text.

Numbers are wins of the network as Black, of 100,000 games against Random after a million games of
training, unless noted otherwise. Two hidden layers have 20 nodes each: the thesis does not say how
many, and it changes "the number of hidden layers" of the previous network.
"""

from collections.abc import Iterator
from typing import NamedTuple

RELU, LEAKY = 0.0, 0.01  # slopes
TRAINING, TESTS = 1_000_000, 100_000
MONTE_CARLO_TESTS = 1_000
TARGETS = (1, 10, 50, 100, 150, 200, 500, 1000)


class Network(NamedTuple):
    """A network and its training."""

    board: str
    hidden: tuple[int, ...]
    slope: float
    alpha: float
    target: float
    tau: float = 0.0
    games: int = TRAINING


class Entry(NamedTuple):
    """A number of the thesis."""

    network: Network
    opponent: str
    """Opponent in the test."""
    wins: int
    tests: int


class Table(NamedTuple):
    """A table of the thesis."""

    title: str
    entries: tuple[Entry, ...]
    seeds: int
    """Number of seeds that `full` compares with it."""


class Grid(NamedTuple):
    """A table of learning rates and targets."""

    title: str
    board: str
    hidden: tuple[int, ...]
    slope: float
    targets: tuple[int, ...]
    wins: dict[float, tuple[int, ...]]
    """Wins for each learning rate, in the order of the targets."""
    seeds: int

    def entries(self) -> Iterator[Entry]:
        """Its cells, row by row."""
        for alpha, row in self.wins.items():
            for target, wins in zip(self.targets, row, strict=True):
                network = Network(self.board, self.hidden, self.slope, alpha, target)
                yield Entry(network, "random", wins, TESTS)


GRIDS = {
    "5.4": Grid(
        "20 hidden nodes on 4x4",
        *("4x4", (20,), RELU, (1, 10, 50, 100, 150, 200)),
        {
            2e-7: (35179, 70634, 76454, 79639, 84096, 76817),
            2e-6: (36200, 81847, 85506, 91645, 87609, 84445),
            2e-5: (34294, 95343, 94842, 97521, 97955, 90521),
            2e-4: (93288, 97101, 34170, 33961, 34111, 33868),
        },
        seeds=3,
    ),
    "5.5": Grid(
        "20 hidden nodes on 4x5",
        *("4x5", (20,), RELU, (1, 10, 50, 60, 100, 150, 200, 350)),
        {
            2e-7: (52156, 66007, 78270, 77049, 73242, 75033, 75663, 73110),
            2e-6: (52197, 69994, 85790, 78864, 82016, 78520, 84801, 81105),
            2e-5: (60073, 81864, 90381, 85992, 84845, 82945, 90344, 51190),
            2e-4: (83201, 87297, 50975, 51311, 51022, 51092, 51146, 51312),
        },
        seeds=3,
    ),
    "5.6": Grid(
        "20 hidden nodes on 6x6",
        *("6x6", (20,), RELU, TARGETS),
        {
            2e-8: (41318, 51312, 36200, 33710, 33996, 33894, 62419, 64526),
            2e-7: (34477, 34813, 59872, 64528, 60147, 64543, 33849, 33659),
            2e-6: (33546, 33317, 61020, 33848, 33834, 33512, 33396, 33390),
            2e-5: (33614, 33800, 33642, 33436, 33557, 33539, 33770, 33769),
        },
        seeds=3,
    ),
    "5.7": Grid(
        "two hidden layers on 4x5",
        *("4x5", (20, 20), RELU, TARGETS),
        {
            2e-9: (50861, 51790, 53247, 51316, 73788, 68660, 77000, 83106),
            2e-8: (51246, 49737, 62065, 51190, 78512, 78984, 83786, 85676),
            2e-7: (51240, 60879, 80194, 79331, 85844, 85831, 51257, 51103),
            2e-6: (51019, 51033, 82209, 81741, 55850, 51019, 51024, 51037),
            2e-5: (51189, 51190, 51189, 80475, 51198, 51155, 51900, 51190),
            2e-4: (51316, 51316, 51189, 70130, 51494, 50618, 51314, 51316),
        },
        seeds=1,
    ),
    "5.8": Grid(
        "two hidden layers on 6x6",
        *("6x6", (20, 20), RELU, TARGETS),
        {
            2e-12: (49448, 49344, 48065, 47750, 45542, 45644, 44907, 47790),
            2e-11: (46764, 46094, 49646, 49754, 48108, 44626, 48514, 50693),
            2e-10: (48874, 42381, 33849, 52521, 50549, 50592, 51518, 33610),
            2e-9: (34366, 33459, 33692, 33815, 33544, 34070, 60623, 64218),
            2e-8: (34268, 34204, 33980, 51264, 33293, 33754, 33773, 33794),
            2e-7: (33703, 33449, 33621, 33608, 33471, 33375, 33815, 33813),
        },
        seeds=1,
    ),
    "5.9": Grid(
        "30 hidden nodes on 4x5",
        *("4x5", (30,), RELU, TARGETS),
        {
            2e-9: (52539, 56471, 65414, 65474, 63228, 65944, 69396, 68386),
            2e-8: (50286, 61779, 69548, 67965, 73575, 79349, 69417, 74814),
            2e-7: (50859, 75779, 72566, 82750, 81276, 80686, 73284, 81005),
            2e-6: (53095, 77880, 82921, 86702, 88850, 87191, 88070, 87868),
            2e-5: (55980, 85748, 89488, 91498, 81191, 51187, 51092, 51039),
            2e-4: (76697, 91806, 50877, 51336, 51045, 51314, 50988, 46323),
        },
        seeds=1,
    ),
    "5.10": Grid(
        "40 hidden nodes on 4x5",
        *("4x5", (40,), RELU, TARGETS),
        {
            2e-9: (52000, 53762, 51003, 55589, 62127, 65495, 68881, 76250),
            2e-8: (52525, 53550, 70752, 70659, 72386, 72024, 70420, 72458),
            2e-7: (51496, 74034, 72299, 75640, 69567, 72766, 77587, 86360),
            2e-6: (51018, 77183, 84518, 85934, 89056, 89600, 89418, 93512),
            2e-5: (64083, 87134, 92096, 92929, 51187, 51189, 51188, 51187),
            2e-4: (79706, 93674, 51315, 51315, 51315, 51435, 51336, 51335),
        },
        seeds=1,
    ),
    "5.11": Grid(
        "50 hidden nodes on 4x5",
        *("4x5", (50,), RELU, TARGETS),
        {
            2e-9: (54356, 58166, 52459, 62415, 63126, 66495, 65060, 73834),
            2e-8: (52174, 63045, 71291, 74431, 75157, 79061, 78647, 77666),
            2e-7: (50933, 70617, 82465, 70402, 81857, 78917, 78190, 82183),
            2e-6: (51039, 79490, 87673, 91086, 91408, 88717, 92086, 87677),
            2e-5: (51329, 90120, 93153, 93048, 92711, 51103, 51512, 51173),
            2e-4: (50880, 93853, 50778, 51195, 51145, 51130, 51235, 51202),
        },
        seeds=1,
    ),
    "5.12": Grid(
        "60 hidden nodes on 4x5",
        *("4x5", (60,), RELU, TARGETS),
        {
            2e-9: (51535, 51762, 55565, 63346, 60305, 68028, 64353, 74395),
            2e-8: (51809, 56991, 70946, 69141, 72523, 72060, 73789, 68217),
            2e-7: (51270, 73359, 73170, 79685, 83323, 80375, 84059, 82357),
            2e-6: (51130, 79394, 90348, 90105, 92349, 91980, 92285, 91376),
            2e-5: (50916, 92391, 90357, 94443, 51386, 51364, 51314, 50829),
            2e-4: (50654, 94772, 51059, 51006, 51242, 51226, 51383, 50755),
        },
        seeds=1,
    ),
    "5.13": Grid(
        "100 hidden nodes on 4x5",
        *("4x5", (100,), RELU, TARGETS),
        {
            2e-9: (56759, 56480, 59620, 62892, 74012, 68493, 70660, 75766),
            2e-8: (53657, 50602, 71404, 72571, 71696, 73969, 68197, 87000),
            2e-7: (50515, 76373, 82640, 82002, 79576, 84434, 83420, 87000),
            2e-6: (51052, 79895, 89286, 86750, 92268, 92250, 96091, 94633),
            2e-5: (52326, 93859, 95182, 94922, 51119, 51225, 51048, 50979),
            2e-4: (58901, 51096, 51290, 51129, 51271, 51131, 51073, 51026),
        },
        seeds=3,
    ),
    "5.14": Grid(
        "100 hidden nodes on 6x6",
        *("6x6", (100,), RELU, (50, 100, 150, 200, 500, 1000)),
        {
            2e-9: (46992, 47774, 44389, 45641, 47909, 49634),
            2e-8: (34647, 53042, 33809, 62172, 63860, 62099),
            2e-7: (33983, 66530, 34033, 62289, 67702, 74517),
            2e-6: (67415, 33509, 69044, 74439, 33526, 33734),
            2e-5: (33532, 33471, 33698, 33583, 33612, 33549),
            2e-4: (33892, 33674, 33541, 33667, 33665, 33510),
        },
        seeds=3,
    ),
    "5.16": Grid(
        "leaky ReLU, 100 hidden nodes on 6x6",
        *("6x6", (100,), LEAKY, TARGETS),
        {
            2e-9: (56171, 58413, 60585, 64290, 64518, 64176, 64339, 70395),
            2e-8: (56789, 61928, 70331, 66931, 70245, 67858, 73635, 76002),
            2e-7: (59084, 63246, 76351, 74063, 74953, 75798, 70311, 71778),
            2e-6: (59484, 64448, 71668, 74620, 81820, 74090, 72565, 76593),
            2e-5: (61049, 71433, 70383, 74374, 75656, 79461, 70749, 55308),
            2e-4: (62476, 73569, 64703, 55291, 55328, 55590, 55246, 55225),
        },
        seeds=3,
    ),
}

TAUS = (0.1, 0.01, 0.001, 0.0001)
# Hidden nodes, target and learning rate: wins for each tau.
WINS_5_15 = {
    (100, 200, 2e-6): (33154, 33477, 65884, 71005),
    (100, 1000, 2e-7): (66204, 32811, 69374, 63321),
    (200, 1000, 2e-7): (33505, 33746, 75464, 72779),
    (200, 1000, 2e-8): (62609, 63209, 64263, 66771),
}

PLAYOUTS = (5, 10, 20, 50)
# Hidden nodes, slope, target and learning rate: wins against Monte Carlo by its playouts.
WINS_5_17 = {
    (100, LEAKY, 150, 2e-6): (502, 543, 560, 509),
    (100, LEAKY, 1000, 2e-6): (556, 498, 543, 509),
    (200, RELU, 1000, 2e-7): (528, 599, 509, 537),
}

# Runs mentioned in the text, in rounded per cent.
PERCENT_IN_TEXT = {
    Network("4x4", (20,), RELU, 2e-5, 150, games=10_000_000): 99,
    **{
        Network("4x5", (nodes,), RELU, 2e-5, 50): percent
        for nodes, percent in {150: 96, 250: 97, 350: 99, 500: 98, 750: 51}.items()
    },
    **{
        Network("6x6", (nodes,), RELU, 2e-7, 1000, games=5_000_000): percent
        for nodes, percent in {50: 78, 200: 89, 300: 33, 400: 83}.items()
    },
    Network("6x6", (200,), RELU, 2e-7, 1000): 77,
    Network("6x6", (20, 20), RELU, 2e-9, 1000, games=20_000_000): 73,
}


def _table_5_15() -> Table:
    entries = tuple(
        Entry(Network("6x6", (nodes,), RELU, alpha, target, tau), "random", wins, TESTS)
        for (nodes, target, alpha), row in WINS_5_15.items()
        for tau, wins in zip(TAUS, row, strict=True)
    )
    return Table("the learning rate grows during a game, 6x6", entries, 3)


def _table_5_17() -> Table:
    entries = tuple(
        Entry(
            Network("6x6", (nodes,), slope, alpha, target),
            *(f"mc:{playouts}", wins, MONTE_CARLO_TESTS),
        )
        for (nodes, slope, target, alpha), row in WINS_5_17.items()
        for playouts, wins in zip(PLAYOUTS, row, strict=True)
    )
    return Table("networks against Monte Carlo on 6x6", entries, 3)


def _text() -> Table:
    entries = tuple(
        Entry(network, "random", percent * TESTS // 100, TESTS)
        for network, percent in PERCENT_IN_TEXT.items()
    )
    return Table("more games and more nodes, from the text", entries, 1)


TABLES = {
    name: Table(grid.title, tuple(grid.entries()), grid.seeds) for name, grid in GRIDS.items()
}
TABLES |= {"5.15": _table_5_15(), "5.17": _table_5_17(), "text": _text()}
