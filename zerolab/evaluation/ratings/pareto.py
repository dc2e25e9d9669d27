"""Strength against cost: the players that nobody both beats and outruns."""

from collections.abc import Sequence


def pareto_front(costs: Sequence[float], ratings: Sequence[float]) -> list[int]:
    """The players that are stronger than all that cost no more, the cheapest first."""
    order = sorted(range(len(costs)), key=lambda place: (costs[place], -ratings[place]))
    front: list[int] = []
    for place in order:
        if not front or ratings[place] > ratings[front[-1]]:
            front.append(place)
    return front
