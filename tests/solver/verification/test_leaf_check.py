from math import comb

import pytest

from zerolab.errors import UsageError
from zerolab.games.clobber import Clobber
from zerolab.solver.clobber.sum_solver import SumSolver
from zerolab.solver.verification.leaf_check import (
    LeafLog,
    check_leaves,
    choose_leaves,
    most_wrong,
)
from zerolab.solver.verification.plain_clobber import chequered, moves, standard, text
from zerolab.solver.verification.settled_claims import Claim, RefutedError

GAME = Clobber(3, 4)
HEADER = "# clobber 3x4, leaves solved again with seed 1, format 2"
LONG = 10.0**6


def leaves():
    """The positions after a first move on 3x4, which the first player loses."""
    after = {standard(position) for _, position in moves(chequered(3, 4), "normal")}
    return [Claim(n + 2, each, each, True, 10 * n + 1, 0.1) for n, each in enumerate(sorted(after))]


def solver():
    return SumSolver(GAME, 10**7, threads=1, seed=1, small=0)


def check(tmp_path, claims, chosen, seconds=LONG, on_progress=lambda at: None, by=None):
    with LeafLog(tmp_path / "log", HEADER) as log:
        return check_leaves(by or solver(), claims, chosen, log, seconds, on_progress)


@pytest.mark.parametrize(
    ("leaves", "checked"), [(1, 0), (1, 1), (5, 5), (20, 6), (99, 10), (400, 59)]
)
def test_how_many_can_be_wrong(leaves, checked):
    """The largest number of wrong leaves that a sample misses more than once in twenty times."""

    def missed(wrong):
        return comb(leaves - wrong, checked) / comb(leaves, checked)

    wrong = most_wrong(leaves, checked)
    assert missed(wrong) > 0.05
    assert wrong == leaves or missed(wrong + 1) <= 0.05


def test_the_rule_of_three():
    assert most_wrong(100_000, 100) == pytest.approx(3 / 100 * 100_000, rel=0.02)


def test_which_leaves_are_checked():
    claims = leaves()
    assert choose_leaves(claims[::-1], None, 1) == claims  # in the order of the file
    assert choose_leaves(claims, len(claims), 1) == claims
    few = choose_leaves(claims, 3, 1)
    assert len(set(few)) == 3
    assert few == choose_leaves(claims[::-1], 3, 1) == sorted(few)
    drawn = {claim for seed in range(1, 40) for claim in choose_leaves(claims, 3, seed)}
    assert drawn == set(claims)
    assert choose_leaves(claims, 0, 1) == []


def test_all_leaves(tmp_path):
    told = []
    report = check(tmp_path, leaves(), choose_leaves(leaves(), None, 1), on_progress=told.append)
    count = len(leaves())
    assert (report.leaves, report.chosen, report.checked) == (count, count, count)
    assert (report.checked_before, report.stopped, report.wrong_at_most) == (0, "", 0)
    assert report.share_of_nodes == 1
    assert report.nodes > count
    assert [at.leaf for at in told] == sorted(at.leaf for at in told)
    assert {at.leaf for at in told} == {*range(1, count + 1)}
    assert {at.leaves for at in told} == {count}
    assert told[0].seconds_left is None
    assert told[-1].seconds_left > 0
    lines = (tmp_path / "log").read_text().splitlines()
    assert lines[0] == HEADER
    assert [line.split()[:2] for line in lines[1:]] == [[text(c.position), "win"] for c in leaves()]
    assert sum(int(line.split()[2]) for line in lines[1:]) == report.nodes


def test_a_sample(tmp_path):
    claims = leaves()
    chosen = choose_leaves(claims, 3, 1)
    report = check(tmp_path, claims, chosen)
    assert (report.chosen, report.checked) == (3, 3)
    assert report.wrong_at_most == most_wrong(len(claims), 3)
    share = sum(claim.nodes for claim in chosen) / sum(claim.nodes for claim in claims)
    assert report.share_of_nodes == pytest.approx(share)


def test_a_wrong_leaf(tmp_path):
    claims = leaves()
    claims[2] = claims[2]._replace(wins=False)
    with pytest.raises(RefutedError, match=r"line 4 claims a loss, but solved again .* is a win"):
        check(tmp_path, claims, claims)
    assert len((tmp_path / "log").read_text().splitlines()) == 3  # those before it
    right, wrong = leaves()[0], leaves()[0]._replace(wins=False)
    with pytest.raises(RefutedError, match="line 2 claims a loss"):  # by what the log knows
        check(tmp_path, [right, wrong], [wrong], by=solver())


def test_ctrl_c_keeps_what_was_done(tmp_path):
    def stop(at):
        if at.leaf == 4:
            raise KeyboardInterrupt

    claims = leaves()
    report = check(tmp_path, claims, claims, on_progress=stop)
    assert (report.checked, report.chosen, report.stopped) == (3, len(claims), "Ctrl-C")
    assert report.wrong_at_most is None
    told = []
    again = check(tmp_path, claims, claims, on_progress=told.append)
    assert (again.checked, again.checked_before) == (len(claims), 3)
    assert told[0].leaf == 4
    assert again.wrong_at_most == 0


def test_time_runs_out(tmp_path):
    report = check(tmp_path, leaves(), leaves(), seconds=0.0)
    assert (report.checked, report.stopped, report.wrong_at_most) == (0, "time", None)


def test_a_leaf_that_no_solver_takes(tmp_path):
    game = Clobber(8, 9)
    leaf = Claim(2, chequered(8, 9), standard(chequered(8, 9)), True, 10, 0.1)
    with (
        LeafLog(None, "") as log,
        pytest.raises(RefutedError, match=r"line 2 cannot be solved: .* is too large"),
    ):
        check_leaves(SumSolver(game, 10**7, threads=1), [leaf], [leaf], log, LONG)


def test_a_log_of_something_else_is_refused(tmp_path):
    path = tmp_path / "log"
    for content in ("rubbish\n", "rubbish", HEADER.replace("seed 1", "seed 2") + "\n"):
        path.write_text(content)
        with pytest.raises(UsageError, match="expected '# clobber 3x4, leaves solved again"):
            LeafLog(path, HEADER)
        assert path.read_text() == content
    path.write_text(HEADER + "\nrubbish\n")
    with pytest.raises(UsageError, match=r"line 2 of .* is damaged"):
        LeafLog(path, HEADER)
    path.write_text(HEADER[:20])  # cut off by a power cut
    with LeafLog(path, HEADER) as log:
        assert log.known == {}
        with pytest.raises(UsageError, match="another process"):
            LeafLog(path, HEADER)
    assert path.read_text() == HEADER + "\n"
