"""Every command in README.md and docs/ runs, and prints what the page says it prints.

And every link leads somewhere.
"""

import json
import re
from pathlib import Path

import pytest

from docs.generate.links import anchors_of, links_of
from tests.documentation import PAGES, ROOT, Command, commands_of, run, without_times

COMMANDS = [command for page in PAGES for command in commands_of(page)]
LINKING = [
    *PAGES,
    *(ROOT / name for name in ("CONTRIBUTING.md", "CHANGELOG.md", "benchmarks/README.md")),
    *sorted((ROOT / "examples").glob("*.ipynb")),
]


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


def text_of(page: Path) -> str:
    """The text of a page, or the texts of a notebook."""
    if page.suffix != ".ipynb":
        return page.read_text("utf-8")
    cells = json.loads(page.read_text("utf-8"))["cells"]
    return "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


@pytest.mark.parametrize("page", LINKING, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    """To a file, and to a heading if they name one; also pictures."""
    text = text_of(page)
    for link in links_of(text):
        target = (page.parent / link.path).resolve() if link.path else page
        assert target.exists(), f"{page.name} links to {link}"
        assert target.is_relative_to(ROOT)
        if link.anchor:
            assert link.anchor in anchors_of(text_of(target)), f"{page.name} links to {link}"


def test_links_and_headings_are_found() -> None:
    text = """# A `zerolab.api` page: [linked](x.md)

See [one](one.md#two-words), ![a picture](two.png "title") and [`code`](three.py), not
[elsewhere](https://example.org) and not `[code](four.md)`.

```python
a = b[0](five)  # [comment](six.md)
# no heading
```

## Again
## Again
"""
    found = [str(link) for link in links_of(text)]
    assert found == ["x.md", "one.md#two-words", "two.png", "three.py"]
    assert anchors_of(text) == {"a-zerolabapi-page-linked", "again", "again-1"}


def test_commands_are_found() -> None:
    """The README shows five things to try; where it leads to, there is more."""
    shown = {command.text.split()[1] for command in commands_of(ROOT / "README.md")}
    assert {"match", "analyze", "solve"} == shown
    shown = {command.text.split()[1] for command in commands_of(ROOT / "docs/getting-started.md")}
    assert {"games", "play", "match", "tournament", "exam", "perft", "solve", "study"} <= shown
