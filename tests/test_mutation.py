"""The mutation tester, on a tiny package: tests/mutation."""

import ast
import json
import signal
from collections import Counter
from pathlib import Path

import pytest

from tests.mutation import __main__ as command
from tests.mutation import report, results
from tests.mutation.areas import areas
from tests.mutation.kernels import Kernels
from tests.mutation.mutants import change, mutants_of, mutated, sample
from tests.mutation.nearest import Imports
from tests.mutation.operators import OPERATORS
from tests.mutation.results import Result
from tests.mutation.trial import FAULTY, KILLED, SURVIVED, TIMEOUT, Limits, Tree
from zerolab.files import lock

ROOT = Path(__file__).resolve().parent.parent

# Two modules, of which one is imported by the other, and a test file that knows half of it.
TINY = {
    "tiny/__init__.py": '"""Tiny."""\n',
    "tiny/low/__init__.py": "",
    "tiny/low/steps.py": """
import math
from typing import Any

Pair = tuple[int, int] | None


def step(a: int | None, left: float) -> int | None:
    if left < 0:
        raise ValueError(f"{left + 1} is too small")
    return a + 1


def unseen(a: int) -> int:
    return a - 2


def until(a: int) -> int:
    while a < 3:
        a += 1
    return a
""",
    "tiny/low/alone.py": "def back(a: int) -> int:\n    return a - 2\n",
    "tests/low/test_alone.py": "from tiny.low.alone import back\n",
    "tiny/high/__init__.py": "",
    "tiny/high/walk.py": """
from tiny.low.steps import step


def walk(count: int) -> int:
    place = 0
    for _ in range(count):
        place = step(place, left=count)
    return place
""",
    "tests/__init__.py": "",
    "tests/low/__init__.py": "",
    "tests/low/test_steps.py": """
from tiny.low.steps import step, until


def test_step():
    assert step(1, 1) == 2


def test_until():
    assert until(0) == 3
""",
    "tests/low/helper.py": "from tiny.low.steps import step\n",
    "tests/low/test_helper.py": "from tests.low.helper import step\n",
    "tests/high/__init__.py": "",
    "tests/high/test_walk.py": """
from tiny.high.walk import walk


def test_walk():
    assert walk(3) == 3
""",
    "tests/high/test_direct.py": "import tiny.low.steps\n",
    "tests/low/test_later.py": "import tiny.low.steps\n",
    "tests/test_program.py": "COMMAND = 'python -m tiny'\n",
    "tests/test_elsewhere.py": "import math\n",
}
STEPS = "tiny/low/steps.py"


