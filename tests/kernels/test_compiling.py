"""Rules bound to names, and compiled kernels kept on disk. New processes show what was kept."""

import ast
import os
import re
import shutil
import sys
import time
from pathlib import Path
from typing import NamedTuple

import numba
import pytest

import zerolab
from tests.games.processes import GUEST, run
from zerolab.games.base import legal_actions, step
from zerolab.games.boards.stones import initial_state
from zerolab.games.clobber import Clobber
from zerolab.games.perft_counts import perft
from zerolab.kernels.compiling import has_rule, kernel_sources, rule, watch_compiling
from zerolab.kernels.rng import stream

PERFT = """
import sys
from zerolab.games.boards.stones import initial_state
from zerolab.games.catalogue import make_game
from zerolab.games.perft_counts import perft
from zerolab.kernels.rng import stream

games = [make_game(*text.split("@")) for text in sys.argv[1:]]  # NAME@SIZE or FILE
for game in games:
    print(*(perft(game, initial_state(game, stream(1)), depth) for depth in (1, 2, 3)))
"""


def kernel_files(cache: Path) -> set[Path]:
    return set(cache.rglob("*.nbc"))


# Names and the rules bound to them.


class Record(NamedTuple):
    rows: int = 2
    cols: int = 2


def test_an_unknown_rule_is_refused() -> None:
    with pytest.raises(TypeError, match=r"legal_moves is not a rule; rules are .*legal_actions"):

        @rule(Record)
        def legal_moves(game, state, actions): ...

    assert not has_rule(Record, "legal_actions")


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda game, state: None, "step takes (game, state, action), not (game, state)"),
        (
            lambda game, state, move: None,
            "step takes (game, state, action), not (game, state, move)",
        ),
        (
            lambda state, game, action: None,
            "step takes (game, state, action), not (state, game, action)",
        ),
    ],
)
def test_wrong_parameters_are_refused(function, message: str) -> None:
    function.__name__ = "step"
    with pytest.raises(TypeError, match=re.escape(message)):
        rule(Record)(function)
    assert not has_rule(Record, "step")


def test_a_game_without_rules_says_which_is_missing() -> None:
    with pytest.raises(TypeError, match="this game binds no rule legal_actions"):
        legal_actions(Record(), None, None)
    with pytest.raises(TypeError, match="this game binds no rule step"):
        step(Record(), None, 0)


def test_a_bound_rule_is_known() -> None:
    assert has_rule(Clobber, "step")
    assert has_rule(Clobber, "random_action")
    assert not has_rule(Clobber, "encode")  # Clobber is content with the default


def test_kernels_hold_on_to_nothing() -> None:
    """A call must not keep a reference to the record's texts, or long runs grow."""
    start = "".join(["xox", "|", "oxo"])  # a text of its own, not one the interpreter shares
    game = Clobber(2, 3, setup=start)
    state = initial_state(game, stream(1))
    perft(game, state, 1)
    before = sys.getrefcount(start)
    for _ in range(100):
        perft(game, state, 1)
    assert sys.getrefcount(start) == before


# Kernels on disk.


def test_a_second_process_finds_the_kernels(tmp_path: Path) -> None:
    assert run(PERFT, "clobber@2x3", cache=tmp_path) == "7 22 32"
    kept = kernel_files(tmp_path)
    assert kept
    assert run(PERFT, "clobber@3x3", cache=tmp_path) == "12 88 376"  # one kernel for all sizes
    assert kernel_files(tmp_path) == kept


def test_plain_python_gives_the_same(tmp_path: Path) -> None:
    games = ("clobber@2x3", "graph-clobber")
    printed = run(PERFT, *games, cache=tmp_path, NUMBA_DISABLE_JIT="1")
    assert printed.splitlines() == ["7 22 32", "6 18 18"]  # the ring of six: by hand 6, 6 x 3
    assert not kernel_files(tmp_path)


def test_an_edited_guest_is_compiled_anew(tmp_path: Path) -> None:
    path = tmp_path / "fill.py"
    path.write_text(GUEST)
    assert run(PERFT, str(path), cache=tmp_path) == "2 4 8"  # 2 ** depth
    kept = kernel_files(tmp_path)
    assert run(PERFT, str(path), cache=tmp_path) == "2 4 8"
    assert kernel_files(tmp_path) == kept
    path.write_text(GUEST.replace("REACH = 2", "REACH = 3"))
    assert run(PERFT, str(path), cache=tmp_path) == "3 9 27"  # 3 ** depth


