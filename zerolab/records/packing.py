"""Packing: records in, a dataset out.

The file holds the games in the order of the digests of their moves, so it does not depend on the
order in which they were read. Which games are for validation depends on moves and a seed alone.
"""

import hashlib
from array import array
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from zerolab.errors import UsageError
from zerolab.games.base import Game, num_players, shape
from zerolab.games.boards.stones import starts_at_random
from zerolab.games.catalogue import GAMES, describe, name_of, parameters_of
from zerolab.games.notation import num_actions
from zerolab.games.position import Position
from zerolab.records.dataset import KEY, Dataset, DatasetHeader, open_dataset
from zerolab.records.mapped_arrays import write_arrays
from zerolab.records.record_files import RecordFiles
from zerolab.records.recorded_game import Reason, RecordedGame, RecordError, check_moves
from zerolab.records.rejections import Summary

MOST_ACTIONS = 2**16
# Parameters that may differ from game to game: they decide who has won, which a record says, or
# how much of the past a state remembers. Moves are checked again under those of the dataset.
FREE = frozenset({"komi", "half_komi", "history", "limit"})
_DIGEST_BYTES = 16  # of the moves of a game: two of a million agree by chance once in 10**26 times
_Ints = npt.NDArray[np.int64]


def pack_files(
    sources: Sequence[Path],
    game: Game,
    path: Path,
    share: float = 0.05,
    seed: int = 0,
    on_progress: Callable[[int, float], None] = lambda games, share: None,
) -> Dataset:
    """Pack the games of files and directories, a share of them for validation.

    `on_progress` is told how many games there are so far, and the share of bytes that is read.
    """
    files = RecordFiles(sources)
    names = [str(source) for source in sources]
    return pack(files, game, path, share, seed, names, lambda n: on_progress(n, files.share))


def pack(
    records: Iterable[RecordedGame | RecordError],
    game: Game,
    path: Path,
    share: float = 0.05,
    seed: int = 0,
    sources: Iterable[str] = (),
    on_record: Callable[[int], None] = lambda games: None,
) -> Dataset:
    """Pack records; `on_record` is told after each how many games there are so far."""
    if not 0 <= share < 1:
        raise UsageError(f"a validation share of {share} is not possible; expected 0 to below 1")
    if not path.resolve().parent.is_dir():  # said now, not after an hour of reading
        raise UsageError(f"{path} cannot be written: there is no such directory")
    packer = Packer(game)
    for record in records:
        packer.add(record)
        on_record(packer.summary.games)
    packer.write(path, share, seed, sources)
    return open_dataset(path)


