"""`zerolab sweep` as programs and people meet it."""

import json
from xml.etree import ElementTree

import pytest

from zerolab.experiments.sweeps import trials
from zerolab.interfaces.cli import main
from zerolab.training.runs.logs import read_log

SMALL = ("sweep", "othello", "--size", "5x5", "--preset", "wang", "--steps", "1", "--games", "2")
SMALL += ("--simulations", "2", "--set", "nn_width=4", "episodes=2", "epochs=1", "arena=false")
OVER = ("--over", "max_simulations=2,3", "uct_c=0.5,1")


def run_json(capsys, *arguments):
    main([*arguments, "--json"])
    return json.loads(capsys.readouterr().out)


def test_a_sweep_by_elo_and_time(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")  # long times, on a busy machine, leave less to headings
    directory = tmp_path / "sweep"
    command = (*SMALL, *OVER, "--objective", "elo", "time", "--dir", str(directory))
    result = run_json(capsys, *command)
    assert (result["method"], result["complete"], result["stopped"]) == ("grid", True, False)
    assert [each["parameters"] for each in result["trials"]] == [
        {"max_simulations": m, "uct_c": c} for m in (2, 3) for c in (0.5, 1.0)
    ]
    for each in result["trials"]:
        assert set(each["values"]) == {"elo", "time"}
        assert isinstance(each["tournament_elo"], float)
    assert result["anchors"]["random"] == 0
    assert result["best"]
    assert ElementTree.parse(result["plot"]).getroot().tag.endswith("svg")
    games = (directory / "tournament.jsonl").read_bytes()
    again = run_json(capsys, *command)
    assert again == result
    assert (directory / "tournament.jsonl").read_bytes() == games
    main(list(command))
    printed = capsys.readouterr().out
    assert "tournament" in printed
    assert "What explains the differences" in printed


def test_proposals_by_one_objective(capsys, tmp_path):
    command = (*SMALL, "--over", "uct_c=0.5..2.0", "--objective", "loss", "--dir", str(tmp_path))
    result = run_json(capsys, *command, "--trials", "2")
    assert (result["method"], len(result["trials"])) == ("tpe", 2)
    more = run_json(capsys, *command, "--trials", "3")
    assert more["trials"][:2] == result["trials"]
    proposed = [each["parameters"]["uct_c"] for each in more["trials"]]
    assert len(set(proposed)) == 3
    for each in more["trials"]:
        assert (
            each["values"]["loss"]
            == read_log(tmp_path / "trials" / f"{each['number']:04}-0")[-1]["loss"]["sum"]
        )
    best = min(more["trials"], key=lambda each: each["values"]["loss"])
    assert more["best"] == [best["number"]]


def test_proposals_by_two_objectives(capsys, tmp_path):
    command = (*SMALL, "--over", "uct_c=0.5..2.0", "--objective", "loss", "time")
    result = run_json(capsys, *command, "--trials", "2", "--dir", str(tmp_path))
    assert result["method"] == "nsga2"
    assert len(result["trials"]) == 2


def test_a_sweep_in_which_all_fails(capsys, tmp_path, monkeypatch):
    def fail(*arguments):
        raise RuntimeError("no such luck")

    monkeypatch.setattr(trials, "run_experiment", fail)
    command = (*SMALL, *OVER, "--objective", "loss", "--dir", str(tmp_path))
    result = run_json(capsys, *command)
    assert [each["reason"] for each in result["trials"]] == ["no such luck"] * 4
    assert (result["plot"], result["best"], result["complete"]) == (None, [], True)
    main(list(command))
    printed = capsys.readouterr()
    assert "no such luck" in printed.out
    assert "4 of 4 trials failed" in printed.err


def test_a_sweep_that_is_stopped_says_so(capsys, tmp_path, monkeypatch):
    def stop(*arguments):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(trials, "run_experiment", stop)
        command = (*SMALL, *OVER, "--objective", "loss", "--dir", str(tmp_path))
        assert run_json(capsys, *command)["stopped"]
    result = run_json(capsys, *command)
    assert (result["stopped"], result["complete"]) == (False, True)
    assert len(result["trials"]) == 4


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--over", "nothing=1"), "'nothing=1' cannot be varied"),
        ((*OVER, "--objective", "fame"), "'fame' is no objective"),
        ((*OVER, "--minutes", "0"), "--minutes 0.0 is not possible"),
        (("--over", "uct_c=0.5..2"), "expected --trials N"),
        ((*OVER, "--storage", "here"), "expected a URL"),
        ((*OVER, "--set", "uct_d=1"), "'uct_d=1' is not a setting"),
        (("--over", "dropout=0.2,1.5"), "dropout: Input should be less than 1"),
    ],
)
def test_wrong_arguments(capsys, tmp_path, arguments, message):
    with pytest.raises(SystemExit) as exit:
        main([*SMALL, *arguments, "--dir", str(tmp_path / "sweep")])
    assert exit.value.code == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert "Traceback" not in printed.err
    assert not (tmp_path / "sweep" / "trials" / "0000-0").exists()


def test_settings_that_cannot_work_are_refused_before_any_trial(capsys, tmp_path):
    command = [word if word != "5x5" else "4x4" for word in SMALL]
    with pytest.raises(SystemExit) as exit:
        main([*command, *OVER, "--dir", str(tmp_path / "sweep")])
    assert exit.value.code == 2
    assert "do not fit a board of 4x4" in capsys.readouterr().err
