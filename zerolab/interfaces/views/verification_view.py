"""What `zerolab verify` shows."""

import sys
from pathlib import Path
from typing import Any, NamedTuple

from zerolab.errors import UsageError
from zerolab.files import replacing
from zerolab.games.clobber import Clobber, Variant
from zerolab.interfaces.views.output import Output
from zerolab.solver.clobber.sum_solver import WITHOUT, SumSolver
from zerolab.solver.verification.leaf_check import (
    CONFIDENCE,
    LeafLog,
    LeafProgress,
    LeafReport,
    check_leaves,
    choose_leaves,
)
from zerolab.solver.verification.plain_clobber import Rows, swapped, text
from zerolab.solver.verification.proof_tree import OPEN, Replay, certificate, replay
from zerolab.solver.verification.settled_claims import Claims, RefutedError, read_claims

MOST_MINUTES = 60 * 24 * 365
REFUTED = 1  # exit code


class LeafOptions(NamedTuple):
    """How leaves are solved again."""

    sample: int | None
    seed: int
    without: tuple[str, ...]
    minutes: float
    memory: int | None
    threads: int | None
    log: Path | None


def verify_file(
    out: Output,
    path: Path,
    position: str | None,
    white_first: bool,
    options: LeafOptions,
    save: Path | None,
) -> None:
    """Check a file and show the result; a proof that fails ends the program with code 1."""
    if not 0 < options.minutes <= MOST_MINUTES:
        raise UsageError(
            f"--minutes {options.minutes} is not possible; expected more than 0, up to a year"
        )
    result: dict[str, Any] = {"file": str(path)}
    try:
        with out.progress("reading", None, "lines") as advance_to:
            claims = read_claims(path, advance_to)
        root = claims.root(position, white_first)
        total = len(claims.settled)
        with out.progress("replaying", total, "positions") as advance_to:
            replayed = replay(claims, root, advance_to)
        result |= _show_replay(out, claims, root, replayed, white_first)
        if save is not None and replayed.root is None:
            raise UsageError(f"the root is open, so there is no proof to write to {save}")
        result |= _show_leaves(out, _check(out, claims, replayed, options), options)
    except RefutedError as error:
        print(f"zerolab: {path} is refuted or incomplete: {error}", file=sys.stderr)
        out.result({**result, "verified": False, "problem": str(error), "line": error.line})
        sys.exit(REFUTED)
    if save is not None:
        with replacing(save) as file:
            file.write(certificate(claims, replayed.tree))
        out.note(f"{len(replayed.tree):,} positions that the root follows from are in {save}")
    # A sample, or a check that was stopped, refutes nothing and verifies only a part.
    out.result({**result, "verified": result["checked"] == result["leaves"]})


def _show_replay(
    out: Output, claims: Claims, root: Rows | None, replayed: Replay, white_first: bool
) -> dict[str, Any]:
    mover, other = ("White", "Black") if white_first else ("Black", "White")
    winner = None
    if replayed.root is not None:
        winner = mover if replayed.root.wins else other
    leaves = len(replayed.leaves)
    tree = len(replayed.tree)
    total = len(claims.settled)
    cut = ", and an unfinished last line, which is left out" if claims.is_cut_off else ""
    words = claims.header.removeprefix("# ").removesuffix(", settled positions, format 2")
    verdict = "the root is open" if winner is None else f"{winner} wins"
    out.table(
        f"{words}: {mover}, first to move: {verdict}",
        ("settled positions", "in the proof", "follow from others", "leaves", "moves deep"),
        [tuple(f"{n:,}" for n in (total, tree, tree - leaves, leaves, replayed.depth))],
        note=f"{claims.repeated:,} lines repeat others{cut}",
    )
    if winner is None and replayed.first_moves:
        settled = [(move, what) for move, what in replayed.first_moves.items() if what != OPEN]
        names = ", ".join(f"{move} {what}" for move, what in settled) or "none"
        out.line(
            f"Of {len(replayed.first_moves)} first moves that differ by more than a symmetry "
            f"{len(settled)} are settled: {names}."
        )
    shown = swapped(root) if root is not None and white_first else root
    return {
        "game": words,
        "root": None if shown is None else text(shown),
        "first": mover.lower(),
        "winner": None if winner is None else winner.lower(),
        "settled": total,
        "repeated": claims.repeated,
        "cut_off": claims.is_cut_off,
        "tree": tree,
        "inner": tree - leaves,
        "leaves": leaves,
        "depth": replayed.depth,
        "first_moves": replayed.first_moves,
    }


