"""What a search has found, in the formats of lz-analyze (Leela Zero) and kata-analyze (KataGo)."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from zerolab.errors import UsageError
from zerolab.games.notation import COLOUR_NAMES, parse_number
from zerolab.games.position import Colour
from zerolab.search.analysis import Analysis, Candidate

CENTISECONDS = 100
SLOWEST = 10**6  # centiseconds
FLAGS = ("rootInfo", "ownership", "ownershipStdev", "movesOwnership", "pvVisits", "pvEdgeVisits")
"""Of kata-analyze: more than a search of ours has to say, so they change nothing."""


class AnalysisRequest(NamedTuple):
    """The arguments of an analysis command."""

    colour: Colour | None = None
    interval: int = 100
    """Centiseconds between lines."""
    most: int | None = None
    """Moves in a line."""

    @property
    def seconds(self) -> float:
        """Between lines."""
        return self.interval / CENTISECONDS


def parse_colour(text: str) -> Colour | None:
    """black, b, white or w in any case, or None."""
    found = [name for name in COLOUR_NAMES if text.lower() in (name, name[0])]
    return found[0] if found else None


def parse_request(words: Sequence[str]) -> AnalysisRequest:
    """[COLOUR] [INTERVAL] and pairs of a key and a value, in any order, as clients send them."""
    request, left = AnalysisRequest(), list(words)
    while left:
        word = left.pop(0)
        if (colour := parse_colour(word)) is not None:
            request = request._replace(colour=colour)
        elif (number := parse_number(word)) is not None:
            request = request._replace(interval=_interval(number))
        elif not left:
            raise UsageError(f"syntax error: '{word}' is no argument of an analysis")
        else:
            value = left.pop(0)
            number = parse_number(value)
            if word == "interval" and number is not None:
                request = request._replace(interval=_interval(number))
            elif word == "maxmoves" and number is not None:
                request = request._replace(most=number)
            elif word not in FLAGS and not (word == "minmoves" and number is not None):
                raise UsageError(f"syntax error: '{word} {value}' is not supported")
    return request


def _interval(number: int) -> int:
    return min(max(1, number), SLOWEST)


Name = Callable[[int], str]  # of an action


def lz_line(analysis: Analysis, name: Name, most: int | None) -> str:
    """A line as Leela Zero writes it: shares in hundredths of a per cent."""

    def show(order: int, each: Candidate) -> str:
        winrate, prior = round(10000 * chance(each.value)), round(10000 * each.prior)
        return (
            f"info move {name(each.action)} visits {each.visits} winrate {winrate} "
            f"prior {prior} lcb {winrate} order {order} pv {' '.join(map(name, each.line))}"
        )

    return _line(analysis, show, most)


def kata_line(analysis: Analysis, name: Name, most: int | None) -> str:
    """A line as KataGo writes it: shares as numbers from 0 to 1."""

    def show(order: int, each: Candidate) -> str:
        winrate = chance(each.value)
        return (
            f"info move {name(each.action)} visits {each.visits} utility {each.value:.6f} "
            f"winrate {winrate:.6f} prior {each.prior:.6f} lcb {winrate:.6f} "
            f"order {order} pv {' '.join(map(name, each.line))}"
        )

    return _line(analysis, show, most)


def _line(analysis: Analysis, show: Callable[[int, Candidate], str], most: int | None) -> str:
    tried = [each for each in analysis.candidates if each.visits > 0] or analysis.candidates[:1]
    return " ".join(show(order, each) for order, each in enumerate(tried[:most]))


def chance(value: float) -> float:
    """The chance to win that a value in [-1, 1] means, a draw counting half."""
    return (1 + value) / 2


LINES = {"lz": lz_line, "kata": kata_line}
