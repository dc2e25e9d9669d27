"""Commands about networks: train them, see how it went, look at them, take them elsewhere.

As in game_commands.py, imports stand inside the functions.
"""

from pathlib import Path
from typing import Annotated, Literal

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
    from zerolab.interfaces.views.staged_view import show_staged
    from zerolab.interfaces.views.train_view import show_training
    from zerolab.training.loop import Limits
    from zerolab.training.runs.run_directory import STAGED, loop_of

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


def online(
    game: GameName = "clobber",
    size: Size = None,
    options: Options = (),
    save: Annotated[Path, tyro.conf.arg(metavar="FILE")] = Path("mlp.npz"),
    games: Count = 1_000_000,
    hidden: Annotated[tuple[int, ...], tyro.conf.arg(metavar="NODES [NODES ...]")] = (20,),
    leaky: bool = False,
    alpha: float = 2e-5,
    target: float = 150.0,
    tau: float = 0.0,
    seed: Seed = 0,
    json: bool = False,
) -> None:
    """Train the small network of damhuis: it plays Random and learns after every game.

    Example, which takes seconds: zerolab online clobber --size 4x4 --save small.npz;
    then zerolab match clobber --size 4x4 --black mlp:small.npz --white mc:5

    Args:
        game: A game (see zerolab games) or a file of rules, such as mygame.py.
        size: Size of the board.
        options: Other parameters of the game, such as variant=cannibal.
        save: Where to write the network (.npz).
        games: How many games it learns from.
        hidden: Nodes of each hidden layer.
        leaky: Leaky ReLU, which does not die (but may diverge), instead of ReLU.
        alpha: Learning rate.
        target: What a won position should be worth; a lost one minus that.
        tau: By which share the learning rate grows after every position of a game.
        seed: The same seed gives the same network.
        json: Print one JSON object and nothing else.
    """
    from zerolab.games.catalogue import make_game
    from zerolab.interfaces.views.online_view import show_online
    from zerolab.networks.mlp.mlp import LEAKY_SLOPE

    settings: dict[str, object] = {
        "hidden": hidden,
        "slope": LEAKY_SLOPE if leaky else 0.0,
        "alpha": alpha,
        "target": target,
        "tau": tau,
    }
    show_online(Output(json), make_game(game, size, options), settings, games, seed, save)


def plot(
    runs: Annotated[tuple[Path, ...], tyro.conf.Positional, tyro.conf.arg(metavar="RUN [RUN ...]")],
    x: Literal["step", "time", "states"] = "step",
    out: Annotated[Path | None, tyro.conf.arg(metavar="PATH")] = None,
    graphs: Annotated[tuple[str, ...], tyro.conf.arg(metavar="TITLE ...")] = (),
    json: bool = False,
) -> None:
    """Draw how training went: losses, strength, values, games, speed. Several runs are overlaid.

    Examples: zerolab plot runs/demo; zerolab plot runs/one runs/two --x time --out both.png;
    zerolab plot runs/demo --graphs loss "evaluation returns" --out small.svg

    Args:
        runs: Directories of runs, ours or OpenSpiel's.
        x: Against steps of learning, minutes, or states played.
        out: A file (.png, .svg or .pdf), or a directory for plots.png and plots.svg; the first
            run's, if none is named.
        graphs: Only those with one of these in their titles; without it, all.
        json: Print one JSON object and nothing else.
    """
    from zerolab.interfaces.plots.run_plots import show_plots

    if not runs:
        raise UsageError("which run? Name its directory, such as runs/demo")
    show_plots(Output(json), runs, x, out, graphs)


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
    from zerolab.interfaces.views import network_view as networks

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
    from zerolab.interfaces.views import network_view as networks

    networks.export(Output(json), network, model, game, size, options)
