import pytest

from tests.documentation import ROOT
from zerolab.errors import UsageError
from zerolab.games.base import BLACK, step
from zerolab.games.boards.stones import initial_state
from zerolab.games.clobber import IMPARTIAL, Clobber
from zerolab.games.notation import legal_list, parse_position
from zerolab.kernels.rng import stream
from zerolab.solver.clobber.sum_solver import SumSolver
from zerolab.solver.long_proof import (
    KNOWN,
    TABLE_HIT,
    Campaign,
    Node,
    Settled,
    header,
    parse_settled,
)

GAME = Clobber(4, 5)
START = initial_state(GAME, stream(0))
LONG = 10.0**6  # seconds: on a busy machine compiling the solver alone may take minutes


def campaign(path, game=GAME, budget=300):
    state = initial_state(game, stream(0))
    return Campaign(game, state, path, SumSolver(game, 10**8, threads=1), budget)


def prove(path, game=GAME, budget=300, seconds=LONG, on_report=lambda report: None):
    """Run a campaign, and let go of its file."""
    with campaign(path, game, budget) as proof:
        return proof.run(seconds, on_report)


def settled_in(path, game=GAME):
    """What the whole lines of a file tell."""
    return parse_settled(game, path, path.read_bytes().split(b"\n")[:-1])


@pytest.mark.parametrize(("rows", "cols", "value"), [(3, 4, -1), (4, 4, 1), (4, 5, 1), (3, 6, -1)])
def test_proves_what_is_known(tmp_path, rows, cols, value):
    report = prove(tmp_path / "proof", Clobber(rows, cols))
    assert report.value == value
    assert (report.left_to_win, report.left_to_lose) == (0, 0)
    assert report.solved >= 1


def test_goes_on_where_it_was_broken_off(tmp_path):
    path = tmp_path / "proof"

    def stop(report):
        if report.solved >= 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        prove(path, on_report=stop)
    kept = settled_in(path)
    assert len(kept) >= 2
    with campaign(path) as again:
        assert again.report("", None).settled == len(kept)
        assert again.run(LONG, lambda report: None).value == 1
    # All is in the file now: nothing is left to be searched.
    with campaign(path) as last:
        assert last.run(LONG, lambda report: None).value == 1
        assert last.solver.nodes == 0


def test_the_solver_knows_what_earlier_runs_settled(tmp_path):
    path = tmp_path / "proof"
    after = START.copy()
    step(GAME, after, legal_list(GAME, START)[0])
    with campaign(path) as first:
        assert first.solver.value(after, max_nodes=0) is None
        name = first._name(after)
    path.write_text(f"{header(GAME)}\n{name} loss 5 0.1\n")
    with campaign(path) as later:
        assert later.solver.value(after, max_nodes=0) == -1  # the first move is said to win
        assert later.run(LONG, lambda report: None).value == 1
        assert later.solver.nodes == 0


def test_one_process_at_a_time_goes_on_with_a_file(tmp_path):
    path = tmp_path / "proof"
    with campaign(path), pytest.raises(UsageError, match="being written by another process"):
        campaign(path)
    assert prove(path).value == 1


def test_the_file_of_6x6_can_be_read():
    game, path = Clobber(6, 6), ROOT / "proofs" / "clobber-6x6.txt"
    text = path.read_text("utf-8")
    settled = settled_in(path, game)
    assert len(settled) == 174
    assert sum(entry.nodes > KNOWN for entry in settled.values()) == 86
    assert sum(entry.nodes == KNOWN for entry in settled.values()) == 84
    assert text.splitlines()[0] == header(game)
    assert text.endswith("\n")


def test_time_runs_out(tmp_path):
    report = prove(tmp_path / "proof", Clobber(5, 6), budget=10**9, seconds=0.2)
    assert report.value is None
    assert report.left_to_win > 0
    assert report.left_to_lose > 0


def test_a_line_that_was_broken_off_is_left_out(tmp_path):
    path = tmp_path / "proof"
    prove(path)
    whole = path.read_text()
    lines = whole.splitlines()
    path.write_text(whole[: len(whole) - len(lines[-1]) + 5])
    for _ in range(3):  # it does no harm later either
        assert len(settled_in(path)) >= len(lines) - 2  # but for the header and the last
        assert prove(path).value == 1
    assert path.read_text() == whole


