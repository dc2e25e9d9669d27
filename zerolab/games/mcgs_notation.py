"""Positions as the solver MCGS writes them: `[clobber] XO|OX X.O {B}`.

X is Black, O is White, rows from the top are joined by |. Several boards separated by spaces are a
sum: a player moves on one of them. Braces say who moves first, {B}, {W} or {B, W}. The boards of a
sum are placed beside each other with an empty column between, which is the same game.
"""

import re
from collections.abc import Sequence
from typing import Literal

from zerolab.games.base import GameError

First = Literal["black", "white", "both"]
_FORM = re.compile(
    r"\s*\[clobber(?:_1xn)?\]\s*([XO.|\s]+?)\s*(?:\{\s*([BW](?:\s*,\s*[BW])?)\s*\})?\s*"
)
_FIRST: dict[str, First] = {"B": "black", "W": "white"}


def is_mcgs(text: str) -> bool:
    """Whether a text seems to be in this notation."""
    return "[" in text or "{" in text or "X" in text or "O" in text


def parse_mcgs(text: str) -> tuple[str, First | None]:
    """A position in our notation, and who moves first, if the text says so."""
    full = text if "[" in text else f"[clobber] {text}"
    match = _FORM.fullmatch(full)
    if match is None or not match[1].strip():
        raise GameError(
            f"'{text}' is not a position of MCGS; expected X, O, . and |, as [clobber] XO|OX {{B}}"
        )
    boards = [board.split("|") for board in match[1].split()]
    height = max(len(board) for board in boards)
    rows = [""] * height
    for index, board in enumerate(boards):
        width = len(board[0])
        if any(len(row) != width for row in board):
            raise GameError(f"'{'|'.join(board)}' has rows of different lengths")
        for row in range(height):
            gap = "." if index > 0 else ""
            rows[row] += gap + (board[row] if row < len(board) else "." * width)
    first: First | None = None
    if match[2] is not None:
        players = {player.strip() for player in match[2].split(",")}
        first = "both" if len(players) == 2 else _FIRST[players.pop()]
    return "|".join(rows).lower(), first


def format_mcgs(position: str, first: Sequence[int]) -> str:
    """A position as text that MCGS reads; `first` are the players who are to move first."""
    players = ", ".join("BW"[player] for player in first)
    return f"[clobber] {position.upper()} {{{players}}}"
