"""Games of a run replayed, without the page."""

import json

import pytest

from tests.interfaces.web.by_hand import HandPool
from zerolab.errors import UsageError
from zerolab.games.clobber import Clobber
from zerolab.games.position import Position
from zerolab.interfaces.web.desks.replay_desk import PLAYED_COLOUR, ReplayDesk
from zerolab.interfaces.web.safety import Rules
from zerolab.interfaces.web.workers.search_tasks import AskThroughout, Opinion
from zerolab.records.recorded_game import RecordedGame
from zerolab.training.runs.kept_games import keep_games

GAME = Clobber(2, 3)
LAST = Position.start(GAME).play("a2a1").play("b2b1")


def run_with_games(runs, steps=(1, 2)):
    directory = runs / "demo"
    directory.mkdir()
    (directory / "config.json").write_text(json.dumps({"game": "clobber 2x3"}))
    for step in steps:
        keep_games(directory, step, [RecordedGame.of(LAST, ("network", "network"))], [])
        (directory / f"network-{step:06}.safetensors").touch()
    return directory


@pytest.fixture
def desk(tmp_path):
    run_with_games(tmp_path)
    return ReplayDesk(Rules(tmp_path), HandPool(), "demo")


def answer(desk, value=0.5):
    (job,) = desk.pool.open(AskThroughout)
    for number, position in enumerate(desk.positions):
        share = 1 / max(1, len(position.legal_actions))
        job.tell((number, Opinion(value, dict.fromkeys(position.legal_actions, share))))
    job.is_over = True
    job.finish("")


def test_the_newest_network_is_asked_about_the_last_game(desk):
    (job,) = desk.pool.open(AskThroughout)
    assert job.task.positions == LAST.history
    assert job.task.player == f"net:{desk.rules.runs / 'demo'}"
    assert (desk.kept.step, desk.networks()) == (2, [1, 2])


def test_opinions_are_shown_for_black(desk):
    answer(desk)
    assert desk.values() == [0.5, -0.5, 0.5]
    assert desk.probability(1) == pytest.approx(1 / len(LAST.history[0].legal_actions))
    assert desk.probability(0) is None
    arrows = desk.overlay().arrows
    assert [each.colour for each in arrows].count(PLAYED_COLOUR) == 1
    desk.show_ply(99)
    assert desk.position == LAST
    assert PLAYED_COLOUR not in [each.colour for each in desk.overlay().arrows]


def test_another_game_and_another_network(desk):
    before = desk.pool.jobs[0]
    desk.choose(0)
    assert before.is_over
    desk.choose_network("1")
    assert desk.pool.open(AskThroughout)[0].task.player.endswith("demo#1")
    for step in ("3", "../x", "1 "):
        with pytest.raises(UsageError, match="no network of step"):
            desk.choose_network(step)
    desk.choose(99)
    assert desk.number == 0


def test_games_that_come_later_are_found(desk, tmp_path):
    desk.choose(0)
    keep_games(tmp_path / "demo", 3, [RecordedGame.of(LAST)], [])
    desk.look_again()
    assert [each.step for each in desk.games] == [1, 2, 3]
    assert desk.kept.step == 1


def test_closing_ends_the_work_and_coming_back_begins_it_again(desk):
    desk.leave()
    assert not desk.pool.open(AskThroughout)
    desk.come_back()
    answer(desk)
    desk.come_back()
    assert not desk.pool.open(AskThroughout)


def test_without_a_network_there_is_a_sentence(tmp_path):
    for path in run_with_games(tmp_path).glob("network-*"):
        path.unlink()
    desk = ReplayDesk(Rules(tmp_path), HandPool(), "demo")
    assert "no network yet" in desk.error
    assert not desk.pool.jobs


def test_what_is_no_run_is_refused(tmp_path, tmp_path_factory):
    run_with_games(outside := tmp_path_factory.mktemp("outside"))
    (tmp_path / "link").symlink_to(outside / "demo")
    run_with_games(tmp_path, steps=())
    for name in ("", "nothing", "../outside/demo", str(outside / "demo"), "link", "\ud800", "demo"):
        with pytest.raises(UsageError):
            ReplayDesk(Rules(tmp_path), HandPool(), name)
