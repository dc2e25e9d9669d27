"""zerolab tournament: games between several players, and their ratings."""

from pathlib import Path
from typing import Annotated

import tyro

from zerolab.interfaces.commands.arguments import (
    Address,
    Count,
    EngineOption,
    GameArguments,
    SaveFile,
    Seed,
    at_least,
)
from zerolab.interfaces.views.output import Output


def tournament(
    board: GameArguments,
    players: Annotated[tuple[str, ...], tyro.conf.arg(metavar="PLAYER PLAYER ...")] = (),
    rounds: Count = 20,
    gauntlet: bool = False,
    opening: Annotated[int, at_least(0)] = 2,
    results: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None,
    anchor: Annotated[str | None, tyro.conf.arg(metavar="PLAYER")] = None,
    plot: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None,
    save: SaveFile = None,
    engine: EngineOption = "local",
    address: Address = None,
    seed: Seed = 0,
    json: bool = False,
) -> None:
    """Play pairs of games between players, on all cores, and rate them in Elo with errors.

    Example, which takes less than a minute: zerolab tournament clobber --size 5x5
    --players random mc:20 mcts:30 mcts:100 mcts:300 --rounds 20 --anchor random --plot elo.png

    Args:
        players: Who plays: random, mcts:100, az:runs/demo@100, ... (see zerolab games).
        rounds: Pairs of games in each pairing; a pair is an opening played with both colours.
        gauntlet: The first player against all others, instead of everyone against everyone.
        opening: Random moves that begin each pair, the same in all pairings.
        results: Keep the games in this file. If it exists, only missing games are played: after
            Ctrl-C or kill -9, with more rounds or more players.
        anchor: The player whose Elo is 0; without it the mean Elo is 0.
        plot: Plot Elo, cross table, and Elo against thinking time to this file, .png, .svg or .pdf.
        save: Write the games to this file as SGF: .sgf, .sgfl (a game on each line), also .xz.
        engine: Where games are played: local, on this machine; ray, on a cluster, whose machines
            must find the files of players under the same names.
        address: Of the cluster of Ray that this machine is part of, such as auto; without it
            --engine ray uses this machine alone.
        seed: The same seed gives the same games, on any number of cores, unless players are limited
            by time or depend on a solver's table.
        json: Print one JSON object and nothing else.
    """
    from zerolab.evaluation.matches.tournaments import Event
    from zerolab.experiments.engines.engine import EngineChoice
    from zerolab.interfaces.views.results.tournament_view import show_tournament

    where = EngineChoice(engine, address)
    where.check()
    record = board.make()
    event = Event(record, players, rounds, gauntlet, opening, seed)
    show_tournament(Output(json), event, results, anchor, plot, save, where)
