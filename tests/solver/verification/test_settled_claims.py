import pytest

from zerolab.errors import UsageError
from zerolab.games.boards.stones import initial_state
from zerolab.games.clobber import CANNIBAL, Clobber
from zerolab.kernels.rng import stream
from zerolab.solver.clobber.sum_solver import SumSolver
from zerolab.solver.long_proof import Campaign
from zerolab.solver.verification import settled_claims as reading
from zerolab.solver.verification.settled_claims import (
    Claim,
    RefutedError,
    read_claims,
    text_of_line,
)

HEADER = "# clobber 2x3, settled positions, format 2\n"


def read(tmp_path, content):
    path = tmp_path / "proof"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_claims(path)


def test_a_file(tmp_path):
    told = []
    path = tmp_path / "proof"
    path.write_text(HEADER + "xox|oxo win 5 0.1\n" + HEADER + "o.x|ox. loss 0 0.0\n")
    claims = read_claims(path, told.append)
    assert (claims.rows, claims.cols, claims.variant) == (2, 3, "normal")
    assert claims.start == ("xox", "oxo")
    assert claims.settled == {
        ("oxo", "xox"): Claim(2, ("xox", "oxo"), ("oxo", "xox"), True, 5, 0.1),
        (".xo", "x.o"): Claim(4, ("o.x", "ox."), (".xo", "x.o"), False, 0, 0.0),
    }
    assert (claims.repeated, claims.is_cut_off) == (0, False)
    assert told == [2, 4]
    assert [text_of_line(claim) for claim in claims.settled.values()] == [
        "xox|oxo win 5 0.1",
        "o.x|ox. loss 0 0.0",
    ]


def test_a_line_said_twice_keeps_the_search(tmp_path):
    first, second = "xox|oxo win 0 0.0\n", "oxo|xox win 7 0.3\n"
    for content in (first + second, second + first):
        claims = read(tmp_path, HEADER + content)
        assert [claim.nodes for claim in claims.settled.values()] == [7]
        assert claims.repeated == 1


@pytest.mark.parametrize("end", ["xox|ox", "xox|oxo win", "o"])
def test_an_unfinished_last_line_is_left_out(tmp_path, end):
    claims = read(tmp_path, HEADER + "xox|oxo win 5 0.1\n" + end)
    assert claims.is_cut_off
    assert len(claims.settled) == 1
    with pytest.raises(RefutedError, match="line 3"):
        read(tmp_path, HEADER + "xox|oxo win 5 0.1\n" + end + "\n")


def test_a_last_line_without_its_end_counts(tmp_path):
    claims = read(tmp_path, HEADER + "xox|oxo win 5 0.1")
    assert not claims.is_cut_off
    assert len(claims.settled) == 1


def test_lines_of_another_system(tmp_path):
    claims = read(tmp_path, (HEADER + "xox|oxo win 5 0.1\n").replace("\n", "\r\n"))
    assert len(claims.settled) == 1


@pytest.mark.parametrize(
    ("lines", "line", "message"),
    [
        ("xox|oxo won 5 0.1\n", 2, "line 2 is damaged: 'xox|oxo won 5 0.1'; expected a position"),
        ("xox|oxo win 5 0.1\n\n", 3, "line 3 is damaged: ''"),
        ("xox|oxo win -5 0.1\n", 2, "damaged"),
        ("xox|oxo win 5 nan\n", 2, "damaged"),
        ("xox|oxo win \u0665 0.1\n", 2, "damaged"),
        ("xox|oxo  win 5 0.1\n", 2, "damaged"),
        ("xqx|oxo win 5 0.1\n", 2, "damaged"),
        ("xox|oxo win 5 0.1 6\n", 2, "damaged"),
        ("x" * 5000 + "\n", 2, r"damaged: 'x{60}\.\.\.'"),
        ("x" * 5000, 2, "damaged"),
        ("xox win 5 0.1\n", 2, "line 2 is impossible: 'xox' has 1 rows, expected 2"),
        ("xox|oxox win 5 0.1\n", 2, "row 'oxox' has 4 cells, expected 3"),
        ("xox|oxo win 5 0.1\noxo|xox loss 5 0.1\n", 3, r"line 3 contradicts line 2 on oxo\|xox"),
        ("# clobber 2x4, settled positions, format 2\n", 2, "line 2 is damaged: '# clobber 2x4"),
    ],
)
def test_damaged_lines(tmp_path, lines, line, message):
    with pytest.raises(RefutedError, match=message) as error:
        read(tmp_path, HEADER + lines)
    assert error.value.line == line


