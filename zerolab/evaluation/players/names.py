"""Parts of players' names: strengths, weights, networks."""

import math

from zerolab.evaluation.players.protocol import PlayerError
from zerolab.games.notation import parse_number
from zerolab.solver.exact_leaves import LeafBudget, affordable

MAX_STRENGTH = 10**8
NODES_PER_SECOND = 400_000  # of the solver, on an ordinary machine
MOST_SMALL = 12  # stones; larger components have too many values


def parse_strength(name: str, text: str, example: str) -> int:
    """A strength within a player's name."""
    number = parse_number(text)
    if number is None or not 1 <= number <= MAX_STRENGTH:
        raise PlayerError(
            f"'{text}' in '{name}' is not a strength: expected a number from 1 to "
            f"{MAX_STRENGTH:,}, such as {example}"
        )
    return number


def parse_exact(
    name: str, option: str, simulations: int | None, seconds: float | None = None
) -> LeafBudget:
    """``exact=18``; or ``exact``, with a hardness that follows from the limits of a move.

    A leaf may then take about a twentieth of the move's time, or as many nodes as there are
    simulations. ``exact=18/5000/7`` gives the whole budget of a leaf.
    """
    key, equals, value = option.partition("=")
    if equals:
        numbers = [parse_strength(name, part, "exact=18") for part in value.split("/")]
        if len(numbers) > 3 or (len(numbers) == 3 and numbers[2] > MOST_SMALL):
            raise PlayerError(
                f"'{option}' in '{name}' is not a budget of leaves; expected exact=STONES, "
                f"exact=STONES/NODES or exact=STONES/NODES/SMALL with SMALL at most {MOST_SMALL}"
            )
        return LeafBudget(*numbers)
    if seconds is not None:
        return affordable(round(seconds * NODES_PER_SECOND / 20))
    if simulations is not None:
        return affordable(simulations)
    raise PlayerError(f"'{name}' has no limit of time or simulations: expected {key}=18")


def parse_weight(text: str) -> float | None:
    """A number that is not negative, or None."""
    try:
        weight = float(text)
    except ValueError:
        return None
    return weight if 0 <= weight < math.inf else None


def pinned(name: str) -> str:
    """A name that keeps its present meaning.

    ``az:runs/demo@100`` is the newest network of a run, which may change while the run continues;
    ``az:runs/demo#40@100`` stays that of step 40.
    """
    kind, _, rest = name.partition(":")
    if kind not in ("az", "net"):
        return name
    from zerolab.evaluation.players.network_file import pinned_network

    path, at, strength = rest.rpartition("@") if kind == "az" else (rest, "", "")
    return f"{kind}:{pinned_network(path)}{at}{strength}"
