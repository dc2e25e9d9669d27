"""Games of a run, kept and read again."""

import json

import pytest

from tests.training.runs.test_run_directory import GAME, SETTINGS
from zerolab.games.clobber import Clobber
from zerolab.games.othello import Othello
from zerolab.games.position import Position
from zerolab.records.recorded_game import RecordedGame
from zerolab.training.continuous import ContinuousTrainer
from zerolab.training.loop import Limits, train
from zerolab.training.runs.evaluations import EVAL, Evaluated
from zerolab.training.runs.kept_games import (
    GAMES,
    LADDER,
    MOST_A_STEP,
    SELF_PLAY,
    drop_games,
    keep_games,
    read_games,
)
from zerolab.training.runs.run_directory import Run


def whole_game(game, names=("network", "mcts:10")):
    position = Position.start(game)
    while not position.is_over:
        position = position.after(position.legal_actions[-1])
    return RecordedGame.of(position, names)


@pytest.mark.parametrize("game", [Clobber(3, 3), Othello(4, 4)])
def test_games_are_read_as_they_were_kept(tmp_path, game):
    later = RecordedGame.of(Position.parse(game, whole_game(game).first.text, "white"))
    keep_games(tmp_path, 1, [whole_game(game), later], [whole_game(game, ("mcts:5", "network"))])
    kept = read_games(tmp_path, game)
    assert [(each.step, each.kind) for each in kept] == [(1, SELF_PLAY)] * 2 + [(1, LADDER)]
    assert kept[0].recorded == whole_game(game)
    assert kept[1].recorded.turn == "white"
    assert kept[2].recorded.names == ("mcts:5", "network")
    assert kept[2].recorded.position().is_over


def test_damaged_lines_are_left_out(tmp_path):
    assert read_games(tmp_path, GAME) == []
    keep_games(tmp_path, 1, [whole_game(GAME)], [])
    with (tmp_path / GAMES).open("ab") as file:
        file.write(b"no json\n[1]\n" + b'{"step": 2}\n' + b'{"step": 3, "moves": "zz')
    assert [each.step for each in read_games(tmp_path, GAME)] == [1]


def test_games_of_lost_steps_are_dropped(tmp_path):
    for step in (1, 2, 3):
        keep_games(tmp_path, step, [whole_game(GAME)], [])
    drop_games(tmp_path, after=2)
    assert [each.step for each in read_games(tmp_path, GAME)] == [1, 2]
    assert [each.step for each in read_games(tmp_path, GAME, most=1)] == [2]


def test_a_run_keeps_some_games_of_each_step(tmp_path):
    run = Run.create(tmp_path / "run", GAME, SETTINGS, seed=1)
    trainer = ContinuousTrainer(GAME, SETTINGS, seed=1)
    trainer.notice(Evaluated(EVAL, 0, 1.0, whole_game(GAME)))
    train(run, trainer, Limits(steps=2), lambda event: None)
    kept = read_games(run.directory, GAME)
    assert [each.step for each in kept if each.kind == LADDER] == [1]
    for step in (1, 2):
        played = [each for each in kept if each.step == step and each.kind == SELF_PLAY]
        assert 1 <= len(played) <= MOST_A_STEP
        assert all(each.recorded.position().is_over for each in played)
    lines = (run.directory / GAMES).read_text().splitlines()
    assert json.loads(lines[0])["black"] == "network"
    run.restore(ContinuousTrainer(GAME, SETTINGS, seed=1))
    assert read_games(run.directory, GAME) == kept
