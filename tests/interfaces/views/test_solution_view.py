"""`zerolab solve` as programs meet it."""

import pytest

from tests.interfaces.test_cli import run_json
from zerolab.interfaces.cli import main
from zerolab.solver.values import database as kept_values


def test_solitaire(capsys):
    result = run_json(capsys, "solve", "solitaire", "--position", "xoxo|oxox")
    assert result["stones"] == 1
    assert len(result["line"]) == 7


def test_clobber_in_full(capsys):
    result = run_json(capsys, "solve", "clobber", "--position", "xxo|o.x", "--moves", "--value")
    assert result["outcome"] == "L"
    assert result["winners"] == {"black": "black", "white": "black"}
    assert result["moves"] == {"a2a1": -1, "b2c2": -1, "c1c2": 1}
    assert result["value"] == "{^^*|*,^}"
    assert result["atomic_weight"] == "1"
    assert result["mcgs"] == "[clobber] XXO|O.X {B, W}"
    assert result["table_mb"] == pytest.approx(2**18 * 16 / 1e6)
    assert result["line"][0] == "c1c2"
    again = run_json(capsys, "solve", "clobber", "--position", result["mcgs"])
    assert again["outcome"] == "L"
    white = run_json(capsys, "solve", "clobber", "--position", "[clobber] XXO|O.X {W}")
    assert white["first"] == "white"
    assert white["winner"] == "black"
    assert "outcome" not in white


def test_with_white_first(capsys):
    result = run_json(capsys, "solve", "clobber", "--size", "3x3", "--first", "white")
    assert result["first"] == "white"
    assert result["winner"] == "white"


def test_variants(capsys):
    nim = run_json(
        capsys,
        "solve",
        "clobber",
        "--position",
        "xoxo",
        "--options",
        "variant=impartial",
        "--value",
    )
    assert nim["nim_value"] == 3
    assert run_json(capsys, "solve", "graph-clobber", "--value")["value"] == "0"
    graph = run_json(capsys, "solve", "graph-clobber", "--position", "xo....", "--value")
    assert graph["value"] == "*"


def test_it_keeps_a_table(capsys, tmp_path):
    table = str(tmp_path / "table")
    first = run_json(capsys, "solve", "clobber", "--size", "4x5", "--table", table)
    again = run_json(capsys, "solve", "clobber", "--size", "4x5", "--table", table)
    assert first["nodes"] > 1000
    assert again["nodes"] == 0
    assert again["outcome"] == "N"


def test_it_keeps_a_database(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(kept_values, "cache_directory", lambda: tmp_path)
    monkeypatch.setattr(kept_values, "LEAST_CELLS", 20)
    monkeypatch.setattr(kept_values, "SECONDS", 0.0)
    solve = ("solve", "clobber", "--size", "4x5", "--threads", "1")
    table = str(tmp_path / "table")
    without = run_json(capsys, *solve, "--without", "database", "--table", table)
    assert [path.name for path in tmp_path.iterdir()] == ["table"]
    first, second = run_json(capsys, *solve), run_json(capsys, *solve)
    assert len(list(tmp_path.glob("values-*"))) == 1
    assert first["nodes"] == second["nodes"] < without["nodes"]
    assert first["outcome"] == second["outcome"] == without["outcome"]
    with pytest.raises(SystemExit) as error:
        main([*solve, "--table", table])
    assert error.value.code == 2
    assert "was made with" in capsys.readouterr().err


def test_a_proof_in_parts(capsys, tmp_path):
    proof = str(tmp_path / "proof")
    result = run_json(capsys, "solve", "clobber", "--size", "4x5", "--proof", proof)
    assert result["value"] == 1
    assert result["settled"] >= 1
    again = run_json(capsys, "solve", "clobber", "--size", "4x5", "--proof", proof)
    assert again["settled"] == result["settled"]


def test_games_for_two(capsys):
    result = run_json(capsys, "solve", "clobber", "--size", "3x4", "--moves")
    assert result["outcome"] == "P"
    assert result["winner"] == "white"
    assert set(result["moves"].values()) == {-1}
    one = run_json(capsys, "solve", "clobber", "--position", "xo", "--first", "white")
    assert (one["winner"], "outcome" in one) == ("white", False)
    assert run_json(capsys, "solve", "tic-tac-toe")["winner"] == "draw"
