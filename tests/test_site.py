"""The site of documentation: its reference has everything, and it builds without a broken link."""

import contextlib
import importlib.util
import io
import re
import subprocess
import sys
from pathlib import Path

import pytest

import zerolab as zl
from docs.generate.command_reference import write_command_reference
from docs.generate.links import anchors_of, for_python_markdown
from docs.generate.notebooks import show_notebook
from docs.generate.python_reference import write_python_reference
from tests.documentation import NO_MKDOCS, ROOT
from tests.interfaces.web.pages.browsing import CHROMIUM, PATIENCE, needs_browser
from zerolab.evaluation.players.engine_process import find_program
from zerolab.interfaces.cli import COMMANDS, main

SETTINGS = ROOT / "mkdocs.yml"


@pytest.mark.parametrize("command", COMMANDS)
def test_the_reference_has_every_command_with_all_it_takes(command: str) -> None:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), pytest.raises(SystemExit):
        main([command, "--help"])
    expected = set(re.findall(r"^. (--[a-z][a-z-]*)", printed.getvalue(), re.MULTILINE))
    _, _, section = write_command_reference().partition(f"\n## {command}\n")
    section, _, _ = section.partition("\n## ")
    assert expected == set(re.findall(r"(?<=^\| `)--[a-z][a-z-]*", section, re.MULTILINE))
    assert all(row.count(" | ") == 2 for row in section.splitlines() if row.startswith("| `"))


def test_options_are_shown_as_they_are_typed() -> None:
    page = write_command_reference()
    assert "$ zerolab match clobber --size 6x6 --black first --white random" in page
    assert "zerolab exam GAME --players" not in page  # it has a default, which is shown
    for row in (
        "| `GAME` | A game (see zerolab games), a file of rules, such as mygame.py, or",
        "| `--size ROWSxCOLS` | Size of the board. |",
        "| `--sprt ELO0 ELO1` | Stop as soon",
        "| `--first {black,white}` | Who moves first in that position. | `black` |",
        "| `--resume` | Continue the run in this directory. |  |",
    ):
        assert row in page


def test_the_reference_has_every_public_name() -> None:
    page = write_python_reference()
    assert {name.lower() for name in zl.__all__} <= anchors_of(page)
    for line in (
        "zl.match(",
        '    preset: str = "zerolab",',
        "zl.Othello(rows: int = 8, cols: int = 8)",
        "zl.solve(position: Position) -> Solution",
        "| `.setup` | chequered, random",
        "| `.play(move)` | The position after a move",
        "| `.winner` | None for a draw. |",
    ):
        assert line in page


def test_every_page_is_in_the_navigation() -> None:
    settings = SETTINGS.read_text("utf-8")
    for page in (ROOT / "docs").rglob("*.md"):
        assert f": {page.relative_to(ROOT / 'docs').as_posix()}\n" in settings
    for notebook in (ROOT / "examples").glob("*.ipynb"):
        assert f": notebooks/{notebook.stem}.md\n" in settings


def test_notebooks_are_shown_with_what_came_out() -> None:
    page = show_notebook(ROOT / "examples" / "values_of_clobber.ipynb")
    assert page.startswith("# Values of Clobber\n")
    assert "```python\nimport itertools" in page
    assert '<div class="output"><svg' in page
    assert 'src="data:image/png;base64,' in page
    assert "xxo|o.x      {⇑*|*,↑}           L" in page


def test_what_github_and_the_site_understand_otherwise() -> None:
    page = "As here:\n- one\n  two\n\n```console no-test\n$ x\n  y\n```\n\n| `a\\|b` | c\\|d |\n"
    shown = "As here:\n\n- one\n    two\n\n```console\n$ x\n  y\n```\n\n| `a|b` | c\\|d |\n"
    assert for_python_markdown(page) == shown


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, which was built without a warning."""
    directory = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(directory)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return directory


needs_mkdocs = pytest.mark.skipif(importlib.util.find_spec("material") is None, reason=NO_MKDOCS)


@pytest.mark.slow
@needs_mkdocs
def test_it_loads_nothing_from_elsewhere(site: Path) -> None:
    pages = [path for path in site.rglob("*.html") if "source" not in path.parts]
    names = {path.relative_to(site).as_posix() for path in pages}
    assert {"index.html", "reference/commands.html", "notebooks/values_of_clobber.html"} <= names
    for path in pages:
        text = path.read_text("utf-8")
        loaded = re.findall(r"<(?:script|img|iframe)[^>]*\ssrc=\"?([^\s\">]+)", text)
        loaded += re.findall(r"<link[^>]*\shref=\"?([^\s\">]+)", text)
        assert not [each for each in loaded if re.match(r"https?:|//", each)], path


@pytest.mark.slow
@needs_mkdocs
@needs_browser
def test_it_is_searched_without_a_server(site: Path) -> None:
    """By opening its files; the diary comes after pages that explain."""
    from playwright.sync_api import sync_playwright

    base, faults = site.as_uri(), []
    with sync_playwright() as playwright:
        program = find_program(CHROMIUM)
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("request", lambda it: faults.append(it.url) if base not in it.url else None)
        page.goto(f"{base}/papers/wang.html?q=atomic+weight")
        page.wait_for_selector(".md-search-result__item", state="attached")
        titles = page.locator(".md-search-result__item h1").all_text_contents()
        browser.close()
    assert titles[0] == "Solving exactly"
    assert "Results" not in titles[:5]
    assert [each for each in faults if not each.startswith("data:")] == []
