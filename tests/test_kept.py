"""Runs, networks and games of an earlier version: they still open, and seeds mean the same."""

import json
import shutil

import pytest

from tests.documentation import ROOT
from tests.search.evaluators import scrambled
from zerolab.games.clobber import Clobber
from zerolab.games.othello import Othello
from zerolab.interfaces import cli
from zerolab.search.batched.batched_search import SearchConfig
from zerolab.search.batched.searching_network import SearchingNetwork
from zerolab.solver.exact_leaves import make_oracle
from zerolab.training.selfplay.selfplay import SelfPlay

KEPT = ROOT / "tests" / "kept"
GAMES = json.loads((KEPT / "games.json").read_text("utf-8"))
SEARCHES = {
    "puct": {},
    "noise": {"policy_alpha": None, "urgency": 0.2, "temperature_drop": 3},
    "caps": {"fast_simulations": 4, "full_share": 0.5, "forced_playouts": 2.0, "reuse": True},
    "openings": {"opening_plies": 4, "cache_symmetric": True},
    "gumbel": {"gumbel": True, "gumbel_considered": 4},
}


def result_of(capsys, *arguments):
    """What a command prints with --json."""
    cli.main([*map(str, arguments), "--json"])
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("match", GAMES["matches"], ids=lambda match: " ".join(match["arguments"]))
def test_matches(match, capsys):
    found = result_of(capsys, *match["arguments"])
    assert {key: found[key] for key in match if key != "arguments"} == {
        key: value for key, value in match.items() if key != "arguments"
    }


def test_tournament(tmp_path, capsys):
    recorded = GAMES["tournament"]
    file = tmp_path / "games.jsonl"
    result_of(capsys, *recorded["arguments"], "--results", file)
    _, *games = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    keys = ("pair", "first", "second", "opening", "moves", "result")
    assert sorted([game[key] for key in keys] for game in games) == recorded["games"]


@pytest.mark.parametrize("name", GAMES["selfplay"])
def test_selfplay(name):
    search, rules, exact = name.split()
    game = Clobber(4, 4) if rules == "clobber" else Othello(4, 4)
    config = SearchConfig(max_simulations=12, **SEARCHES[search])
    oracle = make_oracle(game, int(exact))
    games = SelfPlay(SearchingNetwork(game, scrambled(game), config, oracle), 4, seed=5)
    records = []
    while len(records) < 8:
        records += games.round()
    for record, recorded in zip(records, GAMES["selfplay"][name], strict=False):
        assert record.opening == recorded["opening"]
        assert record.actions.tolist() == recorded["actions"]
        assert record.full.tolist() == list(map(bool, recorded["full"]))
        assert record.policies.max(axis=1) == pytest.approx(recorded["policies"], abs=2e-5)
        assert record.values == pytest.approx(recorded["values"], abs=2e-5)


@pytest.mark.parametrize(
    ("kept", "game", "steps", "key"),
    [
        ("continuous", ("clobber", "--size", "3x3"), 4, "steps"),
        ("staged", ("othello", "--size", "4x4"), 3, "iterations"),
        ("staged-in-hand", ("othello", "--size", "4x4"), 1, "iterations"),
    ],
)
def test_runs_go_on(kept, game, steps, key, tmp_path, capsys):
    run = tmp_path / kept
    shutil.copytree(KEPT / kept, run)
    ladder = ("--games", 0) if kept == "continuous" else ()
    limits = ("--steps", steps, *ladder)
    assert result_of(capsys, "train", *game, "--run", run, "--resume", *limits)[key] == steps
    log = [json.loads(line) for line in (run / "learner.jsonl").read_text("utf-8").splitlines()]
    assert [line["step"] for line in log] == list(range(1, steps + 1))
    before = (KEPT / kept / "learner.jsonl").read_text("utf-8").splitlines()
    assert log[: len(before)] == [json.loads(line) for line in before]


@pytest.mark.parametrize(
    ("kept", "game"), [("continuous", ("clobber", "3x3")), ("staged", ("othello", "4x4"))]
)
def test_networks_play(kept, game, tmp_path, capsys):
    """From their run, from a step of it, and alone in a file."""
    shutil.copy(KEPT / kept / "network-000002.safetensors", tmp_path / "alone.safetensors")
    names = (f"az:{KEPT / kept}@8", f"net:{KEPT / kept}#2", f"az:{tmp_path}/alone.safetensors@8")
    for name in names:
        match = ("match", game[0], "--size", game[1], "--black", name, "--games", 2)
        assert result_of(capsys, *match)["games"] == 2
    model = tmp_path / "model.onnx"
    assert result_of(capsys, "export", KEPT / kept, model)["game"] == " ".join(game)
    assert result_of(
        capsys,
        "elo",
        KEPT / kept,
        "--rounds",
        1,
        "--results",
        tmp_path / "elo.jsonl",
        "--plot",
        tmp_path / "elo.svg",
    )