def test_a_guest_plays_beside_our_own_games(tmp_path: Path) -> None:
    path = tmp_path / "fill.py"
    path.write_text(GUEST)
    assert run(PERFT, str(path), "clobber@2x3", cache=tmp_path) == "2 4 8\n7 22 32"


def test_two_guests_of_one_name_keep_their_own_kernels(tmp_path: Path) -> None:
    paths = [tmp_path / name / "fill.py" for name in ("one", "two")]
    for path, reach in zip(paths, ("2", "3"), strict=True):
        path.parent.mkdir()
        path.write_text(GUEST.replace("REACH = 2", f"REACH = {reach}"))
    assert run(PERFT, str(paths[0]), str(paths[1]), cache=tmp_path) == "2 4 8\n3 9 27"
    assert run(PERFT, str(paths[1]), cache=tmp_path) == "3 9 27"
    assert run(PERFT, str(paths[0]), cache=tmp_path) == "2 4 8"


def test_without_a_place_for_kernels_all_still_works(tmp_path: Path) -> None:
    """Nobody, not even root, can write below a file."""
    home = tmp_path / "home"
    home.write_text("not a directory")
    assert run(PERFT, "clobber@2x3", cache=home) == "7 22 32"
    assert home.read_text() == "not a directory"


def test_kernels_never_go_beside_the_sources(tmp_path: Path) -> None:
    """There Numba would take them for fresh when another file was edited (numba issue 8396)."""
    run(PERFT, "clobber@2x3", cache=tmp_path)
    for path in {file.parent for file in kernel_files(tmp_path)}:  # as if it were read-only
        shutil.rmtree(path)
        path.write_text("not a directory")
    package = Path(zerolab.__file__).parent
    before = kernel_files(package)
    try:
        assert run(PERFT, "clobber@2x3", cache=tmp_path) == "7 22 32"
        assert kernel_files(package) == before
    finally:
        for file in kernel_files(package) - before:
            for each in file.parent.glob(file.name.split(".py")[0] + "*.nb?"):
                each.unlink()


def test_old_kernels_are_cleared(tmp_path: Path) -> None:
    """The eight newest stay, and whatever was used within a day: a process may still be running."""
    day = 24 * 3600
    home = tmp_path / "zerolab"
    ages = {f"kernels-{days:02}-days-old": days for days in range(2, 14)}  # twelve
    for name, days in ages.items():
        (home / name).mkdir(parents=True)
        (home / name / "some.nbc").write_text("")
        os.utime(home / name, times=(time.time() - days * day,) * 2)
    (home / "not-kernels").mkdir()
    run("import zerolab.games.perft_counts", cache=tmp_path)
    left = {path.name for path in home.iterdir() if path.name in ages}
    assert left == {f"kernels-{days:02}-days-old" for days in range(2, 9)}  # seven and our own
    assert (home / "not-kernels").is_dir()


def test_young_kernels_are_not_cleared(tmp_path: Path) -> None:
    home = tmp_path / "zerolab"
    for number in range(12):
        (home / f"kernels-{number:02}").mkdir(parents=True)
    run("import zerolab.games.perft_counts", cache=tmp_path)
    assert len(list(home.glob("kernels-*"))) == 12 + 1


def test_kernels_are_named_after_all_sources_that_they_come_from() -> None:
    """Constants in kernels come from files that count, or compiled code may be out of date."""
    package = Path(zerolab.__file__).parent
    counted = set(kernel_sources())
    assert package / "records" / "batches.py" in counted
    assert package / "training" / "trainer.py" not in counted
    for path in counted:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith("zerolab."):
                source = package.parent / f"{str(node.module).replace('.', '/')}.py"
                constants = [each.name for each in node.names if each.name.isupper()]
                assert source in counted or not constants, f"{path} takes {constants} from {source}"


def test_compiling_can_be_watched():
    """A kernel with two helpers, one of which calls a third; what is compiled is silent."""

    told = []

    @numba.njit
    def deepest(x):
        return x + 1

    @numba.njit
    def first(x):
        return deepest(x)

    @numba.njit
    def second(x):
        return x * 2

    @numba.njit
    def watched_kernel(x):
        return first(x) + second(x)

    with watch_compiling(lambda *what: told.append(what)):
        watched_kernel(1)
        watched_kernel(2)
    assert told == [("watched_kernel", done) for done in range(4)]
    watched_kernel(1.5)  # compiled anew, but nobody looks
    assert len(told) == 4
