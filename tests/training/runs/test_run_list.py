"""The runs below a directory."""

import json

from zerolab.files import lock
from zerolab.training.runs.run_list import find_runs, is_running


def write_run(directory, lines=(), **config):
    directory.mkdir(parents=True)
    (directory / "config.json").write_text(json.dumps(config))
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (directory / "learner.jsonl").write_text(text)
    return directory


def test_runs_with_what_a_table_shows(tmp_path):
    lines = [
        {"step": 1, "time_rel": 60, "eval": {"results": [0.5, None, 1.0]}},
        {"step": 2, "time_rel": 90, "eval": {"results": [None]}},
    ]
    run = write_run(tmp_path / "paper" / "jans", lines, game="clobber 4x4", loop="staged")
    (run / "network-000002.safetensors").write_bytes(b"")
    write_run(tmp_path / "perfect", [{"step": 3, "perfect": {"keeps": 0.975}}], game="go 5x5")
    write_run(tmp_path / "learnt", [{"step": 1, "validation": {"accuracy": 0.25}}])
    (tmp_path / "games").mkdir()
    found = {each.name: each for each in find_runs(tmp_path)}
    assert set(found) == {"paper/jans", "perfect", "learnt"}
    jans = found["paper/jans"]
    assert (jans.game, jans.loop, jans.step, jans.minutes, jans.networks) == (
        *("clobber 4x4", "staged", 2, 1.5, 1),
    )
    assert jans.strength == "ladder +0.75"
    assert found["perfect"].strength == "97.5% of wins kept"
    assert found["learnt"].strength == "25.0% of moves predicted"
    assert not jans.is_running
    assert jans.seconds_ago >= 0


def test_damaged_and_empty_runs_are_listed_all_the_same(tmp_path):
    run = write_run(tmp_path / "bad")
    (run / "learner.jsonl").write_text("{nonsense\n{}\n")
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "config.json").write_text("[")
    assert {(each.name, each.step, each.game) for each in find_runs(tmp_path)} == {
        ("bad", 0, "?"),
        ("empty", 0, "?"),
    }


def test_links_and_deep_folders_are_not_followed(tmp_path):
    write_run(tmp_path / "outside" / "run")
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "link").symlink_to(tmp_path / "outside")
    write_run(tmp_path / "runs" / "a" / "b" / "c" / "d" / "e")
    assert find_runs(tmp_path / "runs") == []
    assert find_runs(tmp_path / "nothing") == []


def test_a_run_that_is_held_is_running(tmp_path):
    run = write_run(tmp_path / "run")
    assert not is_running(run)
    with (run / "lock").open("wb") as file:
        assert not is_running(run)
        assert lock(file)
        assert is_running(run)
    assert not is_running(run)
