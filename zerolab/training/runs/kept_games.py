"""Some games of a run, kept to be replayed: games.jsonl, a line for each.

A step keeps a few games of self-play. The continuous loop also keeps games of evaluators that have
arrived since the step before, the staged loop games of the arena. Lines of steps that were lost are
dropped when the run is resumed, like those of the log.
"""

import json
from collections import deque
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from zerolab.errors import UsageError
from zerolab.files import replacing
from zerolab.games.base import Game
from zerolab.games.notation import action_space, format_move
from zerolab.games.position import Position
from zerolab.records.recorded_game import RecordedGame

if TYPE_CHECKING:  # reading needs neither networks nor searches
    from zerolab.training.selfplay.selfplay import GameRecord

GAMES = "games.jsonl"
MOST_A_STEP = 4  # games of self-play; a run of a thousand steps keeps about a megabyte
MOST_JUDGED = 4  # games of evaluators or of the arena in a step
SELF_PLAY, LADDER, ARENA = "self-play", "ladder", "arena"
NETWORK_NAME = "network"


class KeptGame(NamedTuple):
    """A game of a run."""

    step: int
    """The network's, counted in steps that were complete when the game arrived."""
    kind: str
    """SELF_PLAY, LADDER or ARENA."""
    recorded: RecordedGame


def played_game(game: Game, record: "GameRecord") -> RecordedGame:
    """A game of self-play, from the end of its opening."""
    position = Position(game, record.states[0])
    for action in record.actions:
        position = position.after(int(action))
    return RecordedGame.of(position, (NETWORK_NAME, NETWORK_NAME))


def keep_games(
    directory: Path,
    step: int,
    played: Sequence[RecordedGame],
    judged: Sequence[RecordedGame],
    judged_by: str = LADDER,
) -> None:
    """Add games of self-play to the file of a run, and games of another kind."""
    kept = [
        *(KeptGame(step, SELF_PLAY, each) for each in played[:MOST_A_STEP]),
        *(KeptGame(step, judged_by, each) for each in judged[-MOST_JUDGED:]),
    ]
    try:
        with (directory / GAMES).open("ab") as file:
            file.writelines(json.dumps(_fields(each)).encode() + b"\n" for each in kept)
    except OSError as error:
        raise UsageError(f"{directory / GAMES}: {error.strerror}") from None


def drop_games(directory: Path, after: int) -> None:
    """Drop the games of steps after this one."""
    if (directory / GAMES).exists():
        lines = [json.dumps(each).encode() + b"\n" for each in _lines(directory)]
        kept = [line for line in lines if json.loads(line)["step"] <= after]
        with replacing(directory / GAMES) as file:
            file.writelines(kept)


def read_games(directory: Path, game: Game, most: int | None = None) -> list[KeptGame]:
    """The last games of a run, the oldest first; lines that make no sense are left out."""
    found = []
    for line in deque(_lines(directory), maxlen=most):
        try:
            found.append(_parse(game, line))
        except (UsageError, KeyError, TypeError, ValueError):
            continue
    return found


def _lines(directory: Path) -> Iterable[dict[str, Any]]:
    try:
        texts = (directory / GAMES).read_bytes().split(b"\n")[:-1]
    except OSError:
        return
    for text in texts:
        try:
            line = json.loads(text)
        except ValueError:
            continue
        if isinstance(line, dict) and isinstance(line.get("step"), int):
            yield line


def _fields(kept: KeptGame) -> dict[str, Any]:
    game = kept.recorded
    return {
        "step": kept.step,
        "kind": kept.kind,
        "black": game.names[0],
        "white": game.names[1],
        "start": game.start,
        "turn": game.turn,
        "moves": " ".join(format_move(game.game, action) for action in game.actions),
        "result": game.result,
    }


def _parse(game: Game, line: dict[str, Any]) -> KeptGame:
    recorded = RecordedGame(
        game,
        tuple(map(action_space(game).parse, str(line["moves"]).split())),
        None if line["result"] is None else float(line["result"]),
        (str(line["black"])[:100], str(line["white"])[:100]),
        None if line["start"] is None else str(line["start"]),
        str(line["turn"]),
    )
    return KeptGame(int(line["step"]), str(line["kind"]), recorded)
