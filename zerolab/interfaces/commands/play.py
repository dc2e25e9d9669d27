"""zerolab play: a game in the terminal."""

from typing import Annotated, Literal

import tyro

from zerolab.interfaces.commands.arguments import Colour, GameArguments, PlayerName, SaveFile, Seed
from zerolab.interfaces.views.output import Output


def play(
    board: GameArguments,
    black: PlayerName = "human",
    white: Annotated[str | None, tyro.conf.arg(metavar="PLAYER")] = None,
    level: Literal["beginner", "casual", "club", "expert", "best"] | None = None,
    position: str | None = None,
    first: Colour = "black",
    save: SaveFile = None,
    seed: Seed = 0,
    json: bool = False,
) -> None:
    """Play a game in the terminal, or watch two players.

    Examples: zerolab play clobber --size 6x6 --level casual;
    zerolab play clobber --size 5x5 --black human --white mcts:1000

    Args:
        black: human, random, mcts:1000, az:runs/demo@100, ... (see zerolab games).
        white: The other player, named in the same way. By default the agent that comes with zerolab
            for this game, or mcts:1000 where there is none.
        level: How strong that opponent plays (club); docs/agents.md has them in Elo.
        position: Start from this position instead, such as "xoxo|ox..".
        first: Who moves first in that position.
        save: Write the game to this file as SGF, also if it is not finished: .sgf, .sgfl, also .xz.
        seed: The same seed gives the same moves of players that choose at random.
        json: Print the moves and the result as one JSON object; the board goes to standard error.
    """
    from zerolab.errors import UsageError
    from zerolab.evaluation.players.agents.shipped_agents import default_opponent
    from zerolab.experiments.game_session import GameSession
    from zerolab.interfaces.views.terminal import TerminalGame
    from zerolab.kernels.rng import stream
    from zerolab.records.record_files import check_games_file, write_games

    out = Output(json)
    start = board.set_up(position, first, seed)
    if save is not None:
        check_games_file(save, start.game)
    opponent = default_opponent(start.game, level) if white is None else white
    if white is not None and level is not None:
        raise UsageError("--level is for the default opponent: leave out --white, or --level")
    session = GameSession(start, (black, opponent), stream(seed))
    TerminalGame(out, session).play()
    if save is not None:
        write_games(save, [session.recorded])
        out.note(f"the game was written to {save}")