class Packer:
    """Collects games, each once. In memory a game takes two bytes for a move and some 200 more."""

    def __init__(self, game: Game) -> None:
        if num_players(game) != 2 or starts_at_random(game):
            raise UsageError(
                f"games of {describe(game)} cannot be packed; expected a game for two players that "
                f"always starts from the same position"
            )
        if name_of(game) not in GAMES:
            raise UsageError("games by rules in a file of yours, or of OpenSpiel, cannot be packed")
        if num_actions(game) > MOST_ACTIONS:
            raise UsageError(
                f"games of {describe(game)} cannot be packed: it has {num_actions(game):,} "
                f"actions, at most {MOST_ACTIONS:,} are possible"
            )
        self.game = game
        self.summary = Summary()
        self._rules = _rules_of(game)
        self._moves, self._offsets, self._results = array("H"), array("q", [0]), array("b")
        self._numbers: dict[bytes, int] = {}  # of games, by the digest of their moves

    def add(self, record: RecordedGame | RecordError) -> None:
        """Add a game, or count why it cannot be used."""
        if isinstance(record, RecordError):
            self.summary.reject(record)
            return
        try:
            self._add(record)
        except RecordError as error:
            self.summary.reject(error.at(record.source))

    def _add(self, recorded: RecordedGame) -> None:
        recorded = self._under_own_rules(recorded)
        if not recorded.actions:
            raise RecordError("it has no moves", Reason.NO_MOVES)
        if recorded.result is None:
            raise RecordError("its result is not known", Reason.NO_RESULT)
        moves, result = array("H", recorded.actions), int(recorded.result)
        digest = hashlib.sha256(moves).digest()[:_DIGEST_BYTES]
        number = self._numbers.setdefault(digest, len(self._results))
        if number < len(self._results):
            # Should the results differ, the order of reading must not decide.
            self._results[number] = min(self._results[number], result)
            raise RecordError("the same moves were read before", Reason.DUPLICATE)
        self._moves.extend(moves)
        self._offsets.append(len(self._moves))
        self._results.append(result)
        self.summary.games += 1

    def _under_own_rules(self, recorded: RecordedGame) -> RecordedGame:
        """The game by the rules of the dataset; a RecordError if it is another."""
        other = recorded.game
        if type(other) is not type(self.game):
            raise RecordError(f"it is a game of {describe(other)}", Reason.OTHER_GAME)
        if shape(other) != shape(self.game):
            rows, cols = shape(other)
            raise RecordError(f"the board is {rows}x{cols}", Reason.OTHER_BOARD)
        if _rules_of(other) != self._rules:
            raise RecordError(f"it is a game of {describe(other)}", Reason.OTHER_RULES)
        if recorded.start is not None and recorded.first != Position.start(other):
            raise RecordError("it does not begin with the start of the game", Reason.OTHER_START)
        own = recorded._replace(game=self.game, start=None, turn="black")
        if other != self.game:
            check_moves(own)
        return own

    def write(self, path: Path, share: float, seed: int, sources: Iterable[str] = ()) -> None:
        """Split off the games for validation and write the file."""
        digests = sorted(self._numbers)
        order = np.array([self._numbers[digest] for digest in digests], np.int64)
        validation = np.array([is_for_validation(each, share, seed) for each in digests], np.uint8)
        results = np.array(self._results, np.int8)[order]
        header = DatasetHeader(
            game=name_of(self.game),
            parameters=parameters_of(self.game),
            games=len(order),
            moves=len(self._moves),
            validation_games=int(validation.sum()),
            validation_share=share,
            seed=seed,
            training_digest=_digest_of(digests, results, validation == 0),
            validation_digest=_digest_of(digests, results, validation == 1),
            read=self.summary.read,
            rejected=self.summary.as_dict(),
            sources=list(sources),
        )
        moves, offsets = _reorder(
            np.frombuffer(self._moves, np.uint16), np.array(self._offsets), order
        )
        write_arrays(
            path,
            {KEY: header.model_dump_json()},
            {"moves": moves, "offsets": offsets, "results": results, "validation": validation},
        )


def is_for_validation(digest: bytes, share: float, seed: int) -> bool:
    """Whether a game is for validation, by the digest of its moves."""
    drawn = hashlib.sha256(f"{seed} ".encode() + digest).digest()
    return int.from_bytes(drawn[:8]) < share * 2**64


def follows_rules(game: Game, packed: Game) -> bool:
    """Whether games that were packed under some rules are games by these rules too."""
    return type(game) is type(packed) and _rules_of(game) == _rules_of(packed)


def _rules_of(game: Game) -> dict[str, Any]:
    return {key: value for key, value in game._asdict().items() if key not in FREE}


def _digest_of(
    digests: list[bytes], results: npt.NDArray[np.int8], chosen: npt.NDArray[np.bool_]
) -> str:
    """The digest of a set of games, moves and results."""
    total = hashlib.sha256()
    for number in np.flatnonzero(chosen):
        total.update(digests[number] + results[number].tobytes())
    return total.hexdigest()


def _reorder(
    moves: npt.NDArray[np.uint16], offsets: _Ints, order: _Ints
) -> tuple[npt.NDArray[np.uint16], _Ints]:
    """Moves and offsets of games in another order."""
    ends = np.concatenate([[0], np.cumsum(np.diff(offsets)[order])])
    ordered = np.empty_like(moves)
    for number, game in enumerate(order):
        ordered[ends[number] : ends[number + 1]] = moves[offsets[game] : offsets[game + 1]]
    return ordered, ends
