"""zerolab bench: speed, ours and that of other programs."""

from pathlib import Path
from typing import Annotated, Literal

import tyro

from zerolab.errors import UsageError
from zerolab.interfaces.views.output import Output

PAGES = 20  # that are open at once for zerolab bench web


def bench(
    what: Annotated[
        Literal[
            "playouts",
            "search",
            "solver",
            "inference",
            "selfplay",
            "staged",
            "online",
            "learning",
            "checkpoints",
            "records",
            "ray",
            "cold",
            "web",
        ],
        tyro.conf.Positional,
    ],
    peers: bool = False,
    seconds: float | None = None,
    alpha_zero_general: Annotated[Path | None, tyro.conf.arg(metavar="CHECKOUT")] = None,
    alpha_zero_general_python: Annotated[Path | None, tyro.conf.arg(metavar="PYTHON")] = None,
    buffer: int | None = None,
    clicks: int | None = None,
    plot: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None,
    json: bool = False,
) -> None:
    """Measure speed on one core, ours and, with --peers, that of other programs in the same run.

    Example: zerolab bench playouts --peers

    Args:
        what: playouts: random games to the end. search: simulations of UCT and of batched PUCT.
            solver: Clobber boards solved, on one and two threads, and without each method.
            inference: positions evaluated by networks, PyTorch beside ONNX Runtime and 8 bits.
            selfplay: self-play with the learner paused, beside its network alone.
            staged: self-play of the loop of wang on Othello 6x6, and the seconds of its stages.
            online: games played and learnt by small networks (damhuis), beside PyTorch.
            learning: positions learnt on all cores, alone and beside busy programs.
            checkpoints: bytes and seconds of a step's checkpoint, and of opening a run.
            records: positions of packed games, with planes and symmetries, on all cores.
            ray: self-play by actors on a cluster of this machine and by processes, in turns; what
            weights, games and learning cost the learner; a forecast for many actors.
            cold: the first use of each command, which compiles, and the second.
            web: clicks on the page until they are answered, in a browser, while a run trains and
            searches run; then with 20 pages; then what is left. Needs Playwright and Chromium.
        peers: Measure other programs too: OpenSpiel driven from Python, and its C++ search; for
            the solver MCGS, if it is on the PATH; for selfplay OpenSpiel's Python AlphaZero,
            which needs jax and flax. For inference and online PyTorch is always measured, for
            records plain Python.
        alpha_zero_general: For staged: a directory with the repository of that name, which is
            measured too.
        alpha_zero_general_python: The interpreter that runs it: it needs PyTorch, tqdm and NumPy
            below 2. Default the interpreter of zerolab.
        seconds: How long to measure each (2, for inference 0.5, for selfplay, staged and learning
            4, and 15 times that for the peer of selfplay; for ray 30); for the solver, how long to
            wait for MCGS (60).
        buffer: For checkpoints: positions in the buffer of the large run (524288, which takes up
            to 6 GB of memory).
        clicks: For web: clicks of each kind (100).
        plot: Plot the cost of a simulation against the size of the tree (search), or speed against
            batch size (inference), to this file, .png or .svg.
        json: Print one JSON object and nothing else.
    """
    if seconds is not None and not 0 < seconds <= 600:
        raise UsageError(f"--seconds {seconds} is not possible; expected more than 0, at most 600")
    if what != "staged" and (alpha_zero_general or alpha_zero_general_python):
        raise UsageError("--alpha-zero-general is for zerolab bench staged")
    if what == "staged" and alpha_zero_general is None and (peers or alpha_zero_general_python):
        raise UsageError("the peer of staged is --alpha-zero-general CHECKOUT, which is not given")
    if buffer is not None and (what != "checkpoints" or buffer < 4):
        raise UsageError("--buffer is for zerolab bench checkpoints; expected 4 positions or more")
    if clicks is not None and (what != "web" or not 1 <= clicks <= 10_000):
        raise UsageError("--clicks is for zerolab bench web; expected 1 to 10000")
    from zerolab.interfaces.views import game_speed_view as games
    from zerolab.interfaces.views import network_speed_view as networks
    from zerolab.interfaces.views import page_speed_view as page
    from zerolab.interfaces.views.cluster_speed_view import show_ray_speed

    out = Output(json)
    if what == "playouts":
        games.show_playouts(out, peers, seconds or 2.0)
    elif what == "search":
        games.show_search_speed(out, peers, seconds or 2.0, plot)
    elif what == "solver":
        games.show_solver_speed(out, peers, seconds or 60.0)
    elif what == "cold":
        games.show_cold_starts(out)
    elif what == "inference":
        networks.show_inference_speed(out, seconds or 0.5, plot)
    elif what == "selfplay":
        networks.show_selfplay_speed(out, peers, seconds or 4.0)
    elif what == "staged":
        networks.show_staged_speed(
            out, alpha_zero_general, alpha_zero_general_python, seconds or 4.0
        )
    elif what == "records":
        games.show_records_speed(out, seconds or 2.0)
    elif what == "online":
        networks.show_online_speed(out, seconds or 2.0)
    elif what == "web":
        page.show_page_speed(out, clicks or 100, PAGES)
    elif what == "ray":
        show_ray_speed(out, seconds or 30.0)
    elif what == "checkpoints":
        networks.show_checkpoint_cost(out, buffer)
    else:
        networks.show_learning_speed(out, seconds or 4.0)
