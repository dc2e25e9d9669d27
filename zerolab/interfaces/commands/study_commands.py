"""Commands that put our numbers beside those of others: papers, programs.

As in game_commands.py, imports stand inside the functions.
"""

from pathlib import Path
from typing import Annotated, Literal

import tyro

from zerolab.errors import UsageError
from zerolab.interfaces.commands.arguments import Seed
from zerolab.interfaces.views.output import Output


def study(
    name: Annotated[str | None, tyro.conf.Positional, tyro.conf.arg(metavar="NAME")] = None,
    list: bool = False,
    scale: Literal["quick", "full"] = "quick",
    seed: Seed = 1,
    results: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None,
    page: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None,
    json: bool = False,
) -> None:
    """Reproduce a table of a paper: its numbers, ours, and whether they agree.

    Examples: zerolab study damhuis-5.1 --scale full;
    zerolab study damhuis-5.4 --page report.md

    Args:
        name: Which one; --list shows them.
        list: Show the studies there are.
        scale: quick takes seconds or minutes, full is as the paper did it.
        seed: The same seed gives the same numbers.
        results: The file that experiments are kept in, for studies that keep them; those that are
            there are not made again. Without it, one below runs.
        page: Write the tables to this file too (.md), pictures beside it.
        json: Print one JSON object and nothing else.
    """
    from zerolab.interfaces.views import study_view as studying

    out = Output(json)
    if list or name is None:
        studying.show_studies(out)
        if not list:
            raise UsageError("which study? Name one of those above")
        return
    studying.show_reports(out, name, scale == "full", seed, results, page)


def bench(
    what: Annotated[
        Literal[
            "playouts", "search", "solver", "inference", "selfplay", "online", "learning", "cold"
        ],
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
            learning: positions learnt on all cores, alone and with busy programs beside.
            cold: the first use of each command, which compiles, and the second.
        peers: Measure others beside ours: OpenSpiel driven from Python, and its C++ search; for
            the solver MCGS, if it is on the path. For inference and online PyTorch is always
            measured. For selfplay OpenSpiel's Python AlphaZero, which needs jax and flax.
        seconds: How long to measure each (2, for inference 0.5, for selfplay and learning 4, and
            15 times that for the peer of selfplay); for the solver, how long to wait for MCGS (60).
        plot: Draw how the cost of a simulation grows with the tree (search), or speed against batch
            size (inference), .png or .svg.
        json: Print one JSON object and nothing else.
    """
    from zerolab.interfaces.views import listing

    if seconds is not None and not 0 < seconds <= 600:
        raise UsageError(f"--seconds {seconds} is not possible; expected more than 0, at most 600")
    if what == "playouts":
        listing.show_playouts(Output(json), peers, seconds or 2.0)
    elif what == "search":
        listing.show_search_speed(Output(json), peers, seconds or 2.0, plot)
    elif what == "inference":
        from zerolab.interfaces.views import network_view as networks

        networks.show_inference_speed(Output(json), seconds or 0.5, plot)
    elif what == "selfplay":
        from zerolab.interfaces.views.speed_view import show_selfplay_speed

        show_selfplay_speed(Output(json), peers, seconds or 4.0)
    elif what == "online":
        from zerolab.interfaces.views.speed_view import show_online_speed

        show_online_speed(Output(json), seconds or 2.0)
    elif what == "learning":
        from zerolab.interfaces.views.speed_view import show_learning_speed

        show_learning_speed(Output(json), seconds or 4.0)
    elif what == "cold":
        listing.show_cold_starts(Output(json))
    else:
        listing.show_solver_speed(Output(json), peers, seconds or 60.0)
