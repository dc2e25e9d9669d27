"""`zerolab study` and `zerolab online` as programs and people meet them."""

from contextlib import contextmanager
from xml.etree import ElementTree

import numpy as np
import pytest

from tests.interfaces.views.results.test_exam_view import complaint, run_json
from zerolab.experiments import cells
from zerolab.games.clobber import Clobber
from zerolab.interfaces.cli import main
from zerolab.interfaces.views.output import Output
from zerolab.networks.mlp.mlp_files import load_mlp
from zerolab.studies.registry import STUDIES
from zerolab.training.online_learning import OnlineConfig, train_online


@pytest.fixture
def shrunken(monkeypatch, tmp_path):
    """Studies of damhuis's networks with two games of training, and nothing kept from before."""
    monkeypatch.chdir(tmp_path)
    for name, study in STUDIES.items():
        if study.tables:
            monkeypatch.setitem(STUDIES, name, study._replace(quick=2))
    return tmp_path


def test_a_table_with_its_picture_and_page(capsys, shrunken):
    found = run_json(capsys, "study", "damhuis-5.4", "--page", "report.md")
    assert found["complete"]
    assert found["scale"] == "quick"
    assert len(found["cells"]) == 24
    assert found["cells"][0]["paper"] == 0.35179
    drawn = shrunken / "runs/damhuis/quick-5.4.png"
    assert not drawn.exists()  # the page has its own
    assert run_json(capsys, "study", "damhuis-5.4") == found
    assert drawn.read_bytes().startswith(b"\x89PNG")
    page = (shrunken / "report.md").read_text()
    assert "![Table 5.4: 20 hidden nodes on 4x4](quick-5.4.svg)" in page
    assert page.count("| thesis |") == 4
    picture = shrunken / "quick-5.4.svg"
    assert ElementTree.parse(picture).getroot().tag.endswith("svg")
    assert "<!-- learning rate -->" in picture.read_text()


def test_all_of_damhuis(capsys, shrunken, monkeypatch):
    """With two of the fifteen tables of networks: the others run in tests of studies."""
    for name in ("damhuis", "damhuis-claims"):
        monkeypatch.setitem(STUDIES, name, STUDIES[name]._replace(tables=("5.4", "5.17")))
    found = run_json(capsys, "study", "damhuis", "--results", "cells.jsonl")
    titles = [table["title"] for table in found["tables"]]
    assert len(titles) == 3 + 2 + 1
    assert titles[2] == "what the thesis concludes"
    lines = (shrunken / "cells.jsonl").read_text().splitlines()
    assert run_json(capsys, "study", "damhuis-claims", "--results", "cells.jsonl")["cells"]
    assert (shrunken / "cells.jsonl").read_text().splitlines() == lines


def test_an_interrupt_ends_all_of_damhuis(capsys, shrunken, monkeypatch):
    """After the first cell; what is there is shown, and nothing else is begun."""
    tables = STUDIES["damhuis"]._replace(tables=("5.4", "5.17"))
    monkeypatch.setitem(STUDIES, "damhuis", tables)
    path = shrunken / "cells.jsonl"

    def impatient(*about):
        @contextmanager
        def progress():
            def advance_to(done):
                if path.read_bytes().count(b"\n") > 1:
                    raise KeyboardInterrupt

            yield advance_to

        return progress()

    def wait_for_one(running, *limits):
        """However fast the others are."""
        first = next(iter(running))
        first.result()
        return {first}, set()

    monkeypatch.setattr(cells, "wait", wait_for_one)
    monkeypatch.setattr(Output, "progress", impatient)
    found = run_json(capsys, "study", "damhuis", "--results", "cells.jsonl", "--page", "page.md")
    begun, statements = found["tables"]
    assert begun["title"].startswith("Table 5.4")
    assert (len(begun["cells"]), begun["complete"], begun["reproduced"]) == (1, False, False)
    assert statements["title"] == "what the thesis concludes"
    assert {each["verdict"] for each in statements["cells"]} == {"cannot be told"}
    assert "of 24 agree" in begun["verdict"]
    assert "23 are missing" in begun["verdict"]
    page = (shrunken / "page.md").read_text()
    assert "23 are missing" in page
    assert "Pick First" not in page
    assert path.read_bytes().count(b"\n") == 2  # what the file is, and one cell


