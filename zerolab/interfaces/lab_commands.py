"""The commands of the laboratory, one function each: train, plot, look at networks, study,
measure.

As in commands.py, imports stand inside the functions.
"""

from pathlib import Path
from typing import Annotated, Literal

import tyro

from zerolab.errors import UsageError
from zerolab.interfaces.arguments import (
    Count,
    GameName,
    OptionalCount,
    Options,
    Seed,
    Size,
    at_least,
)
from zerolab.interfaces.output import Output


def train(
    game: GameName,
    size: Size = None,
    options: Options = (),
    run: Annotated[Path, tyro.conf.arg(metavar="DIRECTORY")] = Path("runs/last"),
    minutes: float | None = None,
    steps: OptionalCount = None,
    resume: bool = False,
    preset: Literal["zerolab", "jans", "wang"] | None = None,
    set: Annotated[tuple[str, ...], tyro.conf.arg(metavar="KEY=VALUE")] = (),
    games: Annotated[int, at_least(0)] = 50,
    tensorboard: bool = False,
    seed: Seed = 0,
    json: bool = False,
) -> None:
    """Train a network from nothing by self-play, then let it climb the ladder of jans.

    Examples: zerolab train clobber --size 4x4 --run runs/demo --minutes 2;
    zerolab train clobber --size 5x5 --run runs/jans --preset jans --set max_simulations=50

    Args:
        game: A game (see zerolab games) or a file of rules, such as mygame.py.
        size: Size of the board.
        options: Other parameters of the game, such as variant=cannibal.
        run: Where the run is kept: settings, log, checkpoints, networks.
        minutes: How long the run takes in all; without it and --steps, until Ctrl-C.
        steps: How many steps of learning, or iterations of the staged loop.
        resume: Go on with the run that is there.
        preset: Our settings (zerolab, if none is named), those of jans, or the staged loop of wang:
            self-play, training and arena in turn.
        set: Settings that differ from the preset, such as learning_rate=0.01.
        games: Games against each level of the ladder at the end; 0 for none, and no exam either.
            The staged loop has no ladder.
        tensorboard: Write event files for TensorBoard into the directory events of the run.
        seed: The same seed gives the same run with --steps and --set actors=0 evaluators=0.
        json: Print one JSON object and nothing else.
    """
    from zerolab.games.catalogue import make_game
    from zerolab.interfaces.staged import show_staged
    from zerolab.interfaces.training import show_training
    from zerolab.training.loop import Limits
    from zerolab.training.run import STAGED, loop_of

    if minutes is not None and not 0 < minutes <= 60 * 24 * 365:
        raise UsageError(f"--minutes {minutes} is not possible; expected more than 0, up to a year")
    limits = Limits(None if minutes is None else 60 * minutes, steps)
    record = make_game(game, size, options)
    if resume and (preset is not None or set):
        raise UsageError("--resume goes on with the settings of the run: no --preset, no --set")
    if preset == "wang" or (resume and loop_of(run) == STAGED):
        if tensorboard:
            raise UsageError("--tensorboard is for the continuous loop, not for that of wang")
        show_staged(Output(json), record, run, limits, resume, set, seed)
    else:
        how = preset, set, seed, games, tensorboard
        show_training(Output(json), record, run, limits, resume, *how)


def plot(
    runs: Annotated[tuple[Path, ...], tyro.conf.Positional, tyro.conf.arg(metavar="RUN [RUN ...]")],
    x: Literal["step", "time", "states"] = "step",
    out: Annotated[Path | None, tyro.conf.arg(metavar="PATH")] = None,
    json: bool = False,
) -> None:
    """Draw how training went: losses, strength, values, games, speed. Several runs are overlaid.

    Examples: zerolab plot runs/demo; zerolab plot runs/one runs/two --x time --out both.png

    Args:
        runs: Directories of runs, ours or OpenSpiel's.
        x: Against steps of learning, minutes, or states played.
        out: A file (.png, .svg or .pdf), or a directory for plots.png and plots.svg; the first
            run's, if none is named.
        json: Print one JSON object and nothing else.
    """
    from zerolab.interfaces.run_plots import show_plots

    if not runs:
        raise UsageError("which run? Name its directory, such as runs/demo")
    show_plots(Output(json), runs, x, out)


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
    from zerolab.evaluation.tournament import Event
    from zerolab.games.catalogue import make_game
    from zerolab.interfaces.tournament import show_tournament

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
    from zerolab.evaluation.judge import Judge
    from zerolab.games.catalogue import make_game
    from zerolab.interfaces.exam import show_exam

    record = make_game(game, size, options)
    show_exam(Output(json), record, players, (positions, games), Judge(record, nodes), seed, plot)


