"""Self-play: many concurrent games, with one network call for all."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerolab.errors import UsageError
from zerolab.games.base import NO_ACTION, Game, State, States, max_plies, player_to_move
from zerolab.games.boards.stones import initial_state
from zerolab.games.catalogue import describe
from zerolab.games.notation import num_actions
from zerolab.kernels.compiling import lean
from zerolab.kernels.rng import stream
from zerolab.search.batched.searching_network import SearchingNetwork
from zerolab.search.playouts import play_opening, value_for
from zerolab.search.proofs import ROOT
from zerolab.training.selfplay.move_times import MoveTimes


class GameRecord(NamedTuple):
    """A finished game; `n` counts its positions with a move, so not the final one."""

    states: States  # [n, words]
    policies: npt.NDArray[np.float32]  # [n, A], policy targets
    values: npt.NDArray[np.float32]  # [n], what the search thought, for the player to move
    proven: npt.NDArray[np.bool_]  # [n], whether that is exact
    full: npt.NDArray[np.bool_]  # [n], whether the search is worth learning from
    actions: npt.NDArray[np.int64]  # [n]
    results: npt.NDArray[np.float32]  # [n], how the game ended, for the player to move
    opening: int = 0
    """Random moves before the first of these positions."""

    @property
    def plies(self) -> int:
        """Length of the game, including its opening."""
        return self.opening + len(self.states)


class SelfPlay:
    """Plays games; each call of `round` returns those that it finished.

    Without `games` they continue forever. With it every game that was begun is played to its end:
    stopping as soon as enough games are over would favour short games.
    """

    def __init__(
        self,
        network: SearchingNetwork,
        batch: int,
        seed: int,
        games: int | None = None,
        unfinished: Sequence[GameRecord] = (),
    ) -> None:
        """`unfinished` games, which count among the `games`, are continued first."""
        self.game = network.game
        self.moves = 0
        """Moves made so far, in all games."""
        batch = batch if games is None else min(batch, games)
        self._left = games
        self.search = network.search(batch, seed)
        self._starts = stream(seed, batch)  # the search has the streams before this one
        self._plies: list[list[_Ply]] = [[] for _ in range(batch)]
        self._openings = [0] * batch  # random moves that each game began with
        self.times = MoveTimes(max_plies(network.game))
        """What moves have cost."""
        for slot, record in enumerate(unfinished):
            self._go_on(slot, record)
        for slot in range(len(unfinished), batch):
            self._begin(slot)

    def round(self) -> list[GameRecord]:
        """Search one more leaf in every game, and move where a search is complete."""
        records = []
        self.times.resume()
        finished = self.search.round()
        self.times.divide()
        for slot in finished:
            if self.search.is_over(slot):
                continue  # its last game is over, and none is left for it
            plies = self._plies[slot]
            action = self.search.choose_at(slot, len(plies))
            state = self.search.trees.states[slot, ROOT].copy()
            found = self.search.result(slot)
            policy = found.policy.astype(np.float32)
            plies.append(_Ply(state, policy, found.value, found.proven, found.is_full, action))
            self.times.move(slot, self._openings[slot] + len(plies) - 1, self._visits(slot))
            self.search.advance(slot, action)
            self.times.begin(slot, self._visits(slot))
            self.moves += 1
            if self.search.is_over(slot):
                end = self.search.trees.states[slot, ROOT]
                records.append(_record(self.game, plies, end, self._openings[slot]))
                self._begin(slot)
        self.times.pause()
        return records

    def _visits(self, slot: int) -> int:
        return int(self.search.trees.visits[slot, ROOT])

    def unfinished(self) -> list[GameRecord]:
        """The unfinished games; the last row of each has only the position being searched."""
        records = []
        for slot, plies in enumerate(self._plies):
            if not self.search.is_over(slot):
                state = self.search.trees.states[slot, ROOT].copy()
                nothing = np.zeros(num_actions(self.game), np.float32)
                now = _Ply(state, nothing, 0.0, False, False, NO_ACTION)
                records.append(_record(self.game, [*plies, now], state, self._openings[slot]))
        return records

    def _go_on(self, slot: int, record: GameRecord) -> None:
        """Continue a game that `unfinished` returned."""
        if self._left is not None:
            self._left -= 1
        rows = zip(*(getattr(record, name)[:-1] for name in _Ply._fields), strict=True)
        self._plies[slot] = [_Ply(*row) for row in rows]
        self._openings[slot] = record.opening
        self.search.start(slot, record.states[-1])
        self.times.begin(slot)

    def _begin(self, slot: int) -> None:
        if self._left == 0:
            self.times.end(slot)
            return
        if self._left is not None:
            self._left -= 1
        self._plies[slot] = []
        state = initial_state(self.game, self._starts)
        if most := self.search.config.opening_plies:
            room = np.empty_like(state), np.empty(num_actions(self.game), np.int64)
            self._openings[slot] = int(
                play_opening(lean(self.game), state, most, *room, self._starts)
            )
        self.search.start(slot, state)
        self.times.begin(slot)
        if self.search.is_over(slot):
            raise UsageError(f"{describe(self.game)} is over before it begins")


class _Ply(NamedTuple):
    """A row of a GameRecord, with the same field names."""

    states: State
    policies: npt.NDArray[np.float32]
    values: float
    proven: bool
    full: bool
    actions: int


def _record(game: Game, plies: list[_Ply], end: State, opening: int) -> GameRecord:
    results = [float(value_for(game, end, player_to_move(ply.states))) for ply in plies]
    return GameRecord(
        np.array([ply.states for ply in plies]),
        np.array([ply.policies for ply in plies]),
        np.array([ply.values for ply in plies], np.float32),
        np.array([ply.proven for ply in plies], np.bool_),
        np.array([ply.full for ply in plies], np.bool_),
        np.array([ply.actions for ply in plies], np.int64),
        np.array(results, np.float32),
        opening,
    )
