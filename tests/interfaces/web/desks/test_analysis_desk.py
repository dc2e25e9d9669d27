"""A position under analysis, without the page."""

import pytest

from tests.interfaces.web.by_hand import HandPool
from zerolab.errors import UsageError
from zerolab.games.boards.board_picture import ADVICE
from zerolab.games.clobber import CANNIBAL, Clobber
from zerolab.interfaces.web.desks.analysis_desk import (
    NETWORK_COLOUR,
    WINNING_COLOUR,
    AnalysisDesk,
    Wishes,
)
from zerolab.interfaces.web.safety import Rules
from zerolab.interfaces.web.workers.search_tasks import (
    AskNetwork,
    Opinion,
    SeenMove,
    SeenTree,
    Solve,
    ValuedPart,
    Values,
    Verdict,
    Watch,
)


@pytest.fixture
def desk(tmp_path):
    made = AnalysisDesk(Rules(tmp_path), HandPool())
    made.set_text("xo.|oxo", "black")
    return made


def seen(position, *shares):
    actions = position.legal_actions
    moves = tuple(
        SeenMove(action, f"m{action}", 10, share, 0.5, 0.1, False, (position.legal_moves[i],))
        for i, (action, share) in enumerate(zip(actions, shares, strict=False))
    )
    return SeenTree(10, 0.5, False, 0.1, moves, [])


def test_everything_begins_with_a_position(desk):
    for kind in (Values, Watch, Solve):
        assert desk.pool.open(kind)[0].task.position == desk.position
    assert desk.is_searching
    assert not desk.pool.open(AskNetwork)


def test_a_change_cancels_and_begins_anew(desk):
    before = desk.pool.jobs[:]
    desk.pool.open(Watch)[0].tell(seen(desk.position, 1.0))
    assert desk.seen is not None
    desk.play("a2b2")
    assert all(job.is_over for job in before)
    assert desk.seen is None
    desk.back()
    assert desk.position.text == "xo.|oxo"
    desk.back()
    assert desk.position.text == "xo.|oxo"


def test_positions_of_mcgs(desk):
    desk.set_text("[clobber] XO|OX XXO {W}", "black")
    assert desk.position.text == "xo.xxo|ox...."
    assert desk.position.turn == "white"
    desk.set_text("XO|OX", "white")
    assert (desk.position.text, desk.position.turn) == ("xo|ox", "white")


def test_rows_on_lines_of_their_own(desk):
    desk.set_text(" xo\nox \n", "black")
    assert desk.position.text == "xo|ox"


def test_a_variant_is_kept(desk):
    desk.set_game("clobber", "3x3", "variant=cannibal")
    desk.set_text("xo|ox", "black")
    assert desk.position.game == Clobber(2, 2, CANNIBAL)
    assert not desk.pool.open(Values)


@pytest.mark.parametrize("text", ["", "xyz", "xo|o", "[clobber] XQ {B}", "x" * 10**7, "|" * 5000])
def test_bad_texts_change_nothing(desk, text):
    with pytest.raises(UsageError):
        desk.set_text(text, "black")
    assert desk.position.text == "xo.|oxo"


def test_mcgs_is_for_clobber(desk):
    desk.set_game("othello", "6x6", "")
    with pytest.raises(UsageError, match="choose that game"):
        desk.set_text("XO|OX", "black")


def test_clicks_on_stones(desk):
    for expected in ("xox|oxo", "xoo|oxo", "xo.|oxo"):
        desk.click_stone(2)
        assert desk.position.text == expected
    desk.click_stone(99)
    desk.set_turn("white")
    assert desk.position.turn == "white"
    desk.click_stone(2)
    assert desk.position.turn == "white"


def test_arrows_for_the_best_moves(desk):
    position = desk.position
    desk.pool.open(Watch)[0].tell(seen(position, 0.6, 0.3, 0.1))
    arrows = desk.overlay().arrows
    assert [arrow.action for arrow in arrows] == list(position.legal_actions[:3])
    assert [arrow.weight for arrow in arrows] == pytest.approx([1.0, 0.5, 1 / 6])
    assert {arrow.colour for arrow in arrows} == {ADVICE}
    winning = f"m{position.legal_actions[1]}"
    desk.pool.open(Solve)[0].tell(Verdict(True, 5, 0.1, "black", (winning,)))
    assert [arrow.colour for arrow in desk.overlay().arrows] == [ADVICE, WINNING_COLOUR, ADVICE]


def test_a_line_that_somebody_points_at(desk):
    position = desk.position
    line = (position.legal_moves[0], position.play(position.legal_moves[0]).legal_moves[0], "z9")
    desk.point_at(line)
    assert [arrow.label for arrow in desk.overlay().arrows] == ["1", "2"]
    desk.point_at(())
    assert desk.overlay().arrows == ()


def test_components_are_coloured_if_there_are_several(desk):
    (job,) = desk.pool.open(Values)
    job.tell(ValuedPart((0, 1), "*", "N"))
    assert desk.overlay().tints == {}
    job.tell(ValuedPart((4,), "", ""))
    assert set(desk.overlay().tints) == {0, 1, 4}
    assert desk.overlay().tints[0] != desk.overlay().tints[4]


def test_a_network_is_asked_if_one_is_chosen(desk):
    (desk.rules.runs / "demo").mkdir()
    desk.wish(Wishes("", "demo", False))
    assert not desk.pool.open(Watch)
    assert not desk.pool.open(Solve)
    (job,) = desk.pool.open(AskNetwork)
    assert job.task.player == f"net:{desk.rules.runs / 'demo'}"
    action = desk.position.legal_actions[0]
    job.tell(Opinion(0.2, {action: 0.9, desk.position.legal_actions[1]: 0.001}))
    (arrow,) = desk.overlay().arrows
    assert (arrow.action, arrow.label, arrow.colour) == (action, "90%", NETWORK_COLOUR)


def test_wishes_are_checked(desk):
    for wishes in (Wishes("uci:sh"), Wishes("az:../x@10"), Wishes("", "../x")):
        with pytest.raises(UsageError):
            desk.wish(wishes)
    assert desk.wishes == Wishes()


def test_failures_are_told(desk):
    desk.pool.open(Watch)[0].finish("a sentence")
    assert desk.error == "a sentence"
    desk.play("a2b2")
    assert desk.error == ""


def test_nothing_is_searched_when_the_game_is_over(desk):
    desk.set_text("x..|..o", "black")
    assert not desk.pool.open(Watch)
    assert not desk.pool.open(Solve)


def test_leaving_ends_the_work(desk):
    desk.leave()
    assert not desk.is_searching
    desk.come_back()
    assert desk.is_searching
    count = len(desk.pool.jobs)
    desk.come_back()  # a second page that shows the same
    assert len(desk.pool.jobs) == count
