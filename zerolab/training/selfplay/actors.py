"""Actors: workers that play against themselves continuously and send finished games."""

import functools
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from zerolab.games.base import Game
from zerolab.games.catalogue import describe, name_of, remake
from zerolab.training.selfplay.crew import Crew
from zerolab.training.selfplay.move_times import total
from zerolab.training.selfplay.receipts import ReceiptBook
from zerolab.training.selfplay.selfplay import GameRecord
from zerolab.training.selfplay.sources import Actor, OnStates, SelfPlayBatch, together
from zerolab.training.selfplay.workforce import Hire, Job, Link, cores_beside
from zerolab.training.settings.continuous_config import TrainingConfig


def act(link: Link, seed: int, rules: str, description: str, config: TrainingConfig) -> None:
    """Play continuously with the newest network, and send finished games."""
    game = remake(rules, description)
    found = link.new_model()
    assert found is not None
    actor = Actor(game, config, found[1], seed)
    while True:
        records = actor.round()
        if records:
            link.send(actor.report(records))
            found = link.new_model()
            if found is not None:
                actor.refresh(found[1])


class CrewSource:
    """Games of actors; messages of other workers go to `on_message`."""

    def __init__(
        self,
        game: Game,
        config: TrainingConfig,
        path: Path,
        others: Sequence[Job] = (),
        on_message: Callable[[object], None] = lambda message: None,
        hire: Hire = Crew,
    ) -> None:
        """The current network is kept in the file `path`; `hire` says where workers live."""
        arguments = name_of(game), describe(game), config
        actors = [Job(f"actor {number + 1}", act, arguments) for number in range(config.actors)]
        self.crew = hire(actors, path, others)
        self._on_message = on_message
        self._receipts = ReceiptBook()
        self._step = 0

    @property
    def threads(self) -> int:
        """The cores that actors on this machine leave."""
        return cores_beside(self.crew.neighbours)

    def start(self, model: bytes, seed: int) -> None:
        """Start all processes with this network."""
        self.crew.start(self._step, model, seed)

    def gather(self, states: int, on_states: OnStates) -> SelfPlayBatch:
        """Take messages until there are enough games; more arrive while the learner learns."""
        parts: list[SelfPlayBatch] = []
        found = 0
        while found < states:
            message = self.crew.take()
            if isinstance(message, SelfPlayBatch):
                if not self._receipts.is_new(message.player, message.number):
                    continue
                parts.append(message)
                found += message.states
                on_states(found)
            else:
                self._on_message(message)
        records: list[GameRecord] = [record for part in parts for record in part.records]
        batches = functools.reduce(np.add, [part.batches for part in parts])
        cache = together([part.cache for part in parts])
        return SelfPlayBatch(
            *(records, cache, batches, self.crew.waiting, self.crew.players, self.crew.deaths),
            total([part.times for part in parts]),
            receipts=self._receipts.step(),
            engine=self.crew.figures,
        )

    def refresh(self, model: bytes) -> None:
        """Publish a network; actors load it when their next game is over."""
        self._step += 1
        self.crew.publish(self._step, model)

    def close(self) -> None:
        """End all processes."""
        self.crew.close()
