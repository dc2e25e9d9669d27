"""zerolab perft: lines of play, counted."""

import time

from zerolab.interfaces.commands.arguments import Count, GameArguments
from zerolab.interfaces.views.output import Output


def perft(
    board: GameArguments,
    depth: Count = 4,
    json: bool = False,
) -> None:
    """Count the lines of play of length 1, 2, ... from the starting position.

    Example: zerolab perft clobber --size 4x4 --depth 4

    Args:
        depth: Greatest length.
        json: Print one JSON object and nothing else.
    """
    from zerolab.games.boards.stones import initial_state
    from zerolab.games.catalogue import describe
    from zerolab.games.perft_counts import perft as count
    from zerolab.kernels.rng import stream

    out = Output(json)
    record = board.make()
    state = initial_state(record, stream(0))
    with out.compiling():
        count(record, state, 1)
    counts, started = [], time.perf_counter()
    for level in range(1, depth + 1):
        counts.append(count(record, state, level))
    seconds = time.perf_counter() - started
    out.table(
        f"perft of {describe(record)}",
        ("depth", "lines of play"),
        [(str(level + 1), f"{leaves:,}") for level, leaves in enumerate(counts)],
    )
    out.result({"game": describe(record), "counts": counts, "seconds": seconds})
