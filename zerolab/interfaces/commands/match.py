"""zerolab match: many games between two players."""

from typing import Annotated

import tyro

from zerolab.errors import UsageError
from zerolab.interfaces.commands.arguments import (
    GameArguments,
    OptionalCount,
    PlayerName,
    SaveFile,
    Seed,
    at_least,
)
from zerolab.interfaces.views.output import Output


def match(
    board: GameArguments,
    black: PlayerName = "random",
    white: PlayerName = "random",
    games: OptionalCount = None,
    pairs: OptionalCount = None,
    opening: Annotated[int | None, at_least(0)] = None,
    sprt: Annotated[tuple[float, float] | None, tyro.conf.arg(metavar="ELO0 ELO1")] = None,
    save: SaveFile = None,
    seed: Seed = 0,
    json: bool = False,
) -> None:
    """Play many games between two players, on all cores.

    Example: zerolab match clobber --size 6x6 --black first --white random --games 100000 --seed 1

    Example: zerolab match clobber --size 5x5 --black mcts:40 --white mcts:20 --pairs 99 --sprt 0 50

    Args:
        black: Who moves first: random, mcts:1000, az:runs/demo@100, ... (see zerolab games).
        white: Who moves second.
        games: Number of games with these colours (1000).
        pairs: Play N openings instead, each with both colours, and report the lead in Elo.
        opening: Random moves that begin each pair (2) or, with --games, each game (0).
        sprt: Stop as soon as it is clear whether black's lead is ELO0 or ELO1 (sequential
            probability ratio test, 5 % error either way); with --pairs.
        save: Write the games to this file as SGF: .sgf, .sgfl (a game on each line), also .xz.
        seed: The same seed gives the same games, on any number of cores, unless players are limited
            by time or depend on a solver's table.
        json: Print one JSON object and nothing else.
    """
    from zerolab.interfaces.views.results.match_view import Match, show_match

    out = Output(json)
    record = board.make()
    if pairs is not None:
        from zerolab.evaluation.matches.duel import Duel
        from zerolab.games.playing.openings import PLIES
        from zerolab.interfaces.views.results.pairs_view import show_pairs

        if games is not None:
            raise UsageError("--pairs N plays 2 N games: leave out --games")
        opening = PLIES if opening is None else opening
        show_pairs(out, Duel(record, (black, white), pairs, opening, seed), sprt, save)
        return
    if sprt is not None:
        raise UsageError("--sprt needs --pairs N, the maximal number of pairs")
    count = 1000 if games is None else games
    show_match(out, Match(record, (black, white), count, opening or 0, seed), save)
