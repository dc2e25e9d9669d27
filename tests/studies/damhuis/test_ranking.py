"""The ranking, shrunken: a tiny board, tiny networks in this process."""

from types import SimpleNamespace

import pytest

from tests.studies.steps import train_by_steps
from zerolab.evaluation.matches.tournaments import Event
from zerolab.games.clobber import Clobber
from zerolab.studies.damhuis import ranking as damhuis_ranking
from zerolab.studies.damhuis.network_tables import Network
from zerolab.studies.damhuis.ranking import rank
from zerolab.training.loop import Limits
from zerolab.training.settings.presets import make_preset

TINY = {
    **{"actors": 0, "evaluators": 0, "max_simulations": 4, "batch": 8, "int8": False},
    **{"nn_width": 4, "nn_depth": 1, "exact_stones": 6},
    **{"replay_buffer_size": 256, "train_batch_size": 32},
}


@pytest.fixture(autouse=True)
def small(monkeypatch):
    def preset(name, game):
        return make_preset(name, game).changed(**TINY)

    monkeypatch.setattr(damhuis_ranking, "make_preset", preset)
    monkeypatch.setattr(damhuis_ranking, "OTHERS", ("random", "first"))
    networks = {board: Network(board, (5,), 0.0, 2e-5, 10) for board in ("3x3", "3x4")}
    monkeypatch.setattr(damhuis_ranking, "NETWORKS", networks)
    train_by_steps(monkeypatch)


def test_all_players_are_rated_on_all_boards(tmp_path):
    seen = []
    (report,) = rank(
        *(("3x3", "3x4"), 200, 1, tmp_path), lambda done, total: seen.append(done / total)
    )
    assert report.is_complete
    assert report.headings == ("player", "3x3", "3x4")
    assert {row[0] for row in report.rows} == {
        *("random", "first", "network of damhuis", "AlphaZero", "AlphaZero, exact leaves")
    }
    assert {value["elo"] for value in report.values if value["player"] == "random"} == {0.0}
    assert seen == pytest.approx(sorted(seen))
    assert seen[-1] == pytest.approx(1)


def test_what_was_played_is_kept(tmp_path):
    (first,) = rank(("3x3",), 200, 1, tmp_path, lambda done, total: None)
    games = (tmp_path / "3x3/games.jsonl").read_bytes()
    weights = (tmp_path / "3x3/mlp.npz").read_bytes()
    (again,) = rank(("3x3",), 200, 1, tmp_path, lambda done, total: None)
    assert again == first
    assert (tmp_path / "3x3/games.jsonl").read_bytes() == games
    assert (tmp_path / "3x3/mlp.npz").read_bytes() == weights


def test_who_plays_whom_and_how_often(tmp_path, monkeypatch):
    """Networks trained for this board with this seed, both alone and with exact leaves."""
    made, trained, events = [], [], []
    rated = SimpleNamespace(players=[])
    monkeypatch.setattr(damhuis_ranking, "_train_mlp", lambda *given: made.append(given[:-1]))
    monkeypatch.setattr(
        damhuis_ranking,
        "run_experiment",
        lambda game, config, directory, limits, told, seed: SimpleNamespace(
            unless_stopped=lambda: trained.append((game, directory, limits, seed))
        ),
    )
    monkeypatch.setattr(
        damhuis_ranking,
        "play_event",
        lambda event, path, on_progress: (events.append((event, path)), True),
    )
    monkeypatch.setattr(damhuis_ranking, "meetings", lambda played: [])
    monkeypatch.setattr(damhuis_ranking, "rate", lambda found, anchor: rated)
    assert rank(("3x4",), 2000, 7, tmp_path, lambda done, total: None)[0].is_complete
    game, place = Clobber(3, 4), tmp_path / "3x4"
    assert made == [
        (game, damhuis_ranking.NETWORKS["3x4"], 2000, 7, place / "mlp.npz"),
    ]
    assert trained == [(game, place / "az", Limits(2.0), 7)]  # a second for 1,000 games
    names = ("random", "first", f"mlp:{place / 'mlp.npz'}", f"az:{place / 'az'}@100")
    event = Event(game, (*names, f"{names[-1]},exact=6"), 5, seed=7)
    assert events == [(event, place / "games.jsonl")]


def test_an_interrupt_keeps_whole_boards(tmp_path):
    def stop_later(done, total):
        if done > 1:
            raise KeyboardInterrupt

    (report,) = rank(("3x3", "3x4"), 200, 1, tmp_path, stop_later)
    assert not report.is_complete
    assert report.headings == ("player", "3x3")
    assert "stopped after 1 of 2 boards" in report.verdict


def test_networks_of_all_boards_have_one_name_and_keep_their_ratings():
    """With exact leaves and without are two players."""

    def ratings(**elo):
        names = {
            "exact": "az:a/az@100,exact=6",
            "plain": "az:a/az@100",
            "online": "mlp:a/mlp.npz",
            "random": "random",
        }
        return SimpleNamespace(
            players=[
                SimpleNamespace(name=names[key], rating=value, error=value / 10)
                for key, value in elo.items()
            ]
        )

    found = {
        "3x3": ratings(plain=300.0, exact=200.0, online=100.0, random=0.0),
        "3x4": ratings(exact=500.0, plain=400.0, online=50.0, random=0.0),
    }
    report = damhuis_ranking._report(("3x3", "3x4"), found)
    assert report.rows == [
        ("AlphaZero, exact leaves", "200 ± 20", "500 ± 50"),
        ("AlphaZero", "300 ± 30", "400 ± 40"),
        ("network of damhuis", "100 ± 10", "50 ± 5"),
        ("random", "0 ± 0", "0 ± 0"),
    ]
    assert report.values[1] == {
        **{"player": "AlphaZero, exact leaves", "board": "3x4", "elo": 500, "error": 50}
    }
    assert (report.is_complete, report.reproduced) == (True, None)
