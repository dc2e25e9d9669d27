"""The conclusions of damhuis, as statements that our tables confirm or not."""

import statistics
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from zerolab.evaluation.ratings.intervals import wilson_interval
from zerolab.studies.damhuis.network_reports import spread_of
from zerolab.studies.damhuis.network_tables import GRIDS, TABLES, Network
from zerolab.studies.damhuis.online_networks import USUAL_SPREAD, Outcome
from zerolab.studies.report import Report

Tables = dict[str, list[Outcome]]
HOLDS, FAILS, UNCERTAIN = "holds", "does not hold", "cannot be told"
BEYOND = 2.0  # standard errors: a smaller difference may be chance
MATTERS = 0.02  # a relevant gain


class Finding(NamedTuple):
    """A statement, the evidence in the thesis and here, and the verdict."""

    statement: str
    thesis: str
    ours: str
    verdict: str


def judge(tables: Tables) -> Report:
    """Judge all statements; those that need an incomplete table remain undecided."""
    missing = [_missing(claim, tables) for claim in CLAIMS]
    findings = [each or claim.judge(tables) for claim, each in zip(CLAIMS, missing, strict=True)]
    held = sum(finding.verdict == HOLDS for finding in findings)
    return Report(
        "what the thesis concludes",
        ("statement", "thesis", "ours", "verdict"),
        [tuple(finding) for finding in findings],
        [finding._asdict() for finding in findings],
        f"{held} of {len(findings)} statements hold here",
        is_complete=not any(missing),
        reproduced=held == len(findings),
    )


class Claim(NamedTuple):
    """A statement of the thesis."""

    statement: str
    needs: tuple[str, ...]
    """Tables."""
    judge: Callable[[Tables], Finding]


def _missing(claim: Claim, tables: Tables) -> Finding | None:
    for name in claim.needs:
        if len(tables.get(name, ())) < len(TABLES[name].entries):
            return Finding(claim.statement, "--", f"Table {name} is not complete", UNCERTAIN)
    return None


def _layers(tables: Tables) -> Finding:
    """Deaths with two layers and with one, at learning rates and targets that both tables have."""
    texts, differences = [], []
    thesis = []
    for one, two in (("5.5", "5.7"), ("5.6", "5.8")):
        shared = _settings(tables[one]) & _settings(tables[two])
        few, many = (
            [each for each in tables[name] if _setting(each) in shared] for name in (one, two)
        )
        thesis.append(f"{GRIDS[one].board} {_paper_dead(few):.0%} -> {_paper_dead(many):.0%}")
        texts.append(f"{GRIDS[one].board} {_dead(few):.0%} -> {_dead(many):.0%}")
        error = _death_error(few) + _death_error(many)
        differences.append((_dead(many) - _dead(few)) / max(error, 1e-9) ** 0.5)
    return Finding(
        *(MORE_LAYERS, "dead: " + ", ".join(thesis), "dead: " + ", ".join(texts)),
        _verdict(differences),
    )


def _nodes(tables: Tables) -> Finding:
    """Means over the learning rates at which no network dies, by the number of nodes."""
    names = ("5.9", "5.10", "5.11", "5.12", "5.13")
    usable = [
        {_setting(each) for each in tables[name] if each.living and not each.paper_is_dead}
        for name in names
    ]
    shared = set.intersection(*usable)
    means, papers, errors = [], [], []
    for name in names:
        cells = [each for each in tables[name] if _setting(each) in shared]
        means.append(statistics.fmean(each.mean for each in cells))
        papers.append(statistics.fmean(each.paper for each in cells))
        errors.append(USUAL_SPREAD**2 / len(cells))
    nodes = [GRIDS[name].hidden[0] for name in names]
    difference = (means[-1] - means[0]) / (errors[0] + errors[-1]) ** 0.5
    return Finding(
        *(MORE_NODES, _by_nodes(nodes, papers), _by_nodes(nodes, means)), _verdict([difference])
    )


def _temporal(tables: Tables) -> Finding:
    """Networks with all taus compared with the same without tau, where there is one."""
    plain = {each.entry.network: each for name in ("5.14", "text") for each in tables.get(name, ())}
    groups: dict[Network, list[Outcome]] = {}
    for each in tables["5.15"]:
        groups.setdefault(each.entry.network._replace(tau=0.0), []).append(each)
    pairs = [(taus, plain[network]) for network, taus in groups.items() if network in plain]
    ours = [statistics.fmean(map(_all, taus)) - _all(without) for taus, without in pairs]
    thesis = [
        statistics.fmean(each.paper for each in taus) - without.paper for taus, without in pairs
    ]
    gain = statistics.fmean(ours)
    variance = spread_of(tables["5.15"]) ** 2
    error = sum(
        variance * (1 / _seeds(taus) + 1 / _seeds([without])) for taus, without in pairs
    ) ** 0.5 / len(pairs)
    helps, does_not = gain > BEYOND * error, gain + BEYOND * error < MATTERS
    return Finding(
        TAU_NO_HELP,
        f"mean gain {statistics.fmean(thesis):+.1%}",
        f"mean gain {gain:+.1%} ± {error:.1%} over {len(pairs)} networks",
        FAILS if helps else HOLDS if does_not else UNCERTAIN,
    )


