"""Actors in processes of their own: new networks reach them, and their games the learner."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from tests.training.opinions import CONFIG, GAME, NEW, OLD, opinion, opinions
from tests.training.samples.test_value_targets import RECORD
from tests.training.selfplay.test_sources import statistics
from zerolab.games.base import Game
from zerolab.games.catalogue import describe
from zerolab.games.clobber import Clobber
from zerolab.training.selfplay.actors import CrewSource, act
from zerolab.training.selfplay.receipts import Receipts
from zerolab.training.selfplay.sources import SelfPlayBatch
from zerolab.training.selfplay.workforce import CAPACITY, Hire, Job

SETTINGS = CONFIG.changed(actors=2)


class Line:
    """A link without a process: networks come as the list has them, messages are kept."""

    def __init__(self, models: list[bytes | None], messages: int) -> None:
        self.sent: list[SelfPlayBatch] = []
        self._models = iter(enumerate(models))
        self._messages = messages

    def new_model(self) -> tuple[int, bytes] | None:
        step, model = next(self._models)
        return None if model is None else (step, model)

    def send(self, message: SelfPlayBatch) -> None:
        self.sent.append(message)
        if len(self.sent) == self._messages:
            raise BrokenPipeError


def messages(models: list[bytes | None], seed: int = 1, game: Game = GAME) -> list[SelfPlayBatch]:
    """What an actor sends that gets a network at the beginning, and maybe after each message."""
    line = Line(models, len(models))
    with pytest.raises(BrokenPipeError):
        act(line, seed, "clobber", describe(game), SETTINGS)  # type: ignore[arg-type]  # a stand-in
    return line.sent


def said(games: SelfPlayBatch) -> set[float]:
    return {each for record in games.records for each in opinions(record)}


def test_an_actor_takes_up_each_network_after_a_message() -> None:
    """Games of 3x3 with these networks end together: a message has them all."""
    sent = messages([opinion(OLD), None, opinion(NEW), None, opinion(OLD)])
    assert [said(part) for part in sent] == [{OLD}, {OLD}, {NEW}, {NEW}, {OLD}]
    # With a new network nothing is known, with the same one all is.
    assert [part.cache.hit_rate for part in sent] == [0, 1, 0, 1, 0]


def test_actors_with_different_seeds_play_different_games() -> None:
    """Starts are drawn: the same network in the same position plays the same move."""
    game, starts = Clobber(3, 3, setup="random"), []
    for seed in (1, 1, 2):
        sent = messages([opinion(OLD), None, None], seed, game)
        starts.append([record.states[0].tolist() for part in sent for record in part.records])
    assert starts[0] == starts[1] != starts[2]


def test_networks_reach_actors_in_other_processes(tmp_path: Path) -> None:
    """Messages from before wait in the queue and in the pipes; after those all is new."""
    with closing(CrewSource(GAME, SETTINGS, tmp_path / "model.onnx")) as source:
        source.start(opinion(OLD), seed=1)
        assert said(source.gather(1, nothing)) == {OLD}
        for value in (NEW, OLD):
            source.refresh(opinion(value))
            late = 0  # messages that are of the network before
            while said(source.gather(1, nothing)) != {value}:
                late += 1
                assert late < 4 * CAPACITY, "the network does not arrive"


class Queue:
    """A crew without processes."""

    waiting = 6
    deaths = 3
    players = 5
    neighbours = 4

    def __init__(self, players: Sequence[Job], path: Path, others: Sequence[Job] = ()) -> None:
        self.jobs = [*players, *others]
        self.figures = {"name": "queue"}
        self.messages: list[object] = []

    def take(self) -> object:
        return self.messages.pop(0)


def test_games_of_several_actors_are_put_together(tmp_path: Path) -> None:
    """A game has two states to learn from: the fourth makes seven of them."""
    heard: list[object] = []
    evaluator = Job("evaluator 1", act, ())
    path, hire = tmp_path / "model.onnx", cast(Hire, Queue)
    source = CrewSource(GAME, SETTINGS, path, [evaluator], heard.append, hire)
    crew: Any = source.crew
    assert [job.name for job in crew.jobs] == ["actor 1", "actor 2", "evaluator 1"]
    parts = [
        SelfPlayBatch(
            [RECORD, RECORD], statistics(3, 20, 15), np.array([0, 1, 2]), player=17, number=1
        ),
        SelfPlayBatch([RECORD], statistics(8, 60, 5), np.array([0, 4, 8]), player=18, number=3),
        SelfPlayBatch([RECORD], statistics(9, 0, 0), np.array([0, 0, 1]), player=17, number=2),
    ]
    again = parts[0]  # however it came, it is not learnt twice
    crew.messages = [parts[0], "from an evaluator", again, parts[1], again, parts[2], "not yet"]
    seen: list[int] = []
    games = source.gather(7, seen.append)
    assert (seen, heard, crew.messages) == ([4, 6, 8], ["from an evaluator"], ["not yet"])
    assert (len(games.records), games.states) == (4, 8)
    assert games.batches.tolist() == [0, 5, 11]
    assert games.cache == statistics(9, 80, 20)
    assert (games.waiting, games.actors, games.restarts) == (6, 5, 3)
    assert games.receipts == Receipts(3, 2, 2, {"00000011": [1, 2], "00000012": [3, 3]})
    assert games.engine == {"name": "queue"}


def test_the_learner_has_the_cores_that_actors_leave(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    source = CrewSource(GAME, SETTINGS, tmp_path / "model.onnx", hire=cast(Hire, Queue))
    for cores, left in ((8, 4), (5, 1), (2, 1)):
        monkeypatch.setattr("os.cpu_count", lambda cores=cores: cores)
        assert source.threads == left


def nothing(states: int) -> None:
    """Nobody wants to know."""
