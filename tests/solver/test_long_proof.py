import pytest

from zerolab.errors import UsageError
from zerolab.games.boards.stones import initial_state
from zerolab.games.clobber import IMPARTIAL, Clobber
from zerolab.kernels.rng import stream
from zerolab.solver.clobber.sum_solver import SumSolver
from zerolab.solver.long_proof import Campaign, Node, header, read_settled

GAME = Clobber(4, 5)
START = initial_state(GAME, stream(0))


def campaign(path, game=GAME, budget=300):
    state = initial_state(game, stream(0))
    return Campaign(game, state, path, SumSolver(game, 10**8, threads=1), budget)


@pytest.mark.parametrize(("rows", "cols", "value"), [(3, 4, -1), (4, 4, 1), (4, 5, 1), (3, 6, -1)])
def test_proves_what_is_known(tmp_path, rows, cols, value):
    report = campaign(tmp_path / "proof", Clobber(rows, cols)).run(60, lambda report: None)
    assert report.value == value
    assert (report.left_to_win, report.left_to_lose) == (0, 0)
    assert report.solved >= 1


def test_goes_on_where_it_was_broken_off(tmp_path):
    path = tmp_path / "proof"

    def stop(report):
        if report.solved >= 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        campaign(path).run(60, stop)
    kept = read_settled(GAME, path)
    assert len(kept) >= 2
    again = campaign(path)
    assert again.report("", None).settled == len(kept)
    assert again.run(60, lambda report: None).value == 1
    # All is in the file now: nothing is left to be searched.
    last = campaign(path)
    assert last.run(60, lambda report: None).value == 1
    assert last.solver.nodes == 0


def test_time_runs_out(tmp_path):
    report = campaign(tmp_path / "proof", Clobber(5, 6), budget=10**9).run(0.2, lambda report: None)
    assert report.value is None
    assert report.left_to_win > 0
    assert report.left_to_lose > 0


def test_a_line_that_was_broken_off_is_left_out(tmp_path):
    path = tmp_path / "proof"
    campaign(path).run(60, lambda report: None)
    whole = path.read_text()
    lines = whole.splitlines()
    path.write_text(whole[: len(whole) - len(lines[-1]) + 5])
    for _ in range(3):  # it does no harm later either
        assert len(read_settled(GAME, path)) >= len(lines) - 2  # but for the header and the last
        assert campaign(path).run(60, lambda report: None).value == 1
    assert path.read_text() == whole


def test_a_file_of_another_game_is_refused(tmp_path):
    path = tmp_path / "proof"
    campaign(path, Clobber(2, 4)).run(60, lambda report: None)
    with pytest.raises(UsageError, match="expected '# clobber 2x4 variant=impartial"):
        campaign(path, Clobber(2, 4, IMPARTIAL))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rubbish\n", "line 1"),
        (header(GAME) + "xoxox|oxoxo|xoxox|oxoxo win 5\n", "line 2"),
        (header(GAME) + "x win 1 1\n", "line 2"),
        (
            header(GAME)
            + "xoxox|oxoxo|xoxox|oxoxo win 5 0.1\nxoxox|oxoxo|xoxox|oxoxo loss 5 0.1\n",
            "contradicts itself",
        ),
    ],
)
def test_damaged_files(tmp_path, text, message):
    path = tmp_path / "proof"
    path.write_text(text)
    with pytest.raises(UsageError, match=message):
        campaign(path)


def test_files_of_several_machines_can_be_joined(tmp_path):
    one, other = tmp_path / "one", tmp_path / "other"
    campaign(one, budget=100).run(60, lambda report: None)
    campaign(other, budget=1000).run(60, lambda report: None)
    joined = tmp_path / "joined"
    joined.write_text(one.read_text() + other.read_text())
    assert campaign(joined).run(60, lambda report: None).value == 1


def test_what_won_before_is_tried_first(tmp_path):
    """Unless it is a hundred times the work."""
    path = tmp_path / "proof"
    first = campaign(path, Clobber(3, 6), budget=30)
    assert first.run(60, lambda report: None).value == -1
    won, lost = min(first._won_before), -1
    cheap, dear = Node(START, 1.0, 1.0), Node(START, 1.0, 50.0)
    node = Node(START, 1.0, 1.0, [cheap, dear], [lost, won])
    assert first._most_promising(node) is dear
    dear.loss = 500.0
    assert first._most_promising(node) is cheap


def test_what_won_before_is_known_from_the_file(tmp_path):
    path = tmp_path / "proof"
    first = campaign(path, Clobber(3, 6), budget=30)
    first.run(60, lambda report: None)
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:-1]))  # all but the root
    later = campaign(path, Clobber(3, 6), budget=30)
    later._expand(later.root)
    assert later._won_before
    assert later._won_before <= first._won_before
