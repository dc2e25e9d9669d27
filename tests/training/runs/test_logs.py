import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from zerolab.errors import UsageError
from zerolab.training.runs.logs import CONFIG, LOG, RunLog, open_log, read_log

LINES = [
    {"loss": {"sum": 2}, "results": [1, None], "names": ["a", "b"]},
    {"loss": {"sum": None}, "results": [0.5, -0.5, 0.25]},
    {"loss": [], "results": "none", "names": None},
    {"loss": {"sum": float("inf")}},
    {"loss": {"sum": True}},
]


def write(directory: Path, text: str) -> Path:
    (directory / LOG).write_text(text)
    return directory


def test_what_is_no_number_is_nan() -> None:
    log = RunLog(Path(), {}, LINES)
    np.testing.assert_array_equal(log.numbers("loss", "sum"), [2] + 4 * [np.nan])
    np.testing.assert_array_equal(log.numbers("results", 1), [np.nan, -0.5] + 3 * [np.nan])
    assert np.isnan(log.numbers("nothing", "there")).all()


def test_lists_of_different_length_make_rows() -> None:
    log = RunLog(Path(), {}, LINES)
    assert log.longest("results") == 3
    expected = [[1, np.nan, np.nan], [0.5, -0.5, 0.25]] + 3 * [3 * [np.nan]]
    np.testing.assert_array_equal(log.rows("results"), expected)
    assert log.rows("nothing").shape == (5, 0)
    assert log.names("names") == ["a", "b"]
    assert log.names("nothing") == []


def test_a_last_line_that_was_cut_off_is_left_out(tmp_path: Path) -> None:
    assert read_log(tmp_path) == []
    write(tmp_path, '{"step": 1}\n{"step": 2}\n{"st')
    assert read_log(tmp_path) == [{"step": 1}, {"step": 2}]


@pytest.mark.parametrize("line", ['{"step": ', "[1]", "\udcff", "", "null"])
def test_a_damaged_line_is_named(tmp_path: Path, line: str) -> None:
    (tmp_path / LOG).write_bytes(b'{"step": 1}\n' + line.encode(errors="surrogateescape") + b"\n")
    with pytest.raises(UsageError, match="is damaged in line 2"):
        read_log(tmp_path)


def test_logs_that_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no directory"):
        open_log(tmp_path / "nowhere")
    with pytest.raises(UsageError, match=r"holds no run: there is no learner\.jsonl"):
        open_log(tmp_path)
    with pytest.raises(UsageError, match="no step has been finished yet"):
        open_log(write(tmp_path, ""))
    with pytest.raises(UsageError, match="no step has been finished yet"):
        open_log(write(tmp_path, '{"step": 1'))
    (tmp_path / LOG).unlink()
    (tmp_path / LOG).mkdir()
    with pytest.raises(UsageError, match="cannot be read"):
        open_log(tmp_path)


@pytest.mark.parametrize("config", [None, "{", "[]", "\x00"])
def test_a_run_may_lack_its_configuration(tmp_path: Path, config: str | None) -> None:
    write(tmp_path, '{"step": 1}\n')
    if config is not None:
        (tmp_path / CONFIG).write_text(config)
    assert open_log(tmp_path).config == {}


def test_the_configuration_is_read(tmp_path: Path) -> None:
    (tmp_path / CONFIG).write_text(json.dumps({"game": "clobber 3x3"}))
    assert open_log(write(tmp_path, '{"step": 1}\n')).config == {"game": "clobber 3x3"}


def test_reading_needs_no_pytorch() -> None:
    code = (
        "import sys, zerolab.training.runs.logs, zerolab.interfaces.plots.run_plots\n"
        "heavy = {'torch', 'numba', 'matplotlib'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