def test_better_parameters(capsys, shrunken):
    found = run_json(capsys, "study", "damhuis-search")
    assert [len(table["cells"]) for table in found["tables"]] == [2, 2, 2]  # the thesis's, and ours
    before = (shrunken / "runs/damhuis/search-quick.jsonl").read_bytes()
    assert run_json(capsys, "study", "damhuis-search") == found
    assert (shrunken / "runs/damhuis/search-quick.jsonl").read_bytes() == before


def test_wrong_files(capsys, shrunken):
    assert "ends in .md" in complaint(capsys, "study", "damhuis-5.4", "--page", "report.txt")
    assert "keeps no file" in complaint(capsys, "study", "damhuis-5.1", "--results", "x.jsonl")
    (shrunken / "poem.txt").write_text("a rose\n")
    said = complaint(capsys, "study", "damhuis-5.4", "--results", "poem.txt")
    assert "not a file of experiments" in said
    assert (shrunken / "poem.txt").read_text() == "a rose\n"
    for study in ("damhuis-5.4", "damhuis-search", "damhuis-elo"):
        said = complaint(capsys, "study", study, "--results", "poem.txt/below/cells.jsonl")
        assert "cannot be written: Not a directory" in said


def test_online(capsys, tmp_path):
    path = tmp_path / "small.npz"
    found = run_json(
        capsys,
        *("online", "clobber", "--size", "4x4", "--games", "5000", "--save", str(path)),
        *("--hidden", "10", "5", "--leaky", "--seed", "3"),
    )
    assert found["hidden"] == [10, 5]
    assert found["slope"] == 0.01
    assert found["games"] == 500
    assert not found["diverged"]
    played = run_json(
        capsys,
        *("match", "clobber", "--size", "4x4", "--black", f"mlp:{path}", "--white", "random"),
        *("--games", "500", "--seed", "4"),
    )
    assert played["black_wins"] == found["black_wins"]  # the same test again


def test_an_interrupt_keeps_what_was_learnt(capsys, tmp_path, monkeypatch):
    @contextmanager
    def impatient(*about):
        def advance_to(done):
            if done >= 7:
                raise KeyboardInterrupt

        yield advance_to

    monkeypatch.setattr(Output, "progress", impatient)
    path = tmp_path / "small.npz"
    found = run_json(capsys, "online", "clobber", "--size", "3x3", "--save", str(path))
    assert found["training_games"] == 7  # chunks of 1, 2 and 4 games
    mlp, header = load_mlp(path)
    assert header.training["games"] == 7
    config = OnlineConfig(hidden=(20,), alpha=2e-5, target=150.0)
    assert np.array_equal(mlp.weights, train_online(Clobber(3, 3), config, 7, 0).weights)


def test_online_says_how_to_play(capsys, tmp_path):
    path = tmp_path / "small.npz"
    main(["online", "clobber", "--size", "3x3", "--games", "100", "--save", str(path)])
    said = " ".join(capsys.readouterr().out.split())
    assert "after 100 games it wins" in said
    assert "the player's name is mlp:" in said


def test_online_with_wrong_arguments(capsys, tmp_path):
    path = str(tmp_path / "small.npz")
    assert "ends in .npz" in complaint(capsys, "online", "clobber", "--save", "small.txt")
    said = complaint(capsys, "online", "clobber", "--save", path, "--hidden", "0")
    assert "greater than or equal to 1" in said
    assert "alpha" in complaint(capsys, "online", "clobber", "--save", path, "--alpha", "-1")
    assert "two-player games" in complaint(capsys, "online", "solitaire", "--save", path)
    assert not list(tmp_path.iterdir())
