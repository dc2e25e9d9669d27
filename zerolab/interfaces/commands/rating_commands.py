"""Commands that find out how strong players are: against each other, beside perfect play.

As in game_commands.py, imports stand inside the functions.
"""

from pathlib import Path
from typing import Annotated

import tyro

from zerolab.errors import UsageError
from zerolab.interfaces.commands.arguments import (
    Count,
    GameName,
    OptionalCount,
    Options,
    Seed,
    Size,
    at_least,
)
from zerolab.interfaces.views.output import Output


def tournament(
    game: GameName,
    size: Size = None,
    options: Options = (),
    players: Annotated[tuple[str, ...], tyro.conf.arg(metavar="PLAYER PLAYER ...")] = (),
    rounds: Count = 20,
    gauntlet: bool = False,
    opening: Annotated[int, at_least(0)] = 2,
    results: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None,
    anchor: Annotated[str | None, tyro.conf.arg(metavar="PLAYER")] = None,
    plot: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None,
    seed: Seed = 0,
    json: bool = False,
) -> None:
    """Let players meet in pairs of games, on all cores, and rate them: Elo with errors.

    Example, which takes less than a minute: zerolab tournament clobber --size 5x5
    --players random mc:20 mcts:30 mcts:100 mcts:300 --rounds 20 --anchor random --plot elo.png

    Args:
        game: A game (see zerolab games) or a file of rules, such as mygame.py.
        size: Size of the board.
        options: Other parameters of the game, such as variant=cannibal.
        players: Who plays: random, mcts:100, az:runs/demo@100, ... (see zerolab games).
        rounds: Pairs of games in each pairing; a pair is an opening played with both colours.
        gauntlet: The first player against all others, instead of everyone against everyone.
        opening: Random moves that begin each pair, the same in all pairings.
        results: Keep the games in this file. If it is there, what is missing is played: after
            Ctrl-C or kill -9, with more rounds or more players.
        anchor: The player whose Elo is 0; without one the mean is.
        plot: Draw Elo, cross table, and Elo against thinking time, .png, .svg or .pdf.
        seed: The same seed gives the same games, on any number of cores, unless players are limited
            by time or by what a solver has in its table.
        json: Print one JSON object and nothing else.
    """
    from zerolab.evaluation.matches.tournaments import Event
    from zerolab.games.catalogue import make_game
    from zerolab.interfaces.views.tournament_view import show_tournament

    record = make_game(game, size, options)
    event = Event(record, players, rounds, gauntlet, opening, seed)
    show_tournament(Output(json), event, results, anchor, plot)


def exam(
    game: GameName,
    size: Size = None,
    options: Options = (),
    players: Annotated[tuple[str, ...], tyro.conf.arg(metavar="PLAYER ...")] = (),
    positions: Count = 300,
    games: Count = 20,
    nodes: Count = 1_000_000,
    plot: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None,
    seed: Seed = 0,
    json: bool = False,
) -> None:
    """Examine players by perfect play: moves that keep the value, regret, signs of values.

    Example, which takes less than a minute: zerolab exam clobber --size 4x4
    --players random mcts:100 mcts:1000 solver --plot exam.png

    Args:
        game: A game (see zerolab games) or a file of rules, such as mygame.py.
        size: Size of the board; a small one, for the solver has to settle its positions.
        options: Other parameters of the game, such as variant=cannibal.
        players: Who is examined: random, mcts:100, az:runs/demo@100, ... (see zerolab games).
        positions: Positions of random games in which one move keeps the value and another does
            not, and as many to judge values by.
        games: Games of each player against itself, after two random moves.
        nodes: What the solver may spend on a position. Those that take more are skipped and
            counted.
        plot: Draw shares and regret by stage of the game, .png, .svg or .pdf.
        seed: The same seed gives the same positions and games.
        json: Print one JSON object and nothing else.
    """
    from zerolab.evaluation.perfect.judge import Judge
    from zerolab.games.catalogue import make_game
    from zerolab.interfaces.views.exam_view import show_exam

    record = make_game(game, size, options)
    show_exam(Output(json), record, players, (positions, games), Judge(record, nodes), seed, plot)


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
    """Rate the checkpoints of a run: training Elo beside tournament Elo, one table, one plot.

    Training Elo adds up what each checkpoint gains on the one before it. Tournament Elo is from
    everyone against everyone, and the one to trust.

    Examples: zerolab elo runs/demo; zerolab elo runs/demo --net --checkpoints 20 --rounds 50

    Args:
        run: Directory of a run, of either loop.
        simulations: Of the search before each move (100).
        net: The networks play alone, without search.
        checkpoints: Take up to so many, spread evenly, the first and the last among them.
        rounds: Pairs of games in each pairing; a pair is an opening played with both colours.
        opening: Random moves that begin each pair, the same in all pairings.
        results: Keep the games in this file (elo.jsonl in the directory of the run). What is in it
            is not played again: after Ctrl-C or kill -9, with more rounds, when the run went on.
        plot: A file (.png, .svg or .pdf), or a directory for elo.png and elo.svg; the run's, if
            none is named.
        game: The file of rules, if the game is not one of zerolab's.
        size: Another size of the board, for networks that serve any.
        options: Other parameters of the game, if size is given.
        seed: The same seed gives the same games, on any number of cores.
        json: Print one JSON object and nothing else.
    """
    from zerolab.evaluation.matches.tournaments import Event
    from zerolab.evaluation.ratings.progress_elo import game_of, name_players, pick_steps
    from zerolab.interfaces.plots.run_plots import plot_files
    from zerolab.interfaces.views.elo_view import RESULTS, show_elo

    if net and simulations is not None:
        raise UsageError("--net plays without search: leave out --simulations")
    steps = pick_steps(run, checkpoints)
    players = name_players(run, steps, None if net else simulations or 100)
    record = game_of(run, game, size, options)
    event = Event(record, tuple(players.values()), rounds, opening=opening, seed=seed)
    plots = plot_files(plot, run, "elo")
    show_elo(Output(json), run, players, event, results or run / RESULTS, plots)
