"""zerolab elo: the checkpoints of a run, rated."""

from pathlib import Path
from typing import Annotated

import tyro

from zerolab.errors import UsageError
from zerolab.interfaces.commands.arguments import (
    Count,
    OptionalCount,
    Options,
    Seed,
    Size,
    at_least,
)
from zerolab.interfaces.views.output import Output


def elo(
    run: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="RUN")],
    simulations: OptionalCount = None,
    net: bool = False,
    checkpoints: Annotated[int, at_least(2)] = 10,
    rounds: Count = 20,
    opening: Annotated[int, at_least(0)] = 2,
    results: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None,
    plot: Annotated[Path | None, tyro.conf.arg(metavar="PATH")] = None,
    game: Annotated[str | None, tyro.conf.arg(metavar="GAME")] = None,
    size: Size = None,
    options: Options = (),
    seed: Seed = 0,
    json: bool = False,
) -> None:
    """Rate the checkpoints of a run by training Elo and tournament Elo, in one table and one plot.

    Training Elo adds up what each checkpoint gains on its predecessor. Tournament Elo comes from a
    tournament of everyone against everyone, and is the one to trust.

    Examples: zerolab elo runs/demo; zerolab elo runs/demo --net --checkpoints 20 --rounds 50

    Args:
        run: Directory of a run, of either loop.
        simulations: Simulations per move (100).
        net: The networks play alone, without search.
        checkpoints: Use at most N, evenly spread, including the first and the last.
        rounds: Pairs of games in each pairing; a pair is an opening played with both colours.
        opening: Random moves that begin each pair, the same in all pairings.
        results: Keep the games in this file (default elo.jsonl in the directory of the run). Its
            games are not played again: after Ctrl-C or kill -9, with more rounds or checkpoints.
        plot: A file (.png, .svg or .pdf), or a directory for elo.png and elo.svg; default the
            directory of the run.
        game: The file of rules, if the game is not one of zerolab's.
        size: Another size of the board, for networks that fit any size.
        options: Other parameters of the game, if size is given.
        seed: The same seed gives the same games, on any number of cores.
        json: Print one JSON object and nothing else.
    """
    from zerolab.evaluation.matches.tournaments import Event
    from zerolab.evaluation.ratings.progress_elo import game_of, name_players, pick_steps
    from zerolab.interfaces.plots.run_plots import plot_files
    from zerolab.interfaces.views.results.elo_view import RESULTS, show_elo

    if net and simulations is not None:
        raise UsageError("--net plays without search: leave out --simulations")
    steps = pick_steps(run, checkpoints)
    players = name_players(run, steps, None if net else simulations or 100)
    record = game_of(run, game, size, options)
    event = Event(record, tuple(players.values()), rounds, opening=opening, seed=seed)
    plots = plot_files(plot, run, "elo")
    show_elo(Output(json), run, players, event, results or run / RESULTS, plots)
