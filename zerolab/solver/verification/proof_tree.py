"""A proof replayed: which lines follow from others, and the tree below its root.

A player wins who has a move to a position that the opponent loses, and loses whose moves all lead
to positions that the opponent wins. A line that follows from others in this way is `inner`; the
others are leaves, which have to be solved again (leaf_check.py). A move takes a stone away, so no
position can follow from itself.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from zerolab.solver.verification.plain_clobber import Rows, moves, standard, stones
from zerolab.solver.verification.settled_claims import (
    Claim,
    Claims,
    OnCount,
    RefutedError,
    text_of_line,
)

WINS, LOSES, OPEN = "wins", "loses", "open"


class Replay(NamedTuple):
    """What follows from what."""

    support: dict[Rows, tuple[Rows, ...]]
    """For each inner position those it follows from: for a win one that the opponent loses, the
    one whose proof took the fewest nodes; for a loss all that can be reached."""
    root: Claim | None
    """The claim about the root, or what follows for it from the others; None if it is open."""
    first_moves: dict[str, str]
    """Whether each first move wins, loses or is open; of symmetric ones only one is here."""
    tree: list[Claim]
    """What the root follows from and the root, in the order of the file; without a settled root
    all claims."""
    depth: int
    """Moves from the root to its farthest leaf."""

    @property
    def leaves(self) -> list[Claim]:
        """The claims of the tree that follow from no others."""
        return [claim for claim in self.tree if claim.form not in self.support]


def replay(claims: Claims, root: Rows | None, on_count: OnCount = lambda done: None) -> Replay:
    """Check each line against the others; RefutedError at the first that is refuted."""
    ordered = sorted(claims.settled.values(), key=lambda claim: (stones(claim.form), claim.form))
    support: dict[Rows, tuple[Rows, ...]] = {}
    work: dict[Rows, float] = {}
    for done, claim in enumerate(ordered, start=1):
        found = _supported_by(claims, claim, work)
        if found is None:
            work[claim.form] = claim.nodes
        else:
            support[claim.form] = found
            work[claim.form] = math.fsum(work[position] for position in found)
        on_count(done)
    settled, first_moves = None, {}
    if root is not None:
        first_moves = _judge_moves(claims, root)
        settled = _settle_root(claims, root, first_moves, support, work)
    tree, depth = ordered, 0
    if settled is not None:
        known = {**claims.settled, settled.form: settled}
        tree, depth = _tree(known, settled, support)
    return Replay(support, settled, first_moves, tree, depth)


def _supported_by(claims: Claims, claim: Claim, work: dict[Rows, float]) -> tuple[Rows, ...] | None:
    """The positions that a claim follows from; None if it does not follow from the others."""
    after = {name: standard(position) for name, position in moves(claim.position, claims.variant)}
    known = {name: claims.settled.get(position) for name, position in after.items()}
    lost = [(name, other) for name, other in known.items() if other is not None and not other.wins]
    missing = [name for name, other in known.items() if other is None]
    if claim.wins and lost:
        best = min((other for _, other in lost), key=lambda other: work[other.form])
        return (best.form,)
    if claim.wins and not missing:
        reason = "every move leads to a position that the file claims the opponent wins"
        reason = reason if after else "there is no move"
        raise RefutedError(f"line {claim.line} claims a win, but {reason}", claim.line)
    if not claim.wins and lost:
        name, other = lost[0]
        raise RefutedError(
            f"line {claim.line} claims a loss, but {name} leads to a position that the opponent "
            f"loses according to line {other.line}",
            claim.line,
        )
    if not missing:
        return tuple(sorted(set(after.values())))
    if not claim.nodes:
        what = f"the position after {missing[0]} is missing"
        what = "no move leads to a position that the opponent loses" if claim.wins else what
        raise RefutedError(
            f"line {claim.line} claims without a search of its own what does not follow from the "
            f"other lines: {what}",
            claim.line,
        )
    return None


def _settle_root(
    claims: Claims,
    root: Rows,
    first_moves: dict[str, str],
    support: dict[Rows, tuple[Rows, ...]],
    work: dict[Rows, float],
) -> Claim | None:
    """The claim about the root. If it has no line, it may follow all the same."""
    form = standard(root)
    if form in claims.settled:
        return claims.settled[form]
    wins = WINS in first_moves.values()
    if OPEN in first_moves.values() and not wins:
        return None
    claim = Claim(0, root, form, wins, 0, 0.0)
    found = _supported_by(claims, claim, work)
    assert found is not None
    support[form] = found
    return claim


def _judge_moves(claims: Claims, root: Rows) -> dict[str, str]:
    names: dict[Rows, str] = {}
    for name, position in moves(root, claims.variant):
        names.setdefault(standard(position), name)
    results = {}
    for position, name in names.items():
        claim = claims.settled.get(position)
        results[name] = OPEN if claim is None else LOSES if claim.wins else WINS
    return results


def _tree(
    known: dict[Rows, Claim], root: Claim, support: dict[Rows, tuple[Rows, ...]]
) -> tuple[list[Claim], int]:
    """All that the root follows from, in the order of the file, and how deep that is."""
    reached = {root.form: 0}
    level = [root.form]
    depth = 0
    while level:  # positions of one level have equally many stones
        depth = reached[level[0]]
        below = {each: depth + 1 for position in level for each in support.get(position, ())}
        reached.update(below)
        level = list(below)
    tree = [known[position] for position in reached]
    # A root without a line comes last, as it would in a file.
    return sorted(tree, key=lambda claim: claim.line or math.inf), depth


def certificate(claims: Claims, tree: Sequence[Claim]) -> bytes:
    """A file with the lines of a tree and no others."""
    lines = [claims.header, *map(text_of_line, tree)]
    return "".join(f"{line}\n" for line in lines).encode()