@pytest.fixture
def tiny(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # it begins sooner without them
    root = tmp_path / "tiny-project"
    for name, text in TINY.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


@pytest.fixture
def tree(tiny, tmp_path):
    return Tree(tiny, "tiny", tmp_path / "work", Limits(seconds=5, gigabytes=8))


def find(root, path, before, after):
    """The mutant of a file that changes one line into another."""
    source = (root / path).read_text()
    found = [
        mutant
        for mutant in mutants_of(root, path)
        if change(source, mutated(root, mutant)) == (before, after)
    ]
    (mutant,) = found
    return mutant


@pytest.mark.parametrize("name", ["DropKeyword", "DropStatement"])
def test_our_operators_do_what_their_examples_say(tmp_path, name):
    for example in OPERATORS[name].examples():
        (tmp_path / "code.py").write_text(example.pre_mutation_code)
        made = [
            mutated(tmp_path, mutant)
            for mutant in mutants_of(tmp_path, "code.py")
            if mutant.operator == name
        ]
        wanted = ast.unparse(ast.parse(example.post_mutation_code))
        assert ast.unparse(ast.parse(made[example.occurrence])) == wanted


def test_every_operator_is_there():
    """A release of cosmic-ray that names an operator otherwise must not go unnoticed."""
    assert len(OPERATORS) == 39  # 27 near replacements, 10 others of cosmic-ray, 2 of ours


def test_all_mutants_of_a_file(tiny):
    source = (tiny / STEPS).read_text()
    made = [change(source, mutated(tiny, mutant)) for mutant in mutants_of(tiny, STEPS)]
    # The alias Pair, the annotations and the text of the exception stay as they are.
    assert Counter(made) == Counter(
        {
            ("if left < 0:", "if not left < 0:"): 1,
            ("if left < 0:", "if left <= 0:"): 1,
            ("if left < 0:", "if left >= 0:"): 1,
            ("if left < 0:", "if left < 1:"): 1,
            ("if left < 0:", "if left < -1:"): 1,
            ("return a + 1", "return a - 1"): 1,
            ("return a + 1", "return a + 2"): 1,
            ("return a + 1", "return a + 0"): 1,
            ("return a - 2", "return a + 2"): 1,
            ("return a - 2", "return a - 3"): 1,
            ("return a - 2", "return a - 1"): 1,
            ("while a < 3:", "while not a < 3:"): 1,
            ("while a < 3:", "while a <= 3:"): 1,
            ("while a < 3:", "while a >= 3:"): 1,
            ("while a < 3:", "while a < 4:"): 1,
            ("while a < 3:", "while a < 2:"): 1,
            ("a += 1", "a += 2"): 1,
            ("a += 1", "a += 0"): 1,
            ("a += 1", "pass"): 1,
        }
    )


def test_what_says_nothing_is_left_alone(tmp_path):
    (tmp_path / "interfaces").mkdir()
    code = """
F = TypeVar("F", bound=1)
Alias = int | str
__version__ = 1
@cache(1)
class A(B, frozen=True):
    x: Annotated[int, Field(ge=0)]
def f(x: int | None, *, y, **z) -> int | None:
    isinstance(x, int | str)
    zip(x, y, strict=True)
    raise ValueError(x + 1)
if __name__ == "__main__":
    f(1)
"""
    silent = {"f.py": code, "interfaces/f.py": f"{code}\naxes = plot(x, linewidth=2)\n"}
    for name, text in silent.items():
        (tmp_path / name).write_text(text)
        assert {
            change(text, mutated(tmp_path, mutant))[1]
            for mutant in mutants_of(tmp_path, name)
            if mutated(tmp_path, mutant)
        } == {"pass"}  # in the place of the calls that are statements
    (tmp_path / "f.py").write_text("axes = plot(x, linewidth=2)\n")  # it means another thing here
    assert len(mutants_of(tmp_path, "f.py")) == 3


def test_a_mutant_keeps_its_name_when_other_lines_change(tiny):
    before = find(tiny, STEPS, "return a - 2", "return a - 3")
    text = (tiny / STEPS).read_text()
    (tiny / STEPS).write_text("x = 1\n" + text.replace("return a + 1", "return a + 5"))
    after = find(tiny, STEPS, "return a - 2", "return a - 3")
    assert after.name == before.name
    assert after.start == (before.start[0] + 1, before.start[1])
    (tiny / STEPS).write_text(text.replace("return a - 2", "return a - 7"))
    assert before.name not in {mutant.name for mutant in mutants_of(tiny, STEPS)}


def test_mutants_of_alike_lines_have_names_of_their_own(tmp_path):
    (tmp_path / "code.py").write_text("x = y + 1\n" * 5)
    names = [mutant.name for mutant in mutants_of(tmp_path, "code.py")]
    assert len(names) == len(set(names)) == 15


def test_a_sample_is_even_and_depends_on_the_seed(tmp_path):
    # 60 places in the first file and 20 in the second: of 8 mutants 6 and 2.
    (tmp_path / "a.py").write_text("x = y + z\n" * 60)
    (tmp_path / "b.py").write_text("x = y + z\n" * 20)
    one = sample(tmp_path, ["a.py", "b.py"], 8, seed=1)
    assert Counter(mutant.path for mutant in one) == {"a.py": 6, "b.py": 2}
    lines = [mutant.start[0] for mutant in one[:6]]
    assert [(line - 1) // 10 for line in lines] == [0, 1, 2, 3, 4, 5]
    assert sample(tmp_path, ["a.py", "b.py"], 8, seed=1) == one
    assert sample(tmp_path, ["a.py", "b.py"], 8, seed=2) != one
    assert len(sample(tmp_path, ["b.py"], 100, seed=1)) == 20


def test_a_place_counts_once_however_many_slips_it_has(tmp_path):
    # The number has two slips, each sum one: in thirds of four slips the number would come twice.
    (tmp_path / "a.py").write_text("x = 1\ny = a + b\nz = c + d\n")
    drawn = sample(tmp_path, ["a.py"], 3, seed=1)
    assert [mutant.start[0] for mutant in drawn] == [1, 2, 3]


def test_areas_hold_every_file_once():
    found = areas(ROOT, "zerolab")
    files = [path for paths in found.values() for path in paths]
    there = [
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "zerolab").rglob("*.py")
        if path.name != "__init__.py"
    ]
    assert sorted(files) == sorted(there)
    layers = {"games", "solver", "search", "networks", "training", "evaluation", "studies"}
    assert found.keys() == layers | {"interfaces", "values", "ratings", "judging", "plots"}
    assert "zerolab/solver/cgt/value.py" in found["values"]


def test_nearest_tests_come_first(tiny):
    imports = Imports(tiny, "tiny")
    assert imports.stages(STEPS) == [
        ["tests/low/test_steps.py"],  # named after it
        ["tests/low/test_later.py", "tests/high/test_direct.py"],  # import it
        ["tests/low/test_helper.py"],  # in its folder, by way of helper.py
        ["tests/high/test_walk.py"],  # by way of walk.py
    ]
    assert imports.stages("tiny/high/walk.py") == [["tests/high/test_walk.py"]]


def test_a_program_that_is_run_counts_as_imported(tiny):
    (tiny / "tiny/__main__.py").write_text("from tiny.high.walk import walk\n")
    assert Imports(tiny, "tiny").stages("tiny/high/walk.py")[1:] == [["tests/test_program.py"]]


def test_which_kernels_a_slip_may_change(tmp_path):
    modules = {
        "base": "@generic\ndef move(game): ...\n",
        "game": "from p.tables import SIZE\n\n@rule(G, 'move')\ndef go(game):\n    return SIZE\n",
        "tables": "SIZE = made()\n\ndef made():\n    return 3\n\ndef plain():\n    return 4\n",
        "search": "from p.base import move\n\n@kernel\ndef run(game):\n    return move(game)\n",
        "record": "class Record:\n    SIZE = 3\n\n    def show(self):\n        return 1\n",
        "shown": "from p.record import Record\n\n@kernel\ndef run(x):\n    return Record.SIZE\n",
        "other": "@kernel\ndef run(x):\n    return x + 1\n",
        "late": "@kernel\ndef run(x):\n    return 1\n\ndef f():\n    import p.search\n",
    }
    (tmp_path / "p").mkdir()
    (tmp_path / "tests").mkdir()
    for name, text in modules.items():
        (tmp_path / "p" / f"{name}.py").write_text(text)
    kernels = Kernels(Imports(tmp_path, "p"))
    # search.py calls move, which base.py makes and game.py binds: it holds game.py's SIZE.
    by_dispatch = {"p.base", "p.search"}
    assert kernels.spoilt("p/game.py", 5) == by_dispatch | {"p.game"}
    assert kernels.spoilt("p/tables.py", 1) == by_dispatch | {"p.game", "p.tables"}
    assert kernels.spoilt("p/tables.py", 4) == by_dispatch | {"p.game", "p.tables"}  # makes SIZE
    assert kernels.spoilt("p/tables.py", 7) == set()
    assert kernels.spoilt("p/record.py", 2) == {"p.record", "p.shown"}
    assert kernels.spoilt("p/record.py", 5) == set()  # a method is not compiled
    assert kernels.spoilt("p/other.py", 3) == {"p.other"}
    assert kernels.spoilt("p/search.py", 5) == {"p.search"}  # nobody has its names at the top


def test_the_kernels_of_a_copy_are_found_and_kept(tmp_path):
    tree = Tree(ROOT, "zerolab", tmp_path / "work", Limits(seconds=5, gigabytes=8))
    assert tree.cache is not None
    assert tree.cache.is_relative_to(tmp_path)
    kernel = tree.cache / "games_0123" / "clobber.count-1.py311.nbi"
    kernel.parent.mkdir()
    kernel.write_bytes(b"compiled")
    slip = next(m for m in mutants_of(tree.root, "zerolab/solver/cgt/value.py"))
    with tree.mutated(slip) as own:
        assert own != tree.cache
        assert (own / "games_0123" / kernel.name).read_bytes() == b"compiled"
    assert not own.exists()
    assert kernel.exists()


def test_killed_survived_and_out_of_time(tiny, tree):
    before = {path: path.read_bytes() for path in sorted(tiny.rglob("*.py"))}
    seen = find(tiny, STEPS, "return a + 1", "return a - 1")
    unseen = find(tiny, "tiny/low/alone.py", "return a - 2", "return a + 2")
    endless = find(tiny, STEPS, "a += 1", "pass")
    assert tree.try_mutant(seen) == (KILLED, "tests/low/test_steps.py::test_step")
    assert tree.try_mutant(unseen) == (SURVIVED, "")
    assert tree.try_mutant(endless) == (TIMEOUT, "tests/low/test_steps.py::test_until")
    # Neither the tree nor the copy has changed, and what Python compiled is not a mutant's.
    assert {path: path.read_bytes() for path in sorted(tiny.rglob("*.py"))} == before
    assert tree.run(["tests/low"]) == (SURVIVED, "")
    for path, content in before.items():
        assert (tree.root / path.relative_to(tiny)).read_bytes() == content


def test_a_test_that_fails_anyway_kills_nobody(tiny, tmp_path):
    (tiny / "tests/low/test_steps.py").write_text(
        "import tiny.low.steps\ndef test():\n    assert 0"
    )
    tree = Tree(tiny, "tiny", tmp_path / "work", Limits(seconds=5, gigabytes=8))
    unseen = find(tiny, STEPS, "return a - 2", "return a + 2")
    assert tree.try_mutant(unseen) == (FAULTY, "tests/low/test_steps.py::test")


def test_a_failure_that_other_tests_cause_kills_nobody(tiny, tmp_path):
    (tiny / "tests/low/test_steps.py").write_text(
        "import tiny.low.steps\nseen = []\n"
        "def test_first():\n    seen.append(1)\n"
        "def test_second():\n    assert not seen\n"
    )
    tree = Tree(tiny, "tiny", tmp_path / "work", Limits(seconds=5, gigabytes=8))
    unseen = find(tiny, STEPS, "return a - 2", "return a + 2")
    assert tree.try_mutant(unseen) == (SURVIVED, "")


def test_a_module_that_cannot_be_imported_is_noticed(tiny, tmp_path):
    (tiny / STEPS).write_text("SIZE = [1, 2][0 + 1]\n")
    (tiny / "tests/low/test_steps.py").write_text("from tiny.low.steps import SIZE\n")
    tree = Tree(tiny, "tiny", tmp_path / "work", Limits(seconds=5, gigabytes=8))
    mutant = find(tiny, STEPS, "SIZE = [1, 2][0 + 1]", "SIZE = [1, 2][0 + 2]")
    assert tree.try_mutant(mutant) == (KILLED, "tests/low/test_steps.py")


def run(root, *options):
    command.main(["--root", str(root), "--package", "tiny", "--work", str(root / "work"), *options])


def test_a_run_is_recorded_resumed_and_reported(tiny, capsys):
    docs = tiny / "docs"
    docs.mkdir()
    text = (tiny / STEPS).read_text()
    (tiny / STEPS).write_text(text[: text.index("def until")])  # nothing that could be endless
    (tiny / "tests/low/test_steps.py").write_text("from tiny.low.steps import step\n")
    file = docs / "mutants.jsonl"
    begin, end = report.marks(file)
    (docs / "testing.md").write_text(f"# Page\n\n{begin}\nold\n{end}\n\nMore.\n")
    run(tiny, "--each", "1", "--draw")
    drawn = results.read(file)
    assert [result.area for result in drawn.values()] == ["high", "low"]
    assert {result.outcome for result in drawn.values()} == {results.WAITING}
    # The first was tried and the line of the second was cut off: that one is left to try.
    first, *others = drawn.values()
    results.add(file, [first._replace(outcome=KILLED, test="by hand")])
    with file.open("a") as lines:
        lines.write(json.dumps(others[0]._asdict())[:40])
    run(tiny, "--workers", "2")
    done = results.read(file)
    assert list(done) == list(drawn)
    assert done[first.name].test == "by hand"
    assert all(done[each.name].outcome in (KILLED, SURVIVED, TIMEOUT) for each in others)
    assert capsys.readouterr().out.count("\n") == 1
    run(tiny)
    assert capsys.readouterr().out == ""  # nothing is left to do
    results.add(file, [first._replace(outcome=SURVIVED)])
    run(tiny, "--again", "survivors", "--only", "low")  # it is in the other area
    assert capsys.readouterr().out == ""
    run(tiny, "--again", "survivors", "--only", first.name)
    assert results.read(file)[first.name].test != "by hand"
    capsys.readouterr()
    run(tiny, "--write")
    written = (docs / "testing.md").read_text()
    assert written == f"# Page\n\n{begin}\n{capsys.readouterr().out}{end}\n\nMore.\n"
    assert len(file.read_text().splitlines()) == 2


def test_each_draw_has_its_place_in_the_page(tiny, capsys):
    docs = tiny / "docs"
    docs.mkdir()
    page, old = docs / "testing.md", "<!-- mutants -->\nfirst\n<!-- end of mutants -->\n"
    page.write_text(f"{old}<!-- mutants-second -->\n<!-- end of mutants-second -->\n")
    second = docs / "mutants-second.jsonl"
    results.add(second, [row("slip", "low", SURVIVED)])
    (docs / "survivors.toml").write_text("[slip]\nwhy = 'Nobody looked.'\nnow = 'tests/a.py::b'\n")
    run(tiny, "--write", "--results", str(second))
    tables = capsys.readouterr().out
    assert "| low | 1 | 0 | 0 | 0 | 1 | 0 % |" in tables  # it counts as it was found
    assert "1 of 1 survivors are explained. 1 of them are noticed now." in tables
    assert "| Nobody looked. Noticed now by `tests/a.py::b`. |" in tables
    marked = f"<!-- mutants-second -->\n{tables}<!-- end of mutants-second -->\n"
    assert page.read_text() == old + marked
    with pytest.raises(SystemExit, match=r"no lines <!-- third --> and <!-- end of third -->"):
        run(tiny, "--write", "--results", str(docs / "third.jsonl"))
    assert page.read_text() == old + marked


def test_what_explains_survivors_is_there():
    """Each explanation is of a mutant that is kept, and the tests it names exist."""
    files = [ROOT / "docs" / name for name in ("mutants.jsonl", "mutants-second.jsonl")]
    kept = {name: each for file in files for name, each in results.read(file).items()}
    for name, about in report.explanations(ROOT / "docs" / "survivors.toml").items():
        assert kept[name].outcome == SURVIVED, name
        path, _, test = about.get("now", "tests/test_mutation.py::test_").partition("::")
        assert f"def {test}" in (ROOT / path).read_text("utf-8"), name


def row(name, area, outcome):
    return Result(name, area, f"tiny/{area}.py", 7, "AddNot", "if a | b:", "if c:", outcome)


def test_two_processes_do_not_work_in_one_place(tiny):
    (tiny / "docs").mkdir()
    (tiny / "work").mkdir()
    with (tiny / "work" / "lock").open("wb") as held:
        assert lock(held)
        with pytest.raises(SystemExit, match=r"another process tries mutants in .*work; name"):
            run(tiny, "--each", "1")


def test_sigterm_stops_it_even_where_ctrl_c_is_ignored(tiny):
    (tiny / "docs").mkdir()
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # as in the background of a shell
        run(tiny, "--each", "1", "--draw")
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)
    finally:
        signal.signal(signal.SIGINT, before[0])
        signal.signal(signal.SIGTERM, before[1])


