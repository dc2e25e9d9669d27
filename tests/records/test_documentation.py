"""docs/records.md: its examples run, and its tables are those of the code."""

import re
from pathlib import Path

import numpy as np
import pytest

from tests.documentation import ROOT
from tests.records.making import as_line, random_recorded
from zerolab.games.gobang import Gobang
from zerolab.records import record_files, sgf
from zerolab.records.recorded_game import Reason
from zerolab.records.samples import Batch

PAGE = (ROOT / "docs" / "records.md").read_text("utf-8")


def test_the_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("games").mkdir()
    games = random_recorded(Gobang(15, 15), 30)
    Path("games", "a.sgfl").write_bytes(b"\n".join(map(as_line, games)))
    names: dict[str, object] = {}
    blocks = re.findall(r"```python no-test\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) == 3
    for block in blocks:
        exec(block, names)
    batch = names["batch"]
    assert isinstance(batch, Batch)
    assert batch.planes.shape == (256, 3, 15, 15)
    np.testing.assert_array_equal(batch.policy.sum(axis=1), 1)


@pytest.mark.parametrize("module", [sgf, record_files])
def test_the_tables_agree_with_the_code(module: object) -> None:
    rows = re.findall(r"^\| (`.*?) \|", str(module.__doc__), re.MULTILINE)
    assert len(rows) > 3
    for row in rows:
        assert all(name in PAGE for name in re.findall(r"`.*?`", row))


def test_every_reason_is_explained() -> None:
    explained = re.findall(r"^\| ([a-z, ]+) \|", PAGE.partition("by reason")[2], re.MULTILINE)
    listed = [reason for row in explained for reason in row.split(", ")]
    assert sorted(listed[1:]) == sorted(Reason)  # the first is the head of the table
