"""Players that only tests know, by name: batched ones, and engines that fail."""

import time
from typing import ClassVar

import pytest

from zerolab.evaluation.matches import pairs, series, threads
from zerolab.evaluation.players import players
from zerolab.evaluation.players.protocol import EngineError, PlayerError
from zerolab.kernels.rng import random_below


class Plain:
    """Moves by lot."""

    def __init__(self, name):
        self.name = name

    def choose(self, position, rng):
        legal = position.legal_actions
        return legal[random_below(rng, len(legal))]


class Batched(Plain):
    """The same in many positions at once; keeps how many there were each time."""

    sizes: ClassVar[list[int]] = []

    def choose_many(self, positions, rngs):
        self.sizes.append(len(positions))
        return [self.choose(each, rng) for each, rng in zip(positions, rngs, strict=True)]


class Engine(Plain):
    """The same, in something that has to be closed."""

    closed = 0

    def close(self):
        Engine.closed += 1


class Weak(Engine):
    """Dies now and then."""

    is_dead = False

    def choose(self, position, rng):
        assert not self.is_dead, "asked after it died"
        if len(position.legal_actions) % 5 == 2:
            self.is_dead = True
            raise EngineError(self.name, "it died")
        return super().choose(position, rng)


class Fragile(Plain):
    """Fails now and then; it holds nothing, so that its games may be played concurrently."""

    def choose(self, position, rng):
        if len(position.legal_actions) % 5 == 2:
            raise EngineError(self.name, "it fell ill")
        return super().choose(position, rng)


class Dead(Engine):
    """Never answers."""

    asked = 0

    def choose(self, position, rng):
        Dead.asked += 1
        raise EngineError(self.name, "it never lived")


class Starting(Weak):
    """The same as weak; by a clock of its own it takes 100 seconds to start and 1 for a move."""

    clock = 0.0

    def __init__(self, name):
        super().__init__(name)
        self.is_started = False

    def check(self, game):
        Starting.clock += 0 if self.is_started else 100
        self.is_started = True

    def choose(self, position, rng):
        self.check(position.game)
        Starting.clock += 1
        return super().choose(position, rng)


class Cheat(Plain):
    def choose(self, position, rng):
        return 10**6


class Broken(Plain):
    def choose(self, position, rng):
        raise RuntimeError("broken")


class Elsewhere(Plain):
    def check(self, game):
        raise PlayerError("elsewhere: this player knows chess only")


GUESTS = {
    "plain": Plain,
    "batched": Batched,
    "batched too": Batched,
    "engine": Engine,
    "weak": Weak,
    "fragile": Fragile,
    "dead": Dead,
    "starting": Starting,
    "cheat": Cheat,
    "broken": Broken,
    "elsewhere": Elsewhere,
}


@pytest.fixture
def guests(monkeypatch):
    """They are found by `make_player`."""

    def make_player(name):
        return GUESTS[name](name) if name in GUESTS else players.make_player(name)

    monkeypatch.setattr(pairs, "make_player", make_player)
    monkeypatch.setattr(threads, "make_player", make_player)
    monkeypatch.setattr(series, "make_player", make_player)
    monkeypatch.setattr(threads, "MOST_FAILURES", 10**9)  # nobody is given up
    monkeypatch.setattr(Batched, "sizes", [])
    monkeypatch.setattr(Engine, "closed", 0)


def hold_after(monkeypatch, chunks):
    """Threads play so many chunks of games and then wait to be stopped, however fast they are."""
    begun = []

    def play_or_wait(seats, chunk, is_stopped):
        begun.append(chunk)
        deadline = time.monotonic() + 600  # if nobody stops them
        while len(begun) > chunks and not is_stopped() and time.monotonic() < deadline:
            time.sleep(0.001)
        yield from pairs.play_chunk(seats, chunk, is_stopped)

    monkeypatch.setattr(threads, "play_chunk", play_or_wait)