def _check(out: Output, claims: Claims, replayed: Replay, options: LeafOptions) -> LeafReport:
    game = Clobber(claims.rows, claims.cols, Variant[claims.variant.upper()])
    methods: dict[str, int] = {}
    for method in options.without:
        methods.update(WITHOUT[method])
    leaves = replayed.leaves
    chosen = choose_leaves(leaves, options.sample, options.seed)
    size = None if options.memory is None else options.memory * 10**6
    how = " ".join([f"seed {options.seed}", *(f"without {each}" for each in options.without)])
    header = claims.header.replace("settled positions", f"leaves solved again with {how}")
    with LeafLog(options.log, header) as log:
        with out.compiling():
            solver = SumSolver(game, size, options.threads, options.seed, None, **methods)
            if chosen:
                solver.compile()
        with out.status() as show:
            return check_leaves(
                solver,
                leaves,
                chosen,
                log,
                60 * options.minutes,
                lambda progress: show(_progress_text(progress)),
            )


def _progress_text(at: LeafProgress) -> str:
    left = "time left unknown"
    if at.seconds_left is not None:
        left = f"about {at.seconds_left / 60:.0f} minutes left"
    progress = at.progress
    return (
        f"leaf {at.leaf} of {at.leaves}, {left}; {progress.nodes:,} nodes, table "
        f"{progress.fill:.0%} full, move {progress.moves_done + 1} of {progress.moves} of this leaf"
    )


def _show_leaves(out: Output, report: LeafReport, options: LeafOptions) -> dict[str, Any]:
    how = f"other keys (seed {options.seed})"
    if options.without:
        how += f" and without {' and '.join(options.without)}"
    out.table(
        f"leaves solved again with {how}: all as claimed",
        ("leaves", "to check", "checked", "share of nodes", "nodes now", "seconds"),
        [
            (
                *(f"{count:,}" for count in (report.leaves, report.chosen, report.checked)),
                f"{report.share_of_nodes:.1%}",
                f"{report.nodes:,}",
                f"{report.seconds:.1f}",
            )
        ],
    )
    out.line(_confidence_text(report))
    return {
        "seed": options.seed,
        "without": list(options.without),
        "chosen": report.chosen,
        "checked": report.checked,
        "checked_before": report.checked_before,
        "share_of_nodes": report.share_of_nodes,
        "wrong_at_most": report.wrong_at_most,
        "confidence": CONFIDENCE,
        "stopped": report.stopped or None,
        "nodes": report.nodes,
        "seconds": report.seconds,
    }


def _confidence_text(report: LeafReport) -> str:
    if report.chosen == 0 < report.leaves:
        return "No leaf was solved again."
    if report.checked == report.leaves:
        return "Every leaf was solved again."
    if report.wrong_at_most is None:
        left = report.leaves - report.checked
        return (
            f"Stopped by {report.stopped}: {left:,} leaves were not solved "
            f"again. Those that were are no random sample, so nothing is said about the others."
        )
    return (
        f"None of {report.checked:,} leaves drawn at random is wrong: with {CONFIDENCE:.0%} "
        f"confidence at most {report.wrong_at_most:,} of {report.leaves:,} are "
        f"({report.wrong_at_most / report.leaves:.0%})."
    )
