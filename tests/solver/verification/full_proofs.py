"""Proofs of small boards in which every line but the dead ends follows from others."""

from zerolab.solver.verification.plain_clobber import (
    NORMAL,
    chequered,
    moves,
    standard,
    stones,
    text,
)


def solve_all(position, variant=NORMAL, known=None):
    """Who wins each position that can follow: a search with no method at all."""
    known = {} if known is None else known
    position = standard(position)
    if position not in known:
        after = [after for _, after in moves(position, variant)]
        known[position] = False
        for each in after:  # all of them, so that a proof may need any
            known[position] |= not solve_all(each, variant, known)[standard(each)]
    return known


def write_full_proof(path, rows, cols, variant=NORMAL):
    """All positions of a board, smallest first, without a search of their own."""
    known = solve_all(chequered(rows, cols), variant)
    words = "" if variant == NORMAL else f" variant={variant}"
    lines = [f"# clobber {rows}x{cols}{words}, settled positions, format 2"]
    for position in sorted(known, key=lambda position: (stones(position), position)):
        lines.append(f"{text(position)} {'win' if known[position] else 'loss'} 0 0.0")
    path.write_text("\n".join(lines) + "\n")
    return known