def test_a_huge_file(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "MOST_LINES", 3)
    two = HEADER + "xox|oxo win 5 0.1\n" + "xxx|oxo win 5 0.1\n"
    assert len(read(tmp_path, two).settled) == 2
    with pytest.raises(RefutedError, match="has more than 3 lines") as error:
        read(tmp_path, two + "xxx|xxo win 5 0.1\n")
    assert error.value.line == 4


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "its first line is ''"),
        ("rubbish\n", "its first line is 'rubbish', expected such as '# clobber 6x6"),
        (bytes(range(256)), "is not a file of settled positions"),
        ("# clobber 2x3, settled positions, format 1\n", "not a file of settled"),
        ("# clobber 2x3 variant=suicidal, settled positions, format 2\n", "not a file of settled"),
        ("# clobber 0x3, settled positions, format 2\n", "board of 0x3; expected 1x2 to 26x26"),
        ("# clobber 1x1, settled positions, format 2\n", "board of 1x1"),
        ("# clobber 27x3, settled positions, format 2\n", "board of 27x3"),
        ("# clobber 3x27, settled positions, format 2\n", "board of 3x27"),
        ("# graph-clobber stones=xo, settled positions, format 2\n", "is of graph-clobber"),
        ("# clobber 2x3 start=xo|ox, settled positions, format 2\n", "row 'xo' has 2 cells"),
    ],
)
def test_other_files(tmp_path, content, message):
    with pytest.raises(UsageError, match=message):
        read(tmp_path, content)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(UsageError, match="nothing cannot be read: No such file"):
        read_claims(tmp_path / "nothing")
    with pytest.raises(UsageError, match="cannot be read: Is a directory"):
        read_claims(tmp_path)


def test_roots(tmp_path):
    claims = read(tmp_path, HEADER)
    assert claims.root(None, False) == ("xox", "oxo")
    assert claims.root(None, True) == ("oxo", "xox")
    assert claims.root("xx.|oxo", False) == ("xx.", "oxo")
    assert claims.root("xx.|oxo", True) == ("oo.", "xox")
    with pytest.raises(UsageError, match="expected 2"):
        claims.root("xx.", False)
    with pytest.raises(UsageError, match="'q' in row 'xqx' is not a cell"):
        claims.root("xqx|oxo", False)
    other = read(tmp_path, HEADER.replace("2x3", "2x3 start=x.x|oxo"))
    assert other.root(None, False) == ("x.x", "oxo")
    drawn = read(tmp_path, HEADER.replace("2x3", "2x3 start=random"))
    assert drawn.root(None, True) is None
    assert drawn.root("xox|oxo", False) == ("xox", "oxo")


@pytest.mark.parametrize(
    "game", [Clobber(2, 4), Clobber(2, 3, CANNIBAL), Clobber(2, 3, setup="x.x|oxo")]
)
def test_what_the_solver_writes_is_read(tmp_path, game):
    path = tmp_path / "proof"
    solver = SumSolver(game, 10**7, threads=1)
    with Campaign(game, initial_state(game, stream(0)), path, solver, budget=2) as campaign:
        campaign.run(10.0**6, lambda report: None)
        settled = {tuple(name.split("|")): entry for name, entry in campaign.settled.items()}
    claims = read_claims(path)
    assert len(claims.settled) == len(settled)
    for position, entry in settled.items():
        claim = claims.settled[reading.standard(position)]
        assert (claim.wins, claim.nodes) == (entry.value > 0, entry.nodes)
