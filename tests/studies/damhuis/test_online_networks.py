import itertools
import json
import math

import pytest

from zerolab.errors import UsageError
from zerolab.evaluation.players.players import make_player
from zerolab.experiments.cells import Cells
from zerolab.games.clobber import Clobber
from zerolab.studies.damhuis import online_networks as damhuis_networks
from zerolab.studies.damhuis.network_reports import describe, lead_in_words, report, spread_of
from zerolab.studies.damhuis.network_tables import GRIDS, TABLES, Entry, Network
from zerolab.studies.damhuis.online_networks import (
    Outcome,
    Scale,
    cost_of,
    first_moves,
    pick_first,
    run_tables,
    train_and_test,
)
from zerolab.studies.registry import STUDIES, run_study

TINY = Scale("tiny", 2e-6, 1)  # two games of training
NETWORK = Network("4x4", (20,), 0.0, 2e-5, 100)


def silent(done, total):
    assert 0 <= done <= total * (1 + 1e-9)


def outcome(wins, scores, dead=(False,), network=NETWORK, opponent="random"):
    dead = dead * len(scores) if len(dead) == 1 else dead
    return Outcome(Entry(network, opponent, wins, 100_000), tuple(scores), dead)


def test_every_table_runs_when_shrunken(tmp_path):
    path = tmp_path / "cells.jsonl"
    tables = run_tables(list(TABLES), TINY, 1, path, silent)
    for name, table in TABLES.items():
        assert [each.entry for each in tables[name]] == list(table.entries)
        assert report(name, tables[name]).is_complete
    before = path.read_bytes()
    assert run_tables(["5.15", "5.17"], TINY, 1, path, silent)["5.17"] == tables["5.17"]
    assert path.read_bytes() == before


def test_the_grids_are_those_of_the_thesis():
    """A few cells by hand, and how many there are."""
    assert GRIDS["5.4"].wins[2e-5][4] == 97955  # the best on 4x4
    assert GRIDS["5.13"].wins[2e-6][6] == 96091
    assert GRIDS["5.16"].wins[2e-6][4] == 81820  # the best on 6x6
    cells = {name: len(TABLES[name].entries) for name in TABLES}
    assert cells["5.4"] == 24
    assert cells["5.5"] == cells["5.6"] == 32
    assert all(cells[f"5.{number}"] == 48 for number in (7, 8, 9, 10, 11, 12, 13, 16))
    assert (cells["5.14"], cells["5.15"], cells["5.17"]) == (36, 16, 12)


def test_dead_networks_of_the_thesis():
    dead = [each for each in TABLES["5.6"].entries if Outcome(each, (), ()).paper_is_dead]
    assert len(dead) == 20  # of 32, counted by hand
    assert not Outcome(TABLES["5.17"].entries[0], (), ()).paper_is_dead
    assert math.isclose(pick_first("6x6"), 0.33656)


@pytest.mark.parametrize(
    ("wins", "scores", "dead", "verdict"),
    [
        (90_000, (0.91, 0.93), (False,), "agrees"),  # 2 points of at most 3 * 0.02 * 1.22
        (90_000, (0.80, 0.82), (False,), "differs"),
        # Three errors: with two seeds 3 sqrt(0.02^2 (1 + 1/2) + 0.9 x 0.1 / 100,000) = 0.07354,
        # with one, also where the other died, 3 sqrt(0.02^2 x 2 + the same) = 0.08490.
        (90_000, (0.97, 0.977), (False,), "agrees"),
        (90_000, (0.97, 0.9772), (False,), "differs"),
        (90_000, (0.8265,), (False,), "agrees"),
        (90_000, (0.8264, 0.8266), (False,), "agrees"),
        (90_000, (0.8264, 0.8264), (False,), "differs"),
        (90_000, (0.8152, 0.34), (False, True), "agrees"),
        (90_000, (0.8150, 0.34), (False, True), "differs"),
        # Dead in the thesis: within 750 of the 34,261 that Pick First wins of 100,000.
        (35_010, (0.90, 0.91), (False,), "died there only"),
        (35_012, (0.90, 0.91), (False,), "differs"),
        (33_512, (0.90, 0.91), (False,), "died there only"),
        (33_510, (0.90, 0.91), (False,), "differs"),
        (34_261, (0.3501,), (False,), "agrees"),
        (34_261, (0.3502,), (False,), "died there only"),
        (90_000, (0.34, 0.91), (True, False), "agrees"),
        (90_000, (0.34, 0.34), (True, True), "died here only"),
        (34_200, (0.34, 0.91), (True, False), "agrees"),
        (34_200, (0.90, 0.91), (False,), "died there only"),
        (34_200, (0.34, 0.345), (False,), "agrees"),  # as bad as Pick First, which has 34.3 %
    ],
)
def test_verdicts(wins, scores, dead, verdict):
    assert outcome(wins, scores, dead).verdict(0.02) == verdict


def test_networks_are_dead_if_99_of_100_moves_are_the_first(tmp_path, monkeypatch):
    """Scores are the games won of those played against the opponent of the entry."""

    def run_cells(path, study, jobs, on_progress):
        shares = itertools.cycle([0.5, 0.989, 0.99, 1.0])
        won = {"wins": {"random": 2}, "tests": {"random": 8}}
        return Cells([{"first_moves": share} | won for share, _ in zip(shares, jobs, strict=False)])

    monkeypatch.setattr(damhuis_networks, "run_cells", run_cells)
    outcomes = run_tables(["5.4"], Scale("tiny", 2e-6, 4), 1, tmp_path / "cells", silent)["5.4"]
    cells = len(TABLES["5.4"].entries)  # a whole number of turns of the shares
    assert [each.dead for each in outcomes] == [(place % 4 >= 2,) * 4 for place in range(cells)]
    assert {each.scores for each in outcomes} == {(0.25,) * 4}


