"""`zerolab elo` as programs and people meet it."""

import json
import shutil
import signal
import subprocess
import sys
from xml.etree import ElementTree

import pytest

from tests.evaluation.guests import hold_after
from tests.evaluation.runs import make_run
from tests.interfaces.views.training.test_staged_view import TINY
from zerolab.evaluation.matches.results_file import read_results
from zerolab.evaluation.matches.tournaments import play_event
from zerolab.games.clobber import Clobber
from zerolab.interfaces.cli import main
from zerolab.interfaces.views.output import Output
from zerolab.interfaces.views.training.staged_view import show_staged
from zerolab.training.loop import Limits

STEPS = (10, 20, 30, 35)
QUICK = ("--net", "--rounds", "3")


@pytest.fixture(scope="module", name="made")
def _made(tmp_path_factory):
    return make_run(tmp_path_factory.mktemp("runs") / "demo", Clobber(3, 4), STEPS)


@pytest.fixture(name="run")
def _run(made, tmp_path):
    return shutil.copytree(made, tmp_path / "demo")


def run_json(capsys, *arguments):
    """The one JSON object on standard output."""
    main(["elo", *map(str, arguments), "--json"])
    return json.loads(capsys.readouterr().out)


def complaint(capsys, *arguments):
    """The one sentence on standard error, with exit code 2."""
    with pytest.raises(SystemExit) as exit:
        main(["elo", *map(str, arguments)])
    assert exit.value.code == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "Traceback" not in printed.err
    return " ".join(printed.err.replace("│", " ").split())


def essence(result):
    """What does not depend on the time it took."""
    return {key: value for key, value in result.items() if key != "seconds"}


def test_a_run_is_rated_twice(capsys, run):
    result = run_json(capsys, run, *QUICK)
    assert (result["games"], result["complete"], result["game"]) == (36, True, "clobber 3x4")
    assert [each["step"] for each in result["checkpoints"]] == list(STEPS)
    first, *_, last = result["checkpoints"]
    # Neighbours meet 6 times: the first has one of them, and three opponents in all.
    assert (first["training"]["games"], first["tournament"]["games"]) == (6, 18)
    assert result["checkpoints"][1]["training"]["games"] == 12
    for kind in ("training", "tournament"):
        assert (first[kind]["elo"], first[kind]["error"]) == (0, 0)
        assert result["gain"][kind]["value"] == last[kind]["elo"]
        assert result["gain"][kind]["error"] == last[kind]["error"] > 0
        assert "few games" in last[kind]["flags"]
    assert result["gain"]["agree"] in (True, False)
    assert result["plots"] == [str(run / "elo.png"), str(run / "elo.svg")]
    assert (run / "elo.png").read_bytes().startswith(b"\x89PNG")
    assert ElementTree.parse(run / "elo.svg").getroot().tag.endswith("svg")
    kept = (run / "elo.jsonl").read_bytes()
    assert kept.count(b"\n") == 37
    assert essence(run_json(capsys, run, *QUICK)) == essence(result)
    assert (run / "elo.jsonl").read_bytes() == kept


def test_one_file_serves_runs_that_go_on(capsys, run):
    few = run_json(capsys, run, *QUICK, "--checkpoints", "2")
    assert [each["step"] for each in few["checkpoints"]] == [10, 35]
    assert few["games"] == 6
    assert few["gain"]["excess"] is None
    searched = run_json(capsys, run, "--simulations", "4", "--rounds", "1", "--checkpoints", "2")
    assert searched["games"] == 2
    assert searched["players"][0].endswith("demo#10@4")
    assert run_json(capsys, run, *QUICK)["games"] == 36
    assert (run / "elo.jsonl").read_bytes().count(b"\n") == 1 + 36 + 2


def test_runs_of_the_staged_loop(capsys, tmp_path):
    run = tmp_path / "staged"
    show_staged(
        *(Output(True), Clobber(3, 3), run, Limits(steps=3), False),
        (*TINY, "checkpoint_freq=1"),
        1,
    )
    capsys.readouterr()
    result = run_json(capsys, run, *QUICK)
    assert [each["step"] for each in result["checkpoints"]] == [1, 2, 3]
    assert (result["game"], result["games"]) == ("clobber 3x3", 18)


def test_tables_for_people(capsys, run):
    main(["elo", str(run), *QUICK, "--plot", str(run / "both.pdf")])
    printed = " ".join(capsys.readouterr().out.split())
    assert "clobber 3x4: 36 games of networks alone" in printed
    assert "training Elo" in printed
    assert "gain from step 10 to 35:" in printed
    assert any(word in printed for word in ("the two agree", "is inflated", "falls short"))
    assert (run / "both.pdf").exists()
    assert not (run / "elo.png").exists()
    main(["elo", str(run), "--simulations", "2", "--rounds", "1", "--checkpoints", "2"])
    printed = " ".join(capsys.readouterr().out.split())
    assert "2 games of networks with 2 simulations" in printed
    assert "nothing to compare" in printed


