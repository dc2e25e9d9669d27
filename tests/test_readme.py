"""Every command in README.md and docs/ runs, and prints what the page says it prints."""

import re
from pathlib import Path

import pytest

from tests.documentation import PAGES, ROOT, Command, commands_of, run, without_times

COMMANDS = [command for page in PAGES for command in commands_of(page)]


@pytest.mark.parametrize(
    "command", COMMANDS, ids=lambda command: f"{command.page.relative_to(ROOT)}: {command.text}"
)
def test_commands_run(command: Command) -> None:
    printed = run(command.text)
    if command.output:
        assert without_times(printed) == without_times(command.output)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_examples_in_python_run(page: Path) -> None:
    """Those that stand for themselves, beginning with an import."""
    for example in re.findall(r"```python\n(from .*?)```", page.read_text("utf-8"), re.DOTALL):
        exec(example, {})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text("utf-8")):
        if not target.startswith(("http://", "https://", "mailto:")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_commands_are_found() -> None:
    """The README shows at least how to list, play, compare, count and solve."""
    shown = {command.text.split()[1] for command in commands_of(ROOT / "README.md")}
    assert {"games", "play", "match", "perft", "solve", "study"} <= shown