def _leaky_lives(tables: Tables) -> Finding:
    """None plays like Pick First. A leaky node cannot die, but its weights may diverge."""
    share = _dead(tables["5.16"])
    ours = f"{share:.0%} diverged, and play like Pick First" if share else "none"
    return Finding(LEAKY_LIVES, "none dead", ours, FAILS if share else HOLDS)


def _leaky_is_best(tables: Tables) -> Finding:
    """The best cell compared with the best of all other networks on 6x6 with a million games."""
    others = [
        each
        for name in ("5.6", "5.8", "5.14", "5.15", "text")
        for each in tables.get(name, ())
        if (each.entry.network.board, each.entry.network.games) == ("6x6", 1_000_000)
    ]
    both = tables["5.16"], others
    best, other = (max(cells, key=_all) for cells in both)
    lead = _all(best) - _all(other)
    variances = [
        spread_of(cells) ** 2 / len(each.scores)
        for cells, each in zip(both, (best, other), strict=True)
    ]
    error = sum(variances) ** 0.5
    papers = [max(each.paper for each in cells) for cells in both]
    return Finding(
        LEAKY_BEST,
        f"best {papers[0]:.1%}, others {papers[1]:.1%}",
        f"best {_all(best):.1%}, others {_all(other):.1%}, error {error:.1%}",
        HOLDS if lead > BEYOND * error else FAILS if lead < -BEYOND * error else UNCERTAIN,
    )


def _monte_carlo(tables: Tables) -> Finding:
    """All games of all networks against all numbers of playouts together."""
    cells = tables["5.17"]
    wins = sum(sum(each.scores) * each.entry.tests for each in cells)
    games = sum(len(each.scores) * each.entry.tests for each in cells)
    low, high = wilson_interval(wins, games)
    verdict = HOLDS if low > 0.5 else FAILS if high < 0.5 else UNCERTAIN
    opponents: dict[str, list[float]] = {}
    for each in cells:
        opponents.setdefault(each.entry.opponent, []).append(_all(each))
    by_playouts = ", ".join(
        f"{name} {statistics.fmean(scores):.0%}" for name, scores in opponents.items()
    )
    return Finding(
        BEATS_MONTE_CARLO,
        f"{statistics.fmean(each.paper for each in cells):.1%}",
        f"{wins / games:.1%} ({by_playouts})",
        verdict,
    )


def _all(outcome: Outcome) -> float:
    """The mean of all seeds, dead or alive."""
    return statistics.fmean(outcome.scores)


def _seeds(outcomes: Iterable[Outcome]) -> int:
    """How many networks were trained."""
    return sum(len(each.scores) for each in outcomes)


def _setting(outcome: Outcome) -> tuple[float, float]:
    return outcome.entry.network.alpha, outcome.entry.network.target


def _settings(outcomes: Iterable[Outcome]) -> set[tuple[float, float]]:
    return {_setting(each) for each in outcomes}


def _dead(outcomes: Sequence[Outcome]) -> float:
    """The share of networks that died."""
    return statistics.fmean(statistics.fmean(each.dead) for each in outcomes)


def _paper_dead(outcomes: Sequence[Outcome]) -> float:
    return statistics.fmean(each.paper_is_dead for each in outcomes)


def _death_error(outcomes: Sequence[Outcome]) -> float:
    """The variance of the share of the dead, from the seeds within each cell."""
    # A cell of one seed has no estimate of its variance: it counts as a coin toss.
    chances = [statistics.fmean(each.dead) for each in outcomes]
    variances = [
        chance * (1 - chance) / len(each.dead) if len(each.dead) > 1 else 0.25
        for chance, each in zip(chances, outcomes, strict=True)
    ]
    return sum(variances) / len(outcomes) ** 2


def _by_nodes(nodes: Sequence[int], shares: Sequence[float]) -> str:
    pairs = (f"{count}: {share:.1%}" for count, share in zip(nodes, shares, strict=True))
    return "mean by nodes " + ", ".join(pairs)


def _verdict(differences: Sequence[float]) -> str:
    """From differences in standard errors that should all be above zero."""
    if all(each > BEYOND for each in differences):
        return HOLDS
    return FAILS if any(each < -BEYOND for each in differences) else UNCERTAIN


MORE_LAYERS = "with more layers networks die more often"
MORE_NODES = "with one layer, more nodes help"
TAU_NO_HELP = "a temporal rate does not help on 6x6"
LEAKY_LIVES = "networks with leaky ReLU do not die"
LEAKY_BEST = "they are the best on 6x6 after a million games"
BEATS_MONTE_CARLO = "trained against Random, it beats Monte Carlo with 5 to 50 playouts on 6x6"
CLAIMS = (
    Claim(MORE_LAYERS, ("5.5", "5.6", "5.7", "5.8"), _layers),
    Claim(MORE_NODES, ("5.9", "5.10", "5.11", "5.12", "5.13"), _nodes),
    Claim(TAU_NO_HELP, ("5.14", "5.15"), _temporal),
    Claim(LEAKY_LIVES, ("5.16",), _leaky_lives),
    Claim(LEAKY_BEST, ("5.6", "5.8", "5.14", "5.15", "5.16"), _leaky_is_best),
    Claim(BEATS_MONTE_CARLO, ("5.17",), _monte_carlo),
)
