"""A game on the page, without the page."""

import pytest

from tests.interfaces.web.by_hand import HandPool
from zerolab.errors import UsageError
from zerolab.evaluation.perfect.game_review import Judged
from zerolab.games.gobang import Gobang
from zerolab.games.position import Position
from zerolab.interfaces.web.desks.play_table import _WRITER, Choice, PlayTable
from zerolab.interfaces.web.game_shelf import list_games, load_game
from zerolab.interfaces.web.safety import Rules
from zerolab.interfaces.web.workers.search_tasks import Judging, Replied, Reply
from zerolab.records.recorded_game import RecordedGame

TOE = Choice("tic-tac-toe", "", "", "random", "black")


@pytest.fixture
def table(tmp_path):
    made = PlayTable(Rules(tmp_path), HandPool())
    made.evaluates = False
    made.begin(TOE)
    return made


def reply(table, move):
    position = table.session.position
    table.pool.answer(Reply, Replied(position.play(move).action, True))


def test_a_player_replies(table):
    assert table.can_move
    assert not table.pool.open(Reply)
    table.play("b2")
    assert table.is_thinking
    assert not table.can_move
    assert table.pool.open(Reply)[0].task.player == "random"
    with pytest.raises(UsageError, match="not your turn"):
        table.play("a1")
    reply(table, "a3")
    assert table.session.position.moves == ("b2", "a3")
    assert table.can_move


def test_a_player_that_has_black_begins(table):
    table.begin(TOE._replace(side="white"))
    assert table.is_thinking
    table.begin(TOE._replace(side="both"))
    assert not table.pool.open(Reply)


def test_players_who_only_watch(table):
    table.begin(TOE._replace(side="neither"))
    for move in ("a1", "a2", "b1", "b2", "c1"):
        reply(table, move)
    assert (table.session.result, table.is_thinking) == ("black wins", False)


def test_undo_cancels_the_reply_and_goes_back(table):
    table.play("b2")
    table.undo()
    assert not table.pool.open(Reply)
    assert table.positions == (Position.start(Gobang(3, 3, 3)),)
    table.undo()
    assert table.error == "there is nothing to take back"


def test_a_failed_reply_is_told(table):
    table.play("b2")
    (job,) = table.pool.open(Reply)
    job.finish("a sentence")
    assert (table.error, table.is_thinking) == ("a sentence", False)


def test_resigning_while_the_player_thinks(table):
    table.play("b2")
    table.resign()
    assert (table.session.result, table.is_over) == ("white wins", True)
    assert not table.pool.open(Reply)
    table.begin(TOE)
    table.resign()
    assert table.session.result == "white wins"


def test_swapping_sides(table):
    table.play("b2")
    table.swap()  # White is to move, and is the person now
    assert table.can_move
    assert table.player_names() == ("random", "You")
    assert table.choice.side == "white"
    table.play("a1")
    assert table.is_thinking


def test_looking_back_and_forth(table):
    table.play("b2")
    reply(table, "a3")
    table.show_ply(0)
    assert (table.ply, table.can_move) == (0, False)
    assert table.position == table.positions[0]
    table.show_ply(-5)
    assert table.ply == 0
    table.show_ply(99)
    assert (table.ply, table.can_move) == (2, True)


def test_values_are_asked_for_the_newest_first(table):
    table.set_evaluates(True)
    table.play("b2")
    (job,) = table.pool.open(Judging)
    assert job.task.positions == tuple(reversed(table.positions))
    job.tell((0, Judged(0.0, True, ())))
    assert table.judged() == [None, Judged(0.0, True, ())]
    reply(table, "b3")  # begins again, without what is known
    (job,) = table.pool.open(Judging)
    assert job.task.positions == (table.positions[2], table.positions[0])
    job.tell((0, Judged(1.0, True, ())))
    assert [(each.ply, each.loss) for each in table.mistakes()] == [(1, 1.0)]


def test_without_values_the_game_is_judged_at_its_end(table):
    table.play("b2")
    assert not table.pool.open(Judging)
    table.resign()
    assert table.pool.open(Judging)


def test_a_hint(table):
    table.ask_hint()
    table.pool.answer(Judging, (0, Judged(0.0, True, (4,))))
    assert table.hint == 4
    table.play("b2")
    assert table.hint is None
    table.ask_hint()  # it is not the person's turn
    assert not table.pool.open(Judging)


def test_games_are_saved_as_they_go(table):
    table.play("b2")
    reply(table, "a3")
    table.resign()
    _WRITER.submit(int).result()
    (saved,) = list_games(table.rules)
    assert saved.name == table.saved
    recorded = load_game(table.rules, saved.name)
    assert recorded.position().moves == ("b2", "a3")
    assert recorded.names == ("human", "random")
    assert recorded.result == -1.0


def test_a_loaded_game_is_shown_from_its_start(table):
    position = Position.start(Gobang(3, 3, 3)).play("b2").play("a3")
    table.load(RecordedGame.of(position, ("Ann", ""))._replace(result=1.0))
    assert (table.ply, len(table.positions)) == (0, 3)
    assert table.session.result == "black wins"
    assert table.player_names() == ("Ann", "somebody")
    assert table.pool.open(Judging)


def test_bad_choices_change_nothing(table):
    table.play("b2")
    for choice in (
        TOE._replace(game="evil.py"),
        TOE._replace(game="clobber", size="x"),
        TOE._replace(opponent="uci:sh"),
        TOE._replace(opponent="az:nothing@10"),
        TOE._replace(opponent="mcts:x"),
    ):
        with pytest.raises(UsageError):
            table.begin(choice)
    assert table.session.position.moves == ("b2",)
    assert table.is_thinking


def test_nobody_looking_ends_the_work_and_coming_back_resumes_it(table):
    table.play("b2")
    table.leave()
    assert not table.pool.open(Reply)
    table.come_back()
    assert table.is_thinking
    table.end()
    assert not table.pool.open(Reply)


def test_watchers_hear_of_every_change(table):
    heard = []
    table.watchers.append(lambda: heard.append(len(table.positions)))
    table.play("b2")
    reply(table, "a3")
    assert heard == [2, 3]


def test_a_puzzle_has_one_player(table):
    table.begin(Choice("solitaire", "2x2", "", "random", "black"))
    table.play(table.position.legal_moves[0])
    assert not table.is_thinking
    assert table.can_move
