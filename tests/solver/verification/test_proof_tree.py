import random

import pytest

from tests.solver.verification.full_proofs import write_full_proof
from zerolab.solver.verification.plain_clobber import chequered, moves, standard
from zerolab.solver.verification.proof_tree import certificate, replay
from zerolab.solver.verification.settled_claims import RefutedError, read_claims

HEADER = "# clobber 2x3, settled positions, format 2"


def replayed(path, root=True):
    claims = read_claims(path)
    return replay(claims, claims.root(None, False) if root else None)


def refutation(path):
    with pytest.raises(RefutedError) as error:
        replayed(path)
    return str(error.value), error.value.line


@pytest.mark.parametrize(
    ("rows", "cols", "variant", "wins"),
    [
        (2, 3, "normal", False),
        (3, 3, "normal", True),
        (2, 4, "normal", True),
        (2, 3, "cannibal", False),
        (2, 3, "impartial", False),
    ],
)
def test_a_proof_without_leaves(tmp_path, rows, cols, variant, wins):
    path = tmp_path / "proof"
    known = write_full_proof(path, rows, cols, variant)
    found = replayed(path)
    assert found.root.wins == wins == known[standard(chequered(rows, cols))]
    assert found.leaves == []
    assert set(found.first_moves.values()) <= {"wins", "loses"}
    assert ("wins" in found.first_moves.values()) == wins
    assert len(found.tree) <= len(known)
    assert 1 < found.depth < rows * cols


def test_every_wrong_line_and_every_missing_one_is_noticed(tmp_path):
    path = tmp_path / "proof"
    known = write_full_proof(path, 2, 4)
    lines = path.read_text().splitlines()
    draw = random.Random(1)
    for number in draw.sample(range(1, len(lines)), 25):
        wrong = lines.copy()
        old, new = (" win ", " loss ") if " win " in wrong[number] else (" loss ", " win ")
        wrong[number] = wrong[number].replace(old, new)
        path.write_text("\n".join(wrong) + "\n")
        message, _ = refutation(path)
        assert message.startswith("line ")
    # Of a tree every line is needed; without one, another lacks what it follows from.
    claims = read_claims(_write(path, lines))
    tree = replay(claims, claims.root(None, False)).tree
    assert len(tree) < len(known)
    lines = certificate(claims, tree).decode().splitlines()
    assert replayed(_write(path, lines)).leaves == []
    for number in draw.sample(range(1, len(lines) - 1), 10):
        message, line = refutation(_write(path, lines[:number] + lines[number + 1 :]))
        assert "without a search of its own what does not follow" in message
        assert 2 <= line < len(lines)


def _write(path, lines):
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize(
    ("lines", "message", "line"),
    [
        # Black takes from the left or from the right; either way nobody can move.
        (["x.o|... win 3 0.0"], "line 2 claims a win, but there is no move", 2),
        (
            ["..x|..o loss 4 0.0", "o..|... loss 0 0.0"],
            "line 2 claims a loss, but c2c1 leads to a position that the opponent loses according "
            "to line 3",
            2,
        ),
        (
            ["xx.|o.. loss 0 0.0"],
            "line 2 claims without a search of its own what does not follow from the other "
            "lines: the position after ",
            2,
        ),
        (["xx.|o.. win 0 0.0"], "no move leads to a position that the opponent loses", 2),
    ],
)
def test_claims_that_cannot_be(tmp_path, lines, message, line):
    text, at = refutation(_write(tmp_path / "proof", [HEADER, *lines]))
    assert message in text
    assert at == line


def test_a_win_that_the_file_itself_denies(tmp_path):
    path = tmp_path / "proof"
    write_full_proof(path, 2, 3)
    *lines, root = path.read_text().splitlines()
    message, line = refutation(_write(path, [*lines, root.replace("loss 0", "win 9")]))
    assert "but every move leads to a position that the file claims the opponent wins" in message
    assert line == len(lines) + 1


def test_a_leaf_that_follows_when_more_is_known(tmp_path):
    path = _write(tmp_path / "proof", ["# clobber 1x2, settled positions, format 2", "xo win 9 0"])
    assert [claim.nodes for claim in replayed(path).leaves] == [9]
    path.write_text(path.read_text() + ".o loss 0 0\n")
    assert replayed(path).leaves == []


def test_leaves_are_what_follows_from_nothing(tmp_path):
    """The first player wins 2x4; of two winning moves the one with fewer nodes is the proof."""
    path = tmp_path / "proof"
    known = write_full_proof(path, 2, 4)
    start = chequered(2, 4)
    losing = sorted({standard(after) for _, after in moves(start, "normal")} - {None})
    losing = [position for position in losing if not known[position]]
    header = "# clobber 2x4, settled positions, format 2"
    lines = [f"{'|'.join(position)} loss {50 - n} 0.0" for n, position in enumerate(losing)]
    # The root has no line of its own here, and follows all the same.
    found = replayed(_write(path, [header, *lines]))
    assert found.root.wins
    assert found.root.line == 0
    assert [claim.form for claim in found.leaves] == [losing[-1]]
    assert [claim.form for claim in found.tree] == [losing[-1], standard(start)]
    assert found.depth == 1
    assert list(found.first_moves.values()).count("wins") == len(losing)
    # Without a root everything is there.
    everything = replayed(path, root=False)
    assert everything.root is None
    assert len(everything.leaves) == len(losing)
    assert everything.first_moves == {}


def test_an_open_root(tmp_path):
    path = tmp_path / "proof"
    known = write_full_proof(path, 2, 3)
    start = chequered(2, 3)
    after = {standard(position): name for name, position in reversed([*moves(start, "normal")])}
    first, *others = after
    assert all(known[position] for position in after)  # the first player loses
    lines = [f"{'|'.join(position)} win 5 0.0" for position in others]
    found = replayed(_write(path, [HEADER, *lines]))
    assert found.root is None
    assert sorted(found.first_moves.values()) == ["loses"] * len(others) + ["open"]
    assert found.first_moves[after[first]] == "open"
    assert len(found.leaves) == len(others)
    all_of_them = replayed(_write(path, [HEADER, *lines, f"{'|'.join(first)} win 5 0.0"]))
    assert not all_of_them.root.wins
    assert len(all_of_them.tree) == len(after) + 1


def test_progress_is_told(tmp_path):
    path = tmp_path / "proof"
    known = write_full_proof(path, 2, 3)
    told = []
    claims = read_claims(path)
    replay(claims, None, told.append)
    assert told == [*range(1, len(known) + 1)]
