"""The leaves of a proof solved again, in another way: with other keys and without some methods.

All leaves, or a sample drawn at random, which bounds how many of the others can be wrong.
"""

import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from zerolab.errors import UsageError
from zerolab.files import LineFile
from zerolab.games.base import BLACK, Game
from zerolab.games.notation import parse_position
from zerolab.solver.clobber.sum_solver import SumSolver
from zerolab.solver.progress import Progress
from zerolab.solver.verification.plain_clobber import text
from zerolab.solver.verification.settled_claims import Claim, RefutedError, text_of_line

CONFIDENCE = 0.95


class LeafProgress(NamedTuple):
    """How far the check is."""

    leaf: int
    """The number of the leaf that is being solved, from 1."""
    leaves: int
    seconds_left: float | None
    """None before the first leaf is done."""
    progress: Progress


class LeafReport(NamedTuple):
    """Which leaves were solved again, all with the result that was claimed."""

    leaves: int
    """In the proof."""
    chosen: int
    """To be checked: all, or the size of the sample."""
    checked: int
    checked_before: int
    """Of these, by earlier runs."""
    nodes: int
    """Positions searched now."""
    seconds: float
    share_of_nodes: float
    """How much of the nodes that the leaves are said to have taken belongs to those checked."""
    wrong_at_most: int | None
    """With 95 % confidence no more leaves are wrong; None where those checked were not drawn at
    random, or some were left out because they took too long."""
    stopped: str
    """Why the check ended early: time, Ctrl-C, or nothing."""


def choose_leaves(leaves: Sequence[Claim], sample: int | None, seed: int) -> list[Claim]:
    """All leaves, or a sample, in the order of the file.

    What the search of one position found helped the search of the next. In the same order it does
    so again, and the nodes of a line say how long its leaf may take.
    """
    ordered = sorted(leaves, key=lambda claim: claim.line)
    if sample is None or sample >= len(leaves):
        return ordered
    return sorted(random.Random(seed).sample(ordered, sample), key=lambda claim: claim.line)


def most_wrong(leaves: int, checked: int) -> int:
    """How many leaves may be wrong, with 95 % confidence, if none was in a random sample.

    That is the largest number of which a sample would miss all with a probability above 5 %. For
    small samples of many leaves it is the rule of three: 3 / `checked` of them (Hanley &
    Lippman-Hand, "If nothing goes wrong, is everything all right?", JAMA 249(13), 1983).
    """
    wrong, missed = 0, 1.0
    while wrong < leaves:
        missed *= max(0, leaves - wrong - checked) / (leaves - wrong)
        if missed <= 1 - CONFIDENCE:
            break
        wrong += 1
    return wrong


class LeafLog:
    """Leaves that were solved again, in a file that a later run goes on with.

    Use it in a `with`: the file is locked.
    """

    def __init__(self, path: Path | None, header: str) -> None:
        self.known: dict[str, bool] = {}
        self._file = None if path is None else LineFile(path)
        if self._file is None:
            return
        try:
            self._go_on(self._file, header.encode())
        except BaseException:
            self._file.close()
            raise

    def _go_on(self, file: LineFile, header: bytes) -> None:
        if file.lines[:1] != [header] and (file.lines or not header.startswith(file.unfinished)):
            found = (file.lines or [file.unfinished])[0].decode("ascii", errors="replace")
            raise UsageError(
                f"{file.path} begins with '{found[:100]}'; expected '{header.decode()}', or a new "
                f"file"
            )
        for number, line in enumerate(file.lines[1:], start=2):
            position, _, rest = line.decode("ascii", errors="replace").partition(" ")
            result = rest.partition(" ")[0]
            if result not in ("win", "loss"):
                raise UsageError(f"line {number} of {file.path} is damaged")
            self.known[position] = result == "win"
        file.keep(len(file.lines))
        if not file.lines:
            file.add(header)

    def add(self, claim: Claim) -> None:
        """Write a leaf, with the nodes and seconds it took this time."""
        self.known[text(claim.form)] = claim.wins
        if self._file is not None:
            self._file.add(text_of_line(claim._replace(position=claim.form)).encode())

    def __enter__(self) -> "LeafLog":
        return self

    def __exit__(self, *raised: object) -> None:
        if self._file is not None:
            self._file.close()


class _OutOfTimeError(Exception):
    """The time limit is reached."""


def check_leaves(
    solver: SumSolver,
    leaves: Sequence[Claim],
    chosen: Sequence[Claim],
    log: LeafLog,
    seconds: float,
    on_progress: Callable[[LeafProgress], None] = lambda progress: None,
) -> LeafReport:
    """Solve the chosen leaves again; RefutedError at the first that comes out otherwise."""
    started = time.monotonic()
    before = solver.nodes
    for claim in chosen:
        known = log.known.get(text(claim.form))
        if known is not None:
            _compare(claim, known)
    to_do = [claim for claim in chosen if text(claim.form) not in log.known]
    total = sum(claim.nodes for claim in to_do)
    done, number = 0, len(chosen) - len(to_do)
    stopped = ""

    def watch(progress: Progress) -> None:
        gone = time.monotonic() - started
        left = gone * (total - done) / done if done else None
        on_progress(LeafProgress(number + 1, len(chosen), left, progress))
        if gone > seconds:
            raise _OutOfTimeError

    try:
        for claim in to_do:
            nodes, since = solver.nodes, time.perf_counter()
            if time.monotonic() - started > seconds:
                raise _OutOfTimeError
            wins = _solve(solver, claim, watch)
            _compare(claim, wins)
            took = time.perf_counter() - since
            log.add(claim._replace(nodes=solver.nodes - nodes, seconds=took))
            done, number = done + claim.nodes, number + 1
    except _OutOfTimeError:
        stopped = "time"
    except KeyboardInterrupt:
        stopped = "Ctrl-C"
    checked = [claim for claim in chosen if text(claim.form) in log.known]
    claimed = sum(claim.nodes for claim in leaves)
    bound = None
    if len(checked) == len(chosen):
        bound = most_wrong(len(leaves), len(checked))
    return LeafReport(
        leaves=len(leaves),
        chosen=len(chosen),
        checked=len(checked),
        checked_before=len(chosen) - len(to_do),
        nodes=solver.nodes - before,
        seconds=time.monotonic() - started,
        share_of_nodes=sum(claim.nodes for claim in checked) / claimed if claimed else 1.0,
        wrong_at_most=bound,
        stopped=stopped,
    )


def _solve(solver: SumSolver, claim: Claim, watch: Callable[[Progress], None]) -> bool:
    game: Game = solver.game
    try:
        value = solver.value(parse_position(game, text(claim.position), BLACK), watch)
    except UsageError as error:
        raise RefutedError(f"line {claim.line} cannot be solved: {error}", claim.line) from None
    return value == 1


def _compare(claim: Claim, wins: bool) -> None:
    if wins != claim.wins:
        words = ("win", "loss") if claim.wins else ("loss", "win")
        raise RefutedError(
            f"line {claim.line} claims a {words[0]}, but solved again "
            f"{text(claim.position)} is a {words[1]}",
            claim.line,
        )
