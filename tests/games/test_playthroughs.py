"""A random game of each kind as text, in tests/playthroughs: a change of rules is a diff there.

After a change that is meant, write the files again and read what git says about them:

    python -m tests.games.test_playthroughs
"""

from difflib import unified_diff
from pathlib import Path

import pytest

from tests.games.laws import planes_of
from tests.games.play import Ply, random_game
from zerolab.games.base import NO_ACTION, Game, Planes, player_to_move, terminal_value
from zerolab.games.boards.stones import ENCODINGS
from zerolab.games.catalogue import describe, make_game
from zerolab.games.notation import COLOUR_NAMES, format_move, format_position, num_actions

DIRECTORY = Path(__file__).parent.parent / "playthroughs"
SEED = 2024

GAMES = {
    "clobber-3x4": make_game("clobber", "3x4"),
    "clobber-2x3-cannibal": make_game("clobber", "2x3", ["variant=cannibal"]),
    "clobber-2x3-impartial": make_game("clobber", "2x3", ["variant=impartial"]),
    "clobber-3x3-random-start": make_game("clobber", "3x3", ["start=random"]),
    "graph-clobber": make_game("graph-clobber"),
    "solitaire-3x3": make_game("solitaire", "3x3"),
    "solitaire-3x3-any-colour": make_game("solitaire", "3x3", ["alternate=false"]),
    "othello-4x4": make_game("othello", "4x4"),
    "othello-3x3": make_game("othello", "3x3"),
    "connect-four-4x5": make_game("connect-four", "4x5", ["k=3"]),
    "go-3x3": make_game("go", "3x3", ["komi=6.5", "history=2", "limit=40"]),
    "gobang-4x5": make_game("gobang", "4x5", ["k=3"]),
    "tic-tac-toe": make_game("tic-tac-toe"),
}


def playthrough(game: Game) -> str:
    """A random game: every position, player, list of legal moves and move; planes of the first."""
    plies = random_game(game, SEED)
    blocks = [f"game: {describe(game)}\nactions: {num_actions(game)}"]
    for encoding, name in enumerate(ENCODINGS):
        planes = planes_of(game, plies[0].state, encoding)
        blocks.append(f"planes at the start, {name}:\n{format_planes(planes)}")
    blocks += [format_ply(game, number, ply) for number, ply in enumerate(plies)]
    return "\n\n".join(blocks) + "\n"


def format_ply(game: Game, number: int, ply: Ply) -> str:
    player = COLOUR_NAMES[player_to_move(ply.state)]
    lines = [f"ply {number}, {player} to move", *format_position(game, ply.state).split("|")]
    if ply.action == NO_ACTION:
        lines.append(f"over, value for {player}: {terminal_value(game, ply.state):g}")
    else:
        moves = [f"{format_move(game, action)} ({action})" for action in ply.legal]
        lines.append(f"legal: {' '.join(moves)}")
        lines.append(f"played: {format_move(game, ply.action)}")
    return "\n".join(lines)


def format_planes(planes: Planes) -> str:
    """Planes side by side, a row of each on a line."""
    rows = planes.swapaxes(0, 1)  # [R, P, C]
    return "\n".join("  ".join("".join(f"{x:g}" for x in line) for line in row) for row in rows)


@pytest.mark.parametrize("name", GAMES)
def test_game_is_as_written_down(name: str) -> None:
    written = (DIRECTORY / f"{name}.txt").read_text()
    played = playthrough(GAMES[name])
    diff = unified_diff(written.splitlines(), played.splitlines(), "written", "played", lineterm="")
    assert played == written, "\n".join(diff)


def test_no_file_is_left_over() -> None:
    assert sorted(path.stem for path in DIRECTORY.glob("*")) == sorted(GAMES)


if __name__ == "__main__":
    for name, game in GAMES.items():
        (DIRECTORY / f"{name}.txt").write_text(playthrough(game))
