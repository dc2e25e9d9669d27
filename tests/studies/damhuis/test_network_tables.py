"""The numbers of the thesis, as they were copied and checked against its tables."""

import hashlib

from zerolab.studies.damhuis import ranking
from zerolab.studies.damhuis.network_tables import GRIDS, TABLES, TRAINING


def test_no_digit_has_changed():
    """A slip in one of 500 numbers would look like a difference between the thesis and ours."""
    numbers = [
        (name, grid.targets, sorted(grid.wins.items())) for name, grid in sorted(GRIDS.items())
    ]
    entries = [(name, table.entries) for name, table in sorted(TABLES.items())]
    digest = hashlib.sha256(repr((numbers, entries)).encode()).hexdigest()
    assert digest[:16] == "5d364dd55dbfd4d2"


def test_the_ranking_trains_as_long_as_the_thesis():
    assert ranking.FULL.games == TRAINING == 1_000_000