def test_the_report_counts_by_area(tmp_path):
    rows = [
        *(row(f"a{index}", "a", KILLED) for index in range(6)),
        row("late", "a", TIMEOUT),
        row("same", "a", SURVIVED),
        row("bad", "a", SURVIVED),
        row("good", "b", KILLED),
        row("later", "b", results.WAITING),
    ]
    path = tmp_path / "survivors.toml"
    path.write_text("[same]\nwhy = 'a size'\nequivalent = true\n")
    text = report.report(rows, report.explanations(path))
    # 6 killed and 1 out of time of 9, of which one is equivalent: 7 / 8.
    assert "| a | 9 | 6 | 1 | 1 | 1 | 88 % |" in text
    assert "| b | 2 | 1 | 0 | 0 | 0 | 100 % |" in text
    assert "| all | 11 | 7 | 1 | 1 | 1 | 89 % |" in text
    assert "1 mutants have not been tried" in text
    assert "1 of 2 survivors are explained." in text
    assert "| tiny/a.py:7 (`same`) | `if a \\| b:` -> `if c:` | equivalent: a size |" in text
    assert "| tiny/a.py:7 (`bad`) | `if a \\| b:` -> `if c:` | **not explained yet** |" in text
    report.ask(path, rows)  # makes room for those without an explanation, and only for them
    assert report.explanations(path)["bad"] == {"why": ""}
    assert report.report(rows, report.explanations(path)) == text
