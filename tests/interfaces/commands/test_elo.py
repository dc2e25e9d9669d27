"""zerolab elo: what is asked for reaches the event."""

from pathlib import Path

import pytest

from tests.interfaces.commands.promised import promised
from zerolab.evaluation.matches.tournaments import Event
from zerolab.games.clobber import Clobber
from zerolab.interfaces.cli import main


@pytest.fixture
def shown(monkeypatch):
    """What would be played and shown, of a run whose checkpoints are named by simulations."""
    calls = []
    rating = "zerolab.evaluation.ratings.progress_elo"
    monkeypatch.setattr(f"{rating}.pick_steps", lambda run, most: [1, most])
    monkeypatch.setattr(
        f"{rating}.name_players",
        lambda run, steps, simulations: {step: f"{step}@{simulations}" for step in steps},
    )
    monkeypatch.setattr(
        f"{rating}.game_of", lambda run, game, size, options: Clobber(3, 4 if size else 3)
    )
    monkeypatch.setattr(
        "zerolab.interfaces.views.results.elo_view.show_elo",
        lambda out, *arguments: calls.append(arguments),
    )
    return calls


def test_defaults_are_those_of_the_page(shown, tmp_path):
    main(["elo", str(tmp_path)])
    said = promised("tournaments.md", "elo")
    assert said.keys() == {"simulations", "checkpoints", "rounds"}
    [(run, players, event, results, plots)] = shown
    names = tuple(f"{step}@{said['simulations']}" for step in (1, said["checkpoints"]))
    assert event == Event(Clobber(3, 3), names, said["rounds"])
    assert tuple(players.values()) == names
    assert (run, results) == (tmp_path, tmp_path / "elo.jsonl")
    assert plots == [tmp_path / "elo.png", tmp_path / "elo.svg"]


def test_each_option_is_passed_on(shown, tmp_path):
    main(
        [
            *("elo", str(tmp_path), "--simulations", "9", "--checkpoints", "4", "--rounds", "3"),
            *("--opening", "5", "--seed", "7", "--size", "3x4"),
            *("--results", "games.jsonl", "--plot", "curve.pdf"),
        ]
    )
    [(_, _, event, results, plots)] = shown
    assert event == Event(Clobber(3, 4), ("1@9", "4@9"), 3, opening=5, seed=7)
    assert (results, plots) == (Path("games.jsonl"), [Path("curve.pdf")])


def test_networks_alone(shown, tmp_path, capsys):
    main(["elo", str(tmp_path), "--net"])
    [(_, players, _, _, _)] = shown
    assert players == {1: "1@None", 10: "10@None"}
    with pytest.raises(SystemExit):
        main(["elo", str(tmp_path), "--net", "--simulations", "9"])
    assert "--net plays without search" in capsys.readouterr().err