def test_a_file_of_another_game_is_refused(tmp_path):
    path = tmp_path / "proof"
    prove(path, Clobber(2, 4))
    with pytest.raises(UsageError, match="expected '# clobber 2x4 variant=impartial"):
        campaign(path, Clobber(2, 4, IMPARTIAL))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rubbish\n", "line 1"),
        ("rubbish", "nothing was changed"),
        (header(GAME) + "\nxoxox|oxoxo|xoxox|oxoxo win 5\n", "line 2"),
        (header(GAME) + "\nx win 1 1\n", "line 2"),
        (
            header(GAME)
            + "\nxoxox|oxoxo|xoxox|oxoxo win 5 0.1\nxoxox|oxoxo|xoxox|oxoxo loss 5 0.1\n",
            "contradicts itself",
        ),
    ],
)
def test_damaged_files(tmp_path, text, message):
    path = tmp_path / "proof"
    path.write_text(text)
    with pytest.raises(UsageError, match=message):
        campaign(path)
    assert path.read_text() == text


def test_files_of_several_machines_can_be_joined(tmp_path):
    one, other = tmp_path / "one", tmp_path / "other"
    prove(one, budget=100)
    prove(other, budget=1000)
    joined = tmp_path / "joined"
    joined.write_text(one.read_text() + other.read_text())
    assert prove(joined).value == 1


def test_what_won_before_is_tried_first(tmp_path):
    """Unless it is a hundred times the work."""
    with campaign(tmp_path / "proof", Clobber(3, 6), budget=30) as first:
        assert first.run(LONG, lambda report: None).value == -1
    won, lost = min(first._won_before), -1
    cheap, dear = Node(START, 1.0, 1.0), Node(START, 1.0, 50.0)
    node = Node(START, 1.0, 1.0, [cheap, dear], [lost, won])
    assert first._most_promising(node) is dear
    dear.loss = 500.0
    assert first._most_promising(node) is cheap


def test_what_won_before_is_known_from_the_file(tmp_path):
    path = tmp_path / "proof"
    with campaign(path, Clobber(3, 6), budget=30) as first:
        first.run(LONG, lambda report: None)
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:-1]))  # all but the root
    with campaign(path, Clobber(3, 6), budget=30) as later:
        later._expand(later.root)
    assert later._won_before
    assert later._won_before <= first._won_before


def test_the_work_that_is_left_is_corrected_by_the_work_that_was(tmp_path):
    """If solved positions took three times as long as was guessed, so will the others."""
    with campaign(tmp_path / "proof") as proof:
        before = proof.report("", None)
        assert before.left_to_win == before.left_to_lose == proof.root.win
        for action in legal_list(GAME, START)[:3]:
            after = START.copy()
            step(GAME, after, action)
            name = proof._name(after)
            guess = proof._guess(parse_position(GAME, name, BLACK))
            assert guess > TABLE_HIT
            proof.settled[name] = Settled(1, round(3 * guess), 1.0)
        after = proof.report("", None)
        assert after.left_to_win == pytest.approx(3 * before.left_to_win, rel=0.01)
        assert after.left_to_lose == pytest.approx(3 * before.left_to_lose, rel=0.01)
        # A position that was known from the search of another tells nothing of the work.
        for row in ("xxxxx", "ooooo"):
            proof.settled[f"{row}|xoxox|xoxox|xoxox"] = Settled(-1, TABLE_HIT, 0.0)
        assert proof.report("", None).left_to_win == after.left_to_win


def test_a_subproblem_is_searched_if_it_looks_cheap_and_split_if_it_is_not(tmp_path):
    class Impatient:
        """Solves nothing within the nodes it is given; then the user has seen enough."""

        nodes = 0

        def __init__(self):
            self.asked = []

        def value(self, state, on_progress, max_nodes):
            self.asked.append((state.copy(), max_nodes))
            if len(self.asked) == 10:
                raise KeyboardInterrupt
            return None

    solver = Impatient()
    with Campaign(GAME, START, tmp_path / "proof", solver, budget=40) as proof:
        with pytest.raises(KeyboardInterrupt):
            proof.run(LONG, lambda report: None)
        assert {most for _, most in solver.asked} == {160}  # four times what it should take
        assert all(proof._guess(state) <= 40 for state, _ in solver.asked)
        assert len({proof._name(state) for state, _ in solver.asked}) == 10  # none twice
