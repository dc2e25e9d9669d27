"""`zerolab verify` as programs and people meet it."""

import json

import pytest

from tests.documentation import ROOT
from tests.interfaces.test_cli import run_json
from zerolab.interfaces.cli import main
from zerolab.solver.verification import leaf_check

ONE = ("--threads", "1", "--memory", "100")


@pytest.fixture(scope="module")
def proof(tmp_path_factory):
    """A proof of 4x5, which the first player wins, in many parts."""
    path = tmp_path_factory.mktemp("proofs") / "proof"
    solve = ["solve", "clobber", "--size", "4x5", "--proof", str(path), "--budget", "100"]
    main([*solve, *ONE])
    return path


def refuted(capsys, *arguments):
    """The sentence and the result of a proof that fails."""
    with pytest.raises(SystemExit) as ended:
        main(["verify", *arguments, *ONE, "--json"])
    assert ended.value.code == 1
    captured = capsys.readouterr()
    return captured.err.strip().splitlines()[-1], json.loads(captured.out)


def test_a_proof_in_full(capsys, proof, tmp_path):
    log, certificate = str(tmp_path / "log"), tmp_path / "certificate"
    result = run_json(capsys, "verify", str(proof), *ONE, "--log", log, "--out", str(certificate))
    assert result["verified"]
    assert (result["game"], result["root"]) == ("clobber 4x5", "xoxox|oxoxo|xoxox|oxoxo")
    assert (result["first"], result["winner"]) == ("black", "black")
    assert "wins" in result["first_moves"].values()
    assert result["inner"] > 1
    assert result["depth"] > 1
    assert result["inner"] + result["leaves"] == result["tree"] <= result["settled"]
    assert result["checked"] == result["chosen"] == result["leaves"] > 10
    assert (result["wrong_at_most"], result["stopped"], result["share_of_nodes"]) == (0, None, 1)
    assert (result["seed"], result["without"]) == (1, ["values", "ordering"])
    again = run_json(capsys, "verify", str(certificate), *ONE, "--log", log)
    assert again["settled"] == again["tree"] == result["tree"]
    assert (again["checked_before"], again["nodes"]) == (again["leaves"], 0)
    assert len(certificate.read_text().splitlines()) == result["tree"] + 1


def test_a_sample_for_people(capsys, proof):
    main(["verify", str(proof), *ONE, "--sample", "5", "--without", "outlook"])
    shown = " ".join(capsys.readouterr().out.split())
    assert "clobber 4x5: Black, first to move: Black wins" in shown
    assert "other keys (seed 1) and without outlook: all as claimed" in shown
    assert "None of 5 leaves drawn at random is wrong: with 95% confidence at most" in shown
    main(["verify", str(proof), *ONE, "--sample", "0"])
    assert "No leaf was solved again." in capsys.readouterr().out


def test_everything_for_people(capsys, proof):
    main(["verify", str(proof), *ONE, "--without"])
    shown = " ".join(capsys.readouterr().out.split())
    assert "with other keys (seed 1): all as claimed" in shown
    assert "Every leaf was solved again." in shown


def test_it_stops_and_says_so(capsys, proof, monkeypatch):
    result = run_json(capsys, "verify", str(proof), *ONE, "--minutes", "0.0000001")
    assert (result["stopped"], result["checked"], result["wrong_at_most"]) == ("time", 0, None)

    def interrupt(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(leaf_check, "_solve", interrupt)
    main(["verify", str(proof), *ONE])
    shown = " ".join(capsys.readouterr().out.split())
    assert "Stopped by Ctrl-C" in shown
    assert "nothing is said about the others" in shown


def test_proofs_that_fail(capsys, proof, tmp_path):
    lines = proof.read_text().splitlines()
    path = tmp_path / "wrong"

    def write(lines):
        path.write_text("\n".join(lines) + "\n")
        return str(path)

    sentence, result = refuted(capsys, write([*lines, "xoxox win"]))
    assert sentence.startswith(
        f"zerolab: {path} is refuted or incomplete: line {len(lines) + 1} is"
    )
    assert (result["verified"], result["line"]) == (False, len(lines) + 1)
    assert result["problem"] in sentence
    # A leaf that claims too much is found by solving it.
    searched = next(n for n, line in enumerate(lines) if line.endswith("win 1 0.0") or n == 1)
    alone = [lines[0], lines[searched].replace(" win ", " loss ")]
    sentence, result = refuted(capsys, write(alone))
    assert "line 2 claims a loss, but solved again" in sentence
    assert (result["leaves"], "checked" in result) == (1, False)
    # One that others need is missing.
    needed = [line for line in lines if " win " in line and not line.endswith(" 0 0.0")]
    sentence, _ = refuted(capsys, write([line for line in lines if line != needed[0]]))
    assert "without a search of its own" in sentence


def test_an_open_root(capsys, proof, tmp_path):
    path = tmp_path / "open"
    lines = proof.read_text().splitlines()
    path.write_text("\n".join(lines[:2]) + "\n")  # the first position that was solved
    result = run_json(capsys, "verify", str(path), *ONE)
    assert result["verified"]
    assert (result["winner"], result["tree"], result["checked"]) == (None, 1, 1)
    assert set(result["first_moves"].values()) == {"open"}
    main(["verify", str(path), *ONE])
    shown = " ".join(capsys.readouterr().out.split())
    assert "the root is open" in shown
    assert "first moves that differ by more than a symmetry 0 are settled: none." in shown


def test_another_root(capsys, tmp_path):
    path = str(tmp_path / "proof")
    solve = ("solve", "clobber", "--size", "3x3", "--proof", path, *ONE)
    run_json(capsys, *solve, "--first", "white")
    assert run_json(capsys, "verify", path, *ONE)["winner"] is None
    result = run_json(capsys, "verify", path, *ONE, "--first", "white")
    assert (result["first"], result["winner"]) == ("white", "white")
    assert result["root"] == "xox|oxo|xox"
    swapped = run_json(capsys, "verify", path, *ONE, "--position", "oxo|xox|oxo")
    assert (swapped["first"], swapped["winner"]) == ("black", "black")


@pytest.mark.parametrize("variant", ["cannibal", "impartial"])
def test_variants(capsys, tmp_path, variant):
    path = str(tmp_path / "proof")
    board = ("clobber", "--size", "3x4", "--options", f"variant={variant}")
    winner = run_json(capsys, "solve", *board, "--first", "black")["winner"]
    run_json(capsys, "solve", *board, "--proof", path, "--budget", "10", *ONE)
    result = run_json(capsys, "verify", path, *ONE)
    assert (result["winner"], result["inner"] > 0) == (winner, True)
    assert result["game"] == f"clobber 3x4 variant={variant}"


def test_the_proofs_that_are_here(capsys):
    for path in (ROOT / "proofs").glob("*.txt"):
        result = run_json(capsys, "verify", str(path), "--sample", "0", "--threads", "1")
        assert not result["verified"]  # no leaf was solved again
        assert result["tree"] > 0