def test_the_spread_is_that_of_the_living():
    cells = [
        outcome(1, (0.90, 0.92)),  # variance 2e-4, one degree of freedom
        outcome(1, (0.80, 0.83, 0.34), (False, False, True)),  # 4.5e-4, one
        outcome(1, (0.5,)),
    ]
    assert math.isclose(spread_of(cells), math.sqrt((2e-4 + 4.5e-4) / 2))
    assert spread_of(cells[2:]) == damhuis_networks.USUAL_SPREAD


def test_pick_first_is_seen_to_play_like_pick_first():
    game = Clobber(4, 4)
    assert first_moves(game, make_player("first"), 1) == 1.0
    assert first_moves(game, make_player("random"), 1) < 0.5


def test_a_rate_that_is_too_high_kills():
    """The thesis has 33,961 wins of 100,000 for this cell, less than Pick First."""
    network = NETWORK._replace(alpha=2e-4, games=20_000)
    record = train_and_test(network, {"random": 2000}, 1, lambda share: None)
    assert record["first_moves"] == 1.0
    assert abs(record["wins"]["random"] / 2000 - pick_first("4x4")) < 5 * math.sqrt(0.25 / 2000)


def test_networks_learn():
    """After 20,000 games of a million it is far from Pick First, and from Random's 51 %."""
    record = train_and_test(NETWORK._replace(games=20_000), {"random": 2000}, 1, lambda share: None)
    assert record["wins"]["random"] > 1300
    assert record["first_moves"] < 0.9


def test_seeds_and_networks_have_lots_of_their_own():
    games = NETWORK._replace(games=50)
    records = [
        train_and_test(network, {"random": 1000}, seed, lambda share: None)
        for network, seed in ((games, 1), (games, 1), (games, 2), (games._replace(alpha=1e-9), 1))
    ]
    assert records[0] == records[1]
    assert len({record["wins"]["random"] for record in records}) == 3


def test_words():
    assert describe(Network("6x6", (20, 20), 0.01, 2e-9, 1000, 0.1, 20_000_000)) == (
        "6x6, 20+20 nodes, rate 2e-9, target 1000, tau 0.1, 20 million games, leaky"
    )
    assert cost_of(NETWORK) < cost_of(NETWORK._replace(hidden=(100,)))


def test_results_that_belong_to_no_study(tmp_path):
    with pytest.raises(UsageError, match=r"damhuis-5\.1 keeps no file of results; these do: damh"):
        run_study("damhuis-5.1", "quick", 1, silent, tmp_path / "cells.jsonl")


def test_a_table_by_its_name(tmp_path, monkeypatch):
    monkeypatch.setitem(STUDIES, "damhuis-5.17", STUDIES["damhuis-5.17"]._replace(quick=1000))
    path = tmp_path / "new" / "cells.jsonl"
    (found,) = run_study("damhuis-5.17", "quick", 1, silent, path)
    assert found.is_complete
    assert found.title.startswith("Table 5.17")
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line["result"]["tests"] for line in lines[1:]] == 3 * [
        {"mc:5": 1, "mc:10": 1, "mc:20": 1, "mc:50": 1}
    ]


def test_a_table_that_is_off_as_a_whole():
    cells = [outcome(60_000, (0.50, 0.60)), outcome(62_000, (0.51, 0.57))]
    assert lead_in_words(cells) == "; where both live ours win -6.5% ± 1.5% more"
    dead = outcome(34_200, (0.90,))
    assert lead_in_words([*cells, dead]) == lead_in_words(cells)
    assert lead_in_words(cells[:1]) == ""


def test_a_table_is_reproduced_if_all_of_it_agrees():
    cells = [Outcome(entry, (entry.wins / 1000,), (False,)) for entry in TABLES["5.17"].entries]
    assert report("5.17", cells).reproduced is True
    assert report("5.17", cells).verdict.startswith("12 of 12 agree; seeds may differ by 4.0%")
    off = [*cells[:-1], cells[-1]._replace(scores=(0.9,))]
    assert report("5.17", off).reproduced is False
    assert report("5.17", off).verdict.startswith("11 of 12 agree (1 differs)")
    assert not report("5.17", cells[:-1]).reproduced
    assert "1 are missing" in report("5.17", cells[:-1]).verdict


def test_the_heat_map_of_a_table():
    """Rates below each other, targets side by side; what is missing or dead is marked."""
    grid = GRIDS["5.4"]
    rates = list(grid.wins)
    outcomes = [
        Outcome(entry, (share, share), (False, row == 1))
        for entry in TABLES["5.4"].entries
        for row in [rates.index(entry.network.alpha)]
        for share in [row / 10 + grid.targets.index(entry.network.target) / 100]
        if row != 2
    ]
    drawn = report("5.4", outcomes).heat_map
    assert drawn.axes == ("learning rate", "target")
    assert drawn.columns == tuple(str(each) for each in grid.targets)
    assert [float(each) for each in drawn.rows] == rates
    assert drawn.paper[0] == tuple(wins / 100_000 for wins in grid.wins[rates[0]])
    for row, (ours, marks) in enumerate(zip(drawn.ours, drawn.marks, strict=True)):
        missing = row == 2
        expected = [None if missing else row / 10 + i / 100 for i in range(len(grid.targets))]
        assert list(ours) == expected
        assert set(marks) == {"1 of 2 dead" if row == 1 else ""}
