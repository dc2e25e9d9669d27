"""examples/alphazero.py: shrunken, it plays, learns and ends with a match."""

import re
import subprocess
import sys

from tests.documentation import ROOT


def test_it_runs() -> None:
    small = ("--rows", "3", "--cols", "3", "--steps", "2", "--games", "4")
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / "alphazero.py", *small],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    lines = done.stdout.splitlines()
    assert [line.partition(":")[0] for line in lines[:2]] == ["step 1", "step 2"]
    assert re.fullmatch(r"against UCT with 50 simulations: [0-4] of 4", lines[2])
    assert re.fullmatch(r"against UCT with 158 simulations: [0-4] of 4", lines[3])
