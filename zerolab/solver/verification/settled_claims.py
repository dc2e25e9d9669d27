"""What a file of settled positions claims.

It is read here once more, and more strictly than by the program that writes it (long_proof.py).
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from zerolab.errors import UsageError
from zerolab.solver.verification.plain_clobber import (
    NORMAL,
    PAIRS,
    Rows,
    chequered,
    standard,
    swapped,
    text,
)

MOST_LINES = 1_000_000  # some hours of checking, a few GB
LONGEST_LINE = 2_000  # characters; a board of 26x26 with the rest is shorter
LARGEST_SIDE = 26
SHOWN = 60  # characters of a damaged line in a message

_HEADER = re.compile(
    r"# clobber ([0-9]{1,2})x([0-9]{1,2})(?: variant=([a-z]+))?(?: start=(\S+))?"
    r", settled positions, format 2"
)
_LINE = re.compile(r"([xo.|]+) (win|loss) ([0-9]{1,18}) ([0-9]{1,12}(?:\.[0-9]{1,9})?)")

OnCount = Callable[[float], None]


class RefutedError(Exception):
    """A proof that fails, or is incomplete: what is wrong, and in which line."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


class Claim(NamedTuple):
    """A line of the file: who wins a position with Black to move."""

    line: int
    position: Rows
    """As it is written there."""
    form: Rows
    """In standard form."""
    wins: bool
    """Whether Black is said to win."""
    nodes: int
    """Positions searched for it; 0 if it is said to follow from other lines."""
    seconds: float


class Claims(NamedTuple):
    """A file of settled positions."""

    header: str
    rows: int
    cols: int
    variant: str
    start: Rows | None
    """The position that the game starts with; None if that is drawn at random."""
    settled: dict[Rows, Claim]
    """By the standard form of the position."""
    repeated: int
    """Lines that say what another line said."""
    is_cut_off: bool
    """Whether the last line is unfinished, as a power cut leaves it; it is left out."""

    def position(self, words: str) -> Rows:
        """A position of this board, from its text; a ValueError if it is none."""
        rows = tuple(words.split("|"))
        if len(rows) != self.rows:
            raise ValueError(f"'{words}' has {len(rows)} rows, expected {self.rows}")
        for row in rows:
            if len(row) != self.cols:
                raise ValueError(f"row '{row}' has {len(row)} cells, expected {self.cols}")
            if strange := row.strip("xo."):
                raise ValueError(f"'{strange[0]}' in row '{row}' is not a cell: expected x, o or .")
        return rows

    def root(self, words: str | None, white_first: bool) -> Rows | None:
        """The position to be proved: the one given, or the game's start, seen by its mover."""
        if words is None:
            root = self.start
        else:
            try:
                root = self.position(words)
            except ValueError as error:
                raise UsageError(str(error)) from None
        return swapped(root) if root is not None and white_first else root


def read_claims(path: Path, on_count: OnCount = lambda done: None) -> Claims:
    """Read a file; RefutedError at the first line that is damaged or contradicts another."""
    try:
        with path.open("rb") as file:
            return _read(path, iter(lambda: file.readline(LONGEST_LINE), b""), on_count)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None


def _read(path: Path, lines: Iterator[bytes], on_count: OnCount) -> Claims:
    claims = _parse_header(path, next(lines, b""))
    repeated, is_cut_off = 0, False
    for number, raw in enumerate(lines, start=2):
        if number > MOST_LINES:
            raise RefutedError(
                f"{path} has more than {MOST_LINES:,} lines, which is more than can be checked",
                number,
            )
        line = raw.decode("ascii", errors="replace").rstrip("\r\n")
        if line == claims.header:  # files of several machines, joined
            continue
        try:
            claim = _parse_line(claims, number, line)
        except RefutedError:
            if raw.endswith(b"\n") or len(raw) == LONGEST_LINE:
                raise
            is_cut_off = True
            break
        before = claims.settled.get(claim.form)
        if before is not None:
            repeated += 1
            if before.wins != claim.wins:
                raise RefutedError(
                    f"line {number} contradicts line {before.line} on {text(claim.position)}",
                    number,
                )
        if before is None or not before.nodes:
            claims.settled[claim.form] = claim
        on_count(number)
    return claims._replace(repeated=repeated, is_cut_off=is_cut_off)


def _parse_header(path: Path, raw: bytes) -> Claims:
    header = raw.decode("ascii", errors="replace").rstrip("\r\n")
    if header.startswith("# graph-clobber"):
        raise UsageError(f"{path} is of graph-clobber; only proofs on boards can be checked")
    match = _HEADER.fullmatch(header)
    variant = NORMAL if match is None else match[3] or NORMAL
    if match is None or variant not in PAIRS:
        raise UsageError(
            f"{path} is not a file of settled positions: its first line is '{_shown(header)}', "
            f"expected such as '# clobber 6x6, settled positions, format 2'"
        )
    rows, cols = int(match[1]), int(match[2])
    if not (max(rows, cols) <= LARGEST_SIDE and rows * cols >= 2):
        raise UsageError(f"{path} is of a board of {rows}x{cols}; expected 1x2 to 26x26")
    claims = Claims(header, rows, cols, variant, None, {}, 0, False)
    if match[4] == "random":
        return claims
    if match[4] is None:
        return claims._replace(start=chequered(rows, cols))
    try:
        return claims._replace(start=claims.position(match[4]))
    except ValueError as error:
        raise UsageError(f"the start in line 1 of {path} is impossible: {error}") from None


def _parse_line(claims: Claims, number: int, line: str) -> Claim:
    match = _LINE.fullmatch(line)
    if match is None:
        raise RefutedError(
            f"line {number} is damaged: '{_shown(line)}'; expected a position, win or loss, nodes "
            f"and seconds",
            number,
        )
    try:
        position = claims.position(match[1])
    except ValueError as error:
        raise RefutedError(f"line {number} is impossible: {error}", number) from None
    form, wins = standard(position), match[2] == "win"
    return Claim(number, position, form, wins, int(match[3]), float(match[4]))


def _shown(line: str) -> str:
    return line if len(line) <= SHOWN else f"{line[:SHOWN]}..."


def text_of_line(claim: Claim) -> str:
    """A claim as a line of a file."""
    result = "win" if claim.wins else "loss"
    return f"{text(claim.position)} {result} {claim.nodes} {claim.seconds:.1f}"