KILLED = """
import os, signal
from zerolab.evaluation.matches.tournaments import play_event
from zerolab.interfaces.views.results import elo_view as progress_elo
from zerolab.interfaces.cli import main

def play(event, results, on_progress, is_shared):
    def tell(done, planned):
        if done >= 3:
            os.kill(os.getpid(), signal.SIGKILL)

    return play_event(event, results, on_progress=tell, is_shared=is_shared)

progress_elo.play_event = play
main()
"""


def test_a_killed_command_goes_on_as_if_nothing_had_happened(capsys, run, tmp_path):
    """Killed, and with half a line as its last words."""
    options = ("--simulations", "20", "--rounds", "10", "--seed", "3")
    whole = run_json(capsys, run, *options, "--results", tmp_path / "whole.jsonl")
    path = run / "elo.jsonl"
    command = [sys.executable, "-c", KILLED, "elo", str(run), *options]
    assert subprocess.run(command, capture_output=True).returncode == -signal.SIGKILL
    assert 3 < path.read_bytes().count(b"\n") <= 120
    with path.open("ab") as file:
        file.write(b'{"pair": 3, "first": "az')
    resumed = run_json(capsys, run, *options)
    assert essence(resumed) | {"results": None} == essence(whole) | {"results": None}
    assert len(read_results(path)[1]) == 120


def test_ctrl_c_rates_what_was_played(capsys, run, monkeypatch):
    def interrupted(event, results, on_progress, is_shared):
        def tell(done, planned):
            on_progress(done, planned)
            if done >= 8 and not told:
                told.append(done)
                raise KeyboardInterrupt

        told = []
        return play_event(event, results, 1, tell, is_shared=is_shared)

    options = ("--net", "--rounds", "20")
    with monkeypatch.context() as patch:
        hold_after(patch, 2)
        patch.setattr("zerolab.interfaces.views.results.elo_view.play_event", interrupted)
        main(["elo", str(run), *options, "--json"])
    printed = capsys.readouterr()
    result = json.loads(printed.out)
    assert not result["complete"]
    assert 8 <= result["games"] < 240
    assert f"stopped after {result['games']} of 240 games; the same command" in printed.err
    assert result["checkpoints"][0]["training"]["games"] > 0
    assert (run / "elo.png").exists()
    assert len(read_results(run / "elo.jsonl")[1]) == result["games"]
    result = run_json(capsys, run, *options)
    assert (result["games"], result["complete"]) == (240, True)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--net", "--simulations", "5"), "leave out --simulations"),
        (("--checkpoints", "1"), "'1' is not possible; expected a whole number, 2 or more"),
        (("--rounds", "0"), "'0' is not possible"),
        (("--simulations", "0"), "'0' is not possible"),
        (("--opening", "-1"), "'-1' is not possible"),
        (("--plot", "elo.txt"), "'elo.txt' cannot be drawn"),
        (("--results", "/nowhere/x"), "cannot be written"),
        (("--game", "gobang"), "a network for clobber 3x4, not for gobang 3x4"),
        (("--game", "chess"), "'chess' is not a game"),
        (("--size", "5x5"), "a network for clobber 3x4, not for clobber 5x5"),
    ],
)
def test_a_wrong_argument_is_a_sentence(capsys, run, arguments, words):
    assert words in complaint(capsys, run, *arguments)
    assert not (run / "elo.jsonl").exists()


def test_what_is_no_run_is_a_sentence(capsys, run, tmp_path):
    assert "there is no directory" in complaint(capsys, tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    assert "holds no network; at least two" in complaint(capsys, tmp_path / "empty")
    for step in STEPS[1:]:
        (run / f"network-{step:06}.safetensors").unlink()
    assert "holds one network, of step 10" in complaint(capsys, run)
    (run / "network-000020.safetensors").write_bytes(b"\1\2")
    assert "not a network or checkpoint of zerolab" in complaint(capsys, run)


def test_a_file_of_another_seed_is_left_alone(capsys, run):
    run_json(capsys, run, *QUICK, "--checkpoints", "2")
    before = (run / "elo.jsonl").read_bytes()
    printed = complaint(capsys, run, *QUICK, "--seed", "5")
    assert "holds a tournament with seed 0, not 5" in printed
    assert (run / "elo.jsonl").read_bytes() == before