def network(
    name: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="NAME")],
    game: Annotated[str, tyro.conf.arg(metavar="GAME")] = "clobber",
    size: Size = None,
    options: Options = (),
    width: OptionalCount = None,
    depth: OptionalCount = None,
    encoding: Literal["colours", "own", "components"] = "own",
    save: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None,
    seed: Seed = 0,
    json: bool = False,
) -> None:
    """Show what a network consists of: layers, parameters, multiply-adds for a position.

    Examples: zerolab network resnet --size 5x5 --width 64 --depth 6;
    zerolab network mobile.small.conv.bin --game go --size 19x19

    Args:
        name: mlp, conv2d, resnet (jans); wang; a0.small, mobile.small, a0.20, mobile.conv.bin.40
            and others of cazenave; .val4 after conv.bin makes the value loss count four times.
        game: A game (see zerolab games), a file of rules, or go, with the 21 planes of cazenave.
        size: Size of the board.
        options: Other parameters of the game, such as variant=cannibal.
        width: Channels instead of the paper's, or units of an mlp.
        depth: Blocks instead of the paper's.
        encoding: What the network sees: black and white stones, own stones and the opponent's, or
            (Clobber) these and who wins small components.
        save: Write the network, with random weights, to this file (.safetensors).
        seed: The same seed gives the same weights.
        json: Print one JSON object and nothing else.
    """
    from zerolab.interfaces import networks

    board = game, size, options
    networks.show_network(Output(json), name, (width, depth), board, encoding, save, seed)


def export(
    network: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="NETWORK")],
    model: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="MODEL")],
    game: Annotated[str | None, tyro.conf.arg(metavar="GAME")] = None,
    size: Size = None,
    options: Options = (),
    json: bool = False,
) -> None:
    """Write a network as an ONNX model, which other programs can use without zerolab.

    Examples: zerolab export runs/demo model.onnx;
    zerolab export net.safetensors model.onnx --size 6x6

    Args:
        network: A network of zerolab (.safetensors), or the directory of a run for its last one.
        model: Where to write the model (.onnx).
        game: The file of rules, if the game is not one of zerolab's.
        size: Another size of the board, for networks that serve any.
        options: Other parameters of the game, if size or game is given.
        json: Print one JSON object and nothing else.
    """
    from zerolab.interfaces import networks

    networks.export(Output(json), network, model, game, size, options)


def study(
    name: Annotated[str | None, tyro.conf.Positional, tyro.conf.arg(metavar="NAME")] = None,
    list: bool = False,
    scale: Literal["quick", "full"] = "quick",
    seed: Seed = 1,
    json: bool = False,
) -> None:
    """Reproduce a table of a paper: its numbers, ours, and whether they agree.

    Example: zerolab study damhuis-5.1 --scale full

    Args:
        name: Which one; --list shows them.
        list: Show the studies there are.
        scale: quick takes seconds or minutes, full is as the paper did it.
        seed: The same seed gives the same numbers.
        json: Print one JSON object and nothing else.
    """
    from zerolab.interfaces import listing

    out = Output(json)
    if list or name is None:
        listing.show_studies(out)
        if not list:
            raise UsageError("which study? Name one of those above")
        return
    listing.show_report(out, name, scale == "full", seed)


def bench(
    what: Annotated[
        Literal["playouts", "search", "solver", "inference", "selfplay", "online"],
        tyro.conf.Positional,
    ],
    peers: bool = False,
    seconds: float | None = None,
    plot: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None,
    json: bool = False,
) -> None:
    """Measure speed on one core, ours and, with --peers, that of other programs in the same run.

    Example: zerolab bench playouts --peers

    Args:
        what: playouts: random games to the end. search: simulations of UCT and of batched PUCT.
            solver: Clobber boards solved, on one and two threads, and without each method.
            inference: positions rated by networks, PyTorch beside ONNX Runtime and 8 bits.
            selfplay: self-play with the learner paused, beside its network alone.
            online: games played and learnt by small networks (damhuis), beside PyTorch.
        peers: Measure others beside ours: OpenSpiel driven from Python, and its C++ search; for
            the solver MCGS, if it is on the path. For inference and online PyTorch is always
            measured. For selfplay OpenSpiel's Python AlphaZero, which needs jax and flax.
        seconds: How long to measure each (2, for inference 0.5, for selfplay 4, and 15 times that
            for its peer); for the solver, how long to wait
            for MCGS (60).
        plot: Draw how the cost of a simulation grows with the tree (search), or speed against batch
            size (inference), .png or .svg.
        json: Print one JSON object and nothing else.
    """
    from zerolab.interfaces import listing

    if seconds is not None and not 0 < seconds <= 600:
        raise UsageError(f"--seconds {seconds} is not possible; expected more than 0, at most 600")
    if what == "playouts":
        listing.show_playouts(Output(json), peers, seconds or 2.0)
    elif what == "search":
        listing.show_search_speed(Output(json), peers, seconds or 2.0, plot)
    elif what == "inference":
        from zerolab.interfaces import networks

        networks.show_inference_speed(Output(json), seconds or 0.5, plot)
    elif what == "selfplay":
        from zerolab.interfaces.selfplay_speed import show_selfplay_speed

        show_selfplay_speed(Output(json), peers, seconds or 4.0)
    elif what == "online":
        from zerolab.interfaces.selfplay_speed import show_online_speed

        show_online_speed(Output(json), seconds or 2.0)
    else:
        listing.show_solver_speed(Output(json), peers, seconds or 60.0)
