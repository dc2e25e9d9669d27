"""docs/networks.md: the commands that export a model, and the script that uses it, run."""

import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "networks.md"


def test_a_bare_script_uses_an_exported_model(tmp_path: Path) -> None:
    page = PAGE.read_text("utf-8")
    commands = re.findall(r"^\$ zerolab (.*(?:--save|export).*)$", page, re.MULTILINE)
    assert len(commands) == 2
    for command in commands:
        subprocess.run(
            [sys.executable, "-m", "zerolab", *command.split()], cwd=tmp_path, check=True
        )
    (script,) = re.findall(r"```python\n(import numpy.*?)```", page, re.DOTALL)
    assert "zerolab" not in script
    result = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    assert re.fullmatch(r"value [+-]\d\.\d{3}, best action \d+\n", result.stdout)
