"""Self-play: many games at once against oneself, one network call for all."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerolab.errors import UsageError
from zerolab.games.base import Game, State, States, player_to_move
from zerolab.games.board import initial_state
from zerolab.games.catalogue import describe
from zerolab.games.rng import stream
from zerolab.search.batched import BatchedSearch, Evaluate, SearchConfig
from zerolab.search.playouts import value_for
from zerolab.search.proofs import ROOT
from zerolab.solver.oracle import NO_ORACLE, Oracle


class GameRecord(NamedTuple):
    """A finished game; `n` counts its positions with a move, the end is not among them."""

    states: States  # [n, words]
    policies: npt.NDArray[np.float32]  # [n, A], policy targets
    values: npt.NDArray[np.float32]  # [n], what the search thought, for the player to move
    proven: npt.NDArray[np.bool_]  # [n], whether that is exact
    full: npt.NDArray[np.bool_]  # [n], whether the search is worth learning from
    actions: npt.NDArray[np.int64]  # [n]
    results: npt.NDArray[np.float32]  # [n], how the game ended, for the player to move


class SelfPlay:
    """Plays games; each call of `round` gives those that were finished by it.

    There is no end of them unless `games` says how many there are. Then every game that was begun
    is played to its end: to stop at the first so many would favour short games.
    """

    def __init__(
        self,
        game: Game,
        config: SearchConfig,
        batch: int,
        evaluate: Evaluate,
        seed: int,
        oracle: Oracle = NO_ORACLE,
        games: int | None = None,
    ) -> None:
        self.game = game
        self.moves = 0
        """Moves made so far, in all games."""
        batch = batch if games is None else min(batch, games)
        self._left = games
        self.search = BatchedSearch(game, config, batch, evaluate, seed, oracle)
        self._starts = stream(seed, batch)  # the search has the streams before this one
        self._plies: list[list[_Ply]] = [[] for _ in range(batch)]
        for slot in range(batch):
            self._begin(slot)

    def round(self) -> list[GameRecord]:
        """Look at one more leaf in every game, and move where a search is complete."""
        records = []
        for slot in self.search.round():
            if self.search.is_over(slot):
                continue  # its last game is over, and none is left for it
            plies = self._plies[slot]
            action = self.search.choose_at(slot, len(plies))
            state = self.search.trees.states[slot, ROOT].copy()
            found = self.search.result(slot)
            policy = found.policy.astype(np.float32)
            plies.append(_Ply(state, policy, found.value, found.proven, found.is_full, action))
            self.search.advance(slot, action)
            self.moves += 1
            if self.search.is_over(slot):
                records.append(_record(self.game, plies, self.search.trees.states[slot, ROOT]))
                self._begin(slot)
        return records

    def _begin(self, slot: int) -> None:
        if self._left == 0:
            return
        if self._left is not None:
            self._left -= 1
        self._plies[slot] = []
        self.search.start(slot, initial_state(self.game, self._starts))
        if self.search.is_over(slot):
            raise UsageError(f"{describe(self.game)} is over before it begins")


class _Ply(NamedTuple):
    state: State
    policy: npt.NDArray[np.float32]
    value: float
    proven: bool
    full: bool
    action: int


def _record(game: Game, plies: list[_Ply], end: State) -> GameRecord:
    results = [float(value_for(game, end, player_to_move(ply.state))) for ply in plies]
    return GameRecord(
        np.array([ply.state for ply in plies]),
        np.array([ply.policy for ply in plies]),
        np.array([ply.value for ply in plies], np.float32),
        np.array([ply.proven for ply in plies], np.bool_),
        np.array([ply.full for ply in plies], np.bool_),
        np.array([ply.action for ply in plies], np.int64),
        np.array(results, np.float32),
    )
