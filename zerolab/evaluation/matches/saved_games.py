"""The games of matches and tournaments as SGF."""

from collections.abc import Sequence
from pathlib import Path

from zerolab.evaluation.matches.pairs import Played
from zerolab.games.base import Game
from zerolab.games.position import Position
from zerolab.records.record_files import write_games
from zerolab.records.recorded_game import RecordedGame


def save_games(path: Path, game: Game, played: Sequence[Played]) -> int:
    """Write the games that have a result, in the order of pairs; return their number."""
    finished = [each for each in played if each.result is not None]
    finished.sort(key=lambda each: (each.pair, each.first, each.second))
    write_games(path, (record_of(game, each) for each in finished))
    return len(finished)


def record_of(game: Game, played: Played) -> RecordedGame:
    """The record of a game, opening included."""
    start = played.start
    position = Position.start(game) if start is None else Position.parse(game, start)
    for move in (*played.opening.split(), *played.moves.split()):
        position = position.play(move)
    recorded = RecordedGame.of(position, (played.first, played.second))
    return recorded._replace(result=recorded.result if played.resigned is None else played.result)
