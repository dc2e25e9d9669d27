"""Self-play: many games at once against oneself, one network call for all."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerolab.games.base import BLACK, Game, State, States
from zerolab.games.board import initial_state
from zerolab.games.rng import stream
from zerolab.search.batched import BatchedSearch, Evaluate, Oracle, SearchConfig, SearchResult
from zerolab.search.playouts import value_for
from zerolab.search.proofs import ROOT


class GameRecord(NamedTuple):
    """A finished game; `n` counts its positions with a move, the end is not among them."""

    states: States  # [n, words]
    policies: npt.NDArray[np.float32]  # [n, A], policy targets
    values: npt.NDArray[np.float32]  # [n], what the search thought, for the player to move
    proven: npt.NDArray[np.bool_]  # [n], whether that is exact
    full: npt.NDArray[np.bool_]  # [n], whether the search is worth learning from
    actions: npt.NDArray[np.int64]  # [n]
    result: float
    """For Black."""


class SelfPlay:
    """Plays games without end; each call of `round` gives those that were finished by it."""

    def __init__(
        self,
        game: Game,
        config: SearchConfig,
        batch: int,
        evaluate: Evaluate,
        seed: int,
        oracle: Oracle | None = None,
    ) -> None:
        self.game = game
        self.search = BatchedSearch(game, config, batch, evaluate, seed, oracle)
        self._starts = stream(seed, batch)  # the search has the streams before this one
        self._plies: list[list[_Ply]] = [[] for _ in range(batch)]
        for slot in range(batch):
            self._begin(slot)

    def round(self) -> Iterator[GameRecord]:
        """Look at one more leaf in every game, and move where a search is complete."""
        for slot in self.search.round():
            plies = self._plies[slot]
            action = self.search.choose_at(slot, len(plies))
            state = self.search.trees.states[slot, ROOT].copy()
            plies.append(_Ply(state, self.search.result(slot), action))
            self.search.advance(slot, action)
            if self.search.is_over(slot):
                end = self.search.trees.states[slot, ROOT]
                yield _record(plies, float(value_for(self.game, end, BLACK)))
                self._begin(slot)

    def _begin(self, slot: int) -> None:
        self._plies[slot] = []
        self.search.start(slot, initial_state(self.game, self._starts))


class _Ply(NamedTuple):
    state: State
    result: SearchResult
    action: int


def _record(plies: list[_Ply], result: float) -> GameRecord:
    return GameRecord(
        np.array([ply.state for ply in plies]),
        np.array([ply.result.policy for ply in plies], np.float32),
        np.array([ply.result.value for ply in plies], np.float32),
        np.array([ply.result.proven for ply in plies], np.bool_),
        np.array([ply.result.is_full for ply in plies], np.bool_),
        np.array([ply.action for ply in plies], np.int64),
        result,
    )
