"""zerolab verify: whether a file of settled positions proves what it claims."""

from pathlib import Path
from typing import Annotated, Literal

import tyro

from zerolab.interfaces.commands.arguments import Colour, Count, OptionalCount, SaveFile, at_least
from zerolab.interfaces.views.output import Output


def verify(
    file: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="FILE")],
    position: str | None = None,
    first: Colour = "black",
    sample: Annotated[int | None, at_least(0)] = None,
    seed: Count = 1,
    without: tuple[Literal["values", "cancelling", "ordering", "outlook", "close-look"], ...] = (
        "values",
        "ordering",
    ),
    minutes: float = 10.0,
    memory: Annotated[OptionalCount, tyro.conf.arg(metavar="MB")] = None,
    threads: OptionalCount = None,
    log: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None,
    out: SaveFile = None,
    json: bool = False,
) -> None:
    """Check a file of settled positions, such as one of zerolab solve --proof.

    Plain rules replay the proof from the root to its leaves: a win needs a move to a settled loss,
    a loss needs all its moves settled. The leaves are solved again in another way. A proof that
    fails is one sentence with the line, and exit code 1.

    Examples: zerolab verify proofs/clobber-3x12.txt --sample 5;
    zerolab verify proofs/clobber-6x6.txt --without outlook --minutes 60

    Args:
        file: Settled positions, a line each, as solve --proof writes them.
        position: The root, if it is not the start of the game, such as "xoxo|ox..".
        first: Who moves first at the root.
        sample: Solve only N leaves again, drawn at random, or none with 0; by default all.
        seed: Draws the sample, and changes the hash keys of positions. The proof was made with 0.
        without: Methods of the solver that are not used for the leaves; none, if nothing follows.
        minutes: How long to solve leaves. Ctrl-C ends it too, and shows what was checked.
        memory: Megabytes for the table of positions; default half of the free memory.
        threads: Threads that solve a leaf together; default one per core.
        log: Keep the leaves that were solved again in this file, and go on from it the next time.
        out: Write the lines that the root follows from to this file, and no others.
        json: Print one JSON object and nothing else.
    """
    from zerolab.interfaces.views.verification_view import LeafOptions, verify_file

    options = LeafOptions(sample, seed, without, minutes, memory, threads, log)
    verify_file(Output(json), file, position, first == "white", options, out)
