"""What `zerolab bench` shows of networks: inference, self-play, learning."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from zerolab.interfaces.views.output import Output

if TYPE_CHECKING:
    from zerolab.benchmarks.selfplay_speed import PeerSpeed, SelfPlaySpeed


def show_inference_speed(out: Output, seconds: float, plot: Path | None) -> None:
    """Positions a second by network and batch size."""
    from zerolab.benchmarks.inference_speed import BATCHES, NETWORKS, bench_inference
    from zerolab.interfaces.plots.figures import check_plot_path, plot_inference

    if plot is not None:
        check_plot_path(plot)
    with out.progress("networks", len(NETWORKS) * len(BATCHES), "measured") as advance_to:
        bench = bench_inference(seconds, lambda done, total: advance_to(done))
    out.table(
        "Clobber 5x5, one core: positions a second",
        (
            *("network", "batch", "PyTorch", "ONNX RT", "ratio"),
            *("of peak", "8 bits", "ratio"),
        ),
        [
            (
                *(speed.network, f"{speed.batch}", f"{speed.torch:,.0f}", f"{speed.onnx:,.0f}"),
                *(f"{speed.onnx / speed.torch:.1f}x", f"{bench.share(speed):.0%}"),
                *(f"{speed.int8:,.0f}", f"{speed.int8 / speed.onnx:.1f}x"),
            )
            for speed in bench.speeds
        ],
        f"PyTorch eager; ONNX RT: ONNX Runtime, its ratio to PyTorch, and its share of the peak, "
        f"{bench.peak / 1e9:.1f} billion multiply-adds a second of a matrix product; ONNX Runtime "
        f"in 8 bits, and its ratio to that in floating point",
    )
    out.table(
        "New weights, and what 8 bits change",
        ("network", "ms until new weights work", "policy (total variation)", "value"),
        [
            (name, f"{milliseconds:.1f}", *_changes(bench.changes.get(name)))
            for name, milliseconds in bench.refresh.items()
        ],
        "networks with random weights; zerolab study architectures has trained ones",
    )
    if plot is not None:
        plot_inference(bench, plot)
        out.note(f"plotted to {plot}")
    out.result(
        {
            "ratios": {
                f"{speed.network}, batch {speed.batch}": speed.onnx / speed.torch
                for speed in bench.speeds
            },
            "peak": bench.peak,
            "speeds": [
                speed._asdict() | {"share_of_peak": bench.share(speed)} for speed in bench.speeds
            ],
            "refresh_milliseconds": bench.refresh,
            "changes_by_int8": {
                name: {"policy": policy, "value": value}
                for name, (policy, value) in bench.changes.items()
            },
        }
    )


def _changes(change: tuple[float, float] | None) -> tuple[str, str]:
    return ("-", "-") if change is None else (f"{change[0]:.4f}", f"{change[1]:.4f}")


def show_selfplay_speed(out: Output, peers: bool, seconds: float) -> None:
    """Self-play beside its network alone, and beside OpenSpiel."""
    from zerolab.benchmarks.selfplay_speed import GAME, bench_selfplay
    from zerolab.games.catalogue import describe

    with out.progress("self-play", None, "measured") as advance_to:
        bench = bench_selfplay(peers, seconds, lambda done, total: advance_to(done))
    out.table(
        f"Self-play of {describe(GAME)}, one core, the learner paused; per second",
        (*("settings", "games", "rated", "alone", "share", "states", "hits"),),
        [_row(speed) for speed in bench.speeds],
        "games: at once; rated: positions, by self-play; alone: by the network, at the batches of "
        "self-play; share: of these; hits: of the cache; networks have random weights",
    )
    if bench.peer is not None:
        out.table(
            f"States a second, one core; {bench.peer.name}: {bench.peer.states:.3f}",
            ("settings", "zerolab", "ratio"),
            [
                (name, f"{states:,.1f}", f"{states / bench.peer.states:.0f}x")
                for name, states in bench.peer.ours.items()
            ],
            f"from {bench.peer.moves} whole moves of the peer with the settings of jans, in turn "
            "with ours",
        )
        if bench.peer.is_stand_in:
            out.note(
                "OpenSpiel's own network needs JAX, which is not installed; to measure it: "
                "pip install jax flax optax orbax-checkpoint chex"
            )
    out.result(
        {
            "ratios": {} if bench.peer is None else _ratios(bench.peer),
            "limits": {
                f"{speed.name}, {speed.batch} games at once": speed.share for speed in bench.speeds
            },
            "speeds": [speed._asdict() | {"share": speed.share} for speed in bench.speeds],
            "peer": None
            if bench.peer is None
            else bench.peer._asdict() | {"is_stand_in": bench.peer.is_stand_in},
        }
    )


def _row(speed: "SelfPlaySpeed") -> tuple[str, ...]:
    return (
        *(speed.name, f"{speed.batch}", f"{speed.evaluations:,.0f}", f"{speed.raw:,.0f}"),
        *(f"{speed.share:.0%}", f"{speed.states:,.0f}", f"{speed.hit_rate:.0%}"),
    )


def _ratios(peer: "PeerSpeed") -> dict[str, float]:
    whom = "a stand-in for OpenSpiel" if peer.is_stand_in else "OpenSpiel"
    return {
        f"states per second against {whom}, {name}": states / peer.states
        for name, states in peer.ours.items()
    }


def show_staged_speed(
    out: Output, checkout: Path | None, python: Path | None, seconds: float
) -> None:
    """The staged loop, beside alpha-zero-general if there is a checkout of it."""
    from zerolab.benchmarks.staged_speed import GAME, SMALL, PeerCommand, bench_staged
    from zerolab.games.catalogue import describe

    command = None
    if checkout is not None:
        command = PeerCommand(checkout, python or Path(sys.executable))
    with out.progress("the staged loop", None, "measured") as advance_to:
        speeds = bench_staged(command, seconds, lambda done, total: advance_to(done))
    out.table(
        f"Simulations a second of self-play, {describe(GAME)}, network of wang, one core",
        ("channels", "zerolab", "hits", "8 bits", "alpha-zero-general", "ratio", "8 bits"),
        [
            (
                *(f"{speed.channels}", f"{speed.simulations:,.0f}", f"{speed.hit_rate:.0%}"),
                f"{speed.rounded:,.0f}",
                "-" if speed.peer is None else f"{speed.peer:,.0f}",
                *(
                    "-" if each is None else f"{each:.1f}"
                    for each in (speed.ratio, speed.rounded_ratio)
                ),
            )
            for speed in speeds
        ],
        "hits: of the cache; 8 bits: the same network rounded (int8=true); by turns in one run; "
        "processor time; networks have random weights",
    )
    out.table(
        f"Seconds of each stage: {SMALL.episodes} games, {SMALL.search.max_simulations} "
        f"simulations a move, epochs: {SMALL.epochs}, an arena of {SMALL.arena_games} games",
        ("channels", "cores", *speeds[0].one_core),
        [
            (f"{speed.channels}", cores, *(f"{each:.1f}" for each in seconds.values()))
            for speed in speeds
            for cores, seconds in (("one", speed.one_core), ("all", speed.all_cores))
        ],
    )
    out.result(
        {
            "ratios": {
                f"simulations per second against alpha-zero-general, {speed.channels} channels"
                f"{form}": ratio
                for speed in speeds
                for form, ratio in (("", speed.ratio), (", 8 bits", speed.rounded_ratio))
                if ratio is not None
            },
            "speeds": [speed._asdict() for speed in speeds],
        }
    )


def show_learning_speed(out: Output, seconds: float) -> None:
    """Learning alone and beside busy programs, by how PyTorch's threads wait for each other."""
    from zerolab.benchmarks.learning.kept_memory_speed import bench_kept_memory
    from zerolab.benchmarks.learning.learning_speed import BRIEFLY, LONG, bench_learning
    from zerolab.benchmarks.learning.precision_speed import bench_precision

    with out.progress("learning", None, "measured") as advance_to:
        others, speeds = bench_learning(seconds, lambda done, total: advance_to(done))
    with out.progress("memory", None, "rounds") as advance_to:
        memory = bench_kept_memory(seconds, lambda done, total: advance_to(done))
    with out.progress("precision", None, "networks") as advance_to:
        precision = bench_precision(seconds, lambda done, total: advance_to(done))
    out.table(
        f"Positions learnt a second, Othello 6x6, all cores; busy: {others} processes beside",
        ("threads", "idle", "busy", "kept"),
        [
            (speed.name, f"{speed.idle:,.0f}", f"{speed.busy:,.0f}", f"{speed.kept:.0%}")
            for speed in speeds
        ],
        f"what threads do that wait for others; {BRIEFLY}: in zerolab; {LONG}: PyTorch by itself",
    )
    out.table(
        "Positions learnt a second of processor time, Go 9x9, one core, bfloat16",
        ("network", "memory kept", "memory returned", "ratio"),
        [
            (each.network, f"{each.kept:,.0f}", f"{each.returned:,.0f}", f"{each.ratio:.2f}")
            for each in memory
        ],
        "kept: zerolab keeps what a batch frees for the next one; returned: PyTorch by itself",
    )
    out.table(
        "Positions learnt a second, Clobber, one core",
        ("preset", "float32", "bfloat16", "ratio"),
        [
            (each.preset, f"{each.full:,.0f}", f"{each.half:,.0f}", f"{each.ratio:.2f}")
            for each in precision
        ],
        "the setting `precision`",
    )
    ours, theirs = (
        next(speed for speed in speeds if speed.name == name) for name in (BRIEFLY, LONG)
    )
    further = {f"memory kept, {each.network}": each.ratio for each in memory}
    further |= {f"bfloat16, {each.preset}": each.ratio for each in precision}
    out.result(
        {
            "ratios": {"idle": ours.idle / theirs.idle, "busy": ours.busy / theirs.busy} | further,
            "busy_processes": others,
            "positions_per_second": {speed.name: speed._asdict() for speed in speeds},
        }
    )


def show_online_speed(out: Output, seconds: float) -> None:
    """Small networks that learn after each game, beside PyTorch."""
    from zerolab.benchmarks.learning.online_speed import bench_online

    with out.progress("learning online", None, "boards") as advance_to:
        speeds = bench_online(seconds, lambda done, total: advance_to(done))
    out.table(
        "Games against Random played and learnt a second, one core",
        ("board and network", "zerolab", "PyTorch", "ratio"),
        [
            (speed.name, f"{speed.ours:,.0f}", f"{speed.peer:,.0f}", f"{speed.ratio:,.0f}x")
            for speed in speeds
        ],
        "the same learner with PyTorch modules: moves rated in one batch, boards learnt one by one",
    )
    out.result(
        {
            "ratios": {speed.name: speed.ratio for speed in speeds},
            "games_per_second": {speed.name: speed._asdict() for speed in speeds},
        }
    )


def show_checkpoint_cost(out: Output, buffer: int | None) -> None:
    """What checkpoints cost, beside files of the whole buffer and the limit of the machine."""
    from zerolab.benchmarks.learning.checkpoint_speed import LARGE_BUFFER, bench_checkpoints

    with out.progress("checkpoints", None, "runs") as advance_to:
        costs = bench_checkpoints(buffer or LARGE_BUFFER, lambda done, total: advance_to(done))
    out.table(
        "Checkpoints of a run with a full buffer: a step, and opening the run",
        ("run", "positions", "checkpoint", "MB", "s", "opening, s"),
        [
            (
                cost.game,
                f"{cost.buffer:,}",
                name,
                f"{size / 1e6:,.2f}",
                f"{save:.3f}",
                f"{read:.3f}",
            )
            for cost in costs
            for name, size, save, read in (
                ("zerolab", cost.step_bytes, cost.save, cost.open),
                ("whole buffer", cost.whole_bytes, cost.save_whole, cost.open_whole),
                ("limit", cost.step_bytes, cost.save_limit, cost.open_limit),
            )
        ],
        "MB: written in a step; whole buffer: network and samples in one file; limit: the bytes of "
        "zerolab written or read, and the memory of the buffer filled, without looking at them",
    )
    out.result(
        {
            "ratios": {
                f"{cost.game}, {name}": ratio
                for cost in costs
                for name, ratio in cost.ratios.items()
            },
            "costs": [cost._asdict() for cost in costs],
        }
    )
