"""The networks of damhuis compared with ours: tables, verdicts, heat maps."""

import math
import statistics
from collections.abc import Sequence
from pathlib import Path

from zerolab.experiments.cells import Record
from zerolab.studies.damhuis.network_tables import GRIDS, TABLES, TESTS, Network
from zerolab.studies.damhuis.online_networks import (
    DIRECTORY,
    USUAL_SPREAD,
    OnProgress,
    Outcome,
    run_tables,
    shrunken,
)
from zerolab.studies.report import HeatMap, Report


def study_tables(
    names: Sequence[str], size: int | None, seed: int, results: Path | None, on_progress: OnProgress
) -> list[Report]:
    """Some tables, each compared with the thesis's."""
    scale = shrunken(size)
    path = results or DIRECTORY / f"{scale.name}.jsonl"
    return reports(path, run_tables(names, scale, seed, path, on_progress))


def reports(path: Path, tables: dict[str, list[Outcome]]) -> list[Report]:
    """The reports of tables; pictures are drawn beside the file of results."""
    return [
        report(name, outcomes)._replace(picture=path.with_name(f"{path.stem}-{name}.png"))
        for name, outcomes in tables.items()
    ]


def report(name: str, outcomes: Sequence[Outcome]) -> Report:
    """A table compared with the thesis's."""
    table = TABLES[name]
    title = f"Table {name}" if name[0].isdigit() else "In the text"
    spread = spread_of(outcomes)
    verdicts = [outcome.verdict(spread) for outcome in outcomes]
    expected = len(table.entries)
    agreeing = verdicts.count("agrees")
    counts = ", ".join(
        f"{verdicts.count(each)} {each}"
        for each in ("differs", "died there only", "died here only")
        if each in verdicts
    )
    text = f"{agreeing} of {expected} agree" + (f" ({counts})" if counts else "")
    if len(outcomes) < expected:
        text += f"; {expected - len(outcomes)} are missing"
    several = any(len(each.living) > 1 for each in outcomes)
    text += f"; seeds {'differ' if several else 'may differ'} by {spread:.1%}"
    text += lead_in_words(outcomes)
    judged = list(zip(outcomes, verdicts, strict=True))
    headings, rows = _as_grid(name, judged) if name in GRIDS else _as_list(judged)
    return Report(
        f"{title}: {table.title}",
        headings,
        rows,
        [_values(*pair) for pair in judged],
        text + (GRID_NOTE if name in GRIDS else ""),
        is_complete=len(outcomes) == expected,
        reproduced=agreeing == expected,
        heat_map=heat_map(name, outcomes),
    )


Judged = Sequence[tuple[Outcome, str]]
Rows = tuple[tuple[str, ...], list[tuple[str, ...]]]


def _as_grid(name: str, judged: Judged) -> Rows:
    """Learning rates below each other, targets side by side, as in the thesis."""
    grid = GRIDS[name]
    found = {
        (each.entry.network.alpha, each.entry.network.target): (each, verdict)
        for each, verdict in judged
    }
    rows = []
    for alpha, wins in grid.wins.items():
        ours = [_cell(*found.get((alpha, target), (None, ""))) for target in grid.targets]
        rows.append((short(alpha), "ours", *ours))
        rows.append(("", "thesis", *(f"{100 * each / TESTS:.1f}" for each in wins)))
    return ("rate", "target", *map(str, grid.targets)), rows


GRID_NOTE = (
    "; wins in per cent, the mean of those that live; + died, with several seeds how many; "
    "! does not agree"
)


def _cell(outcome: Outcome | None, verdict: str) -> str:
    if outcome is None:
        return "--"
    dead = sum(outcome.dead)
    text = f"{100 * outcome.mean:.1f}"
    if dead:
        text += "+" if dead == len(outcome.dead) else f"+{dead}"
    return text + ("" if verdict == "agrees" else "!")


def _as_list(judged: Judged) -> Rows:
    headings = ("network", "opponent", "thesis", "ours", "spread", "dead", "verdict")
    return headings, [_row(*pair) for pair in judged]


def spread_of(outcomes: Sequence[Outcome]) -> float:
    """The standard deviation between seeds, from all cells with several living networks."""
    variances = [
        (statistics.variance(each.living), len(each.living) - 1)
        for each in outcomes
        if len(each.living) > 1
    ]
    freedom = sum(weight for _, weight in variances)
    if not freedom:
        return USUAL_SPREAD
    return math.sqrt(sum(variance * weight for variance, weight in variances) / freedom)


def lead_in_words(outcomes: Sequence[Outcome]) -> str:
    """By how much ours win more than the thesis's on average, where both live.

    Single cells agree easily where seeds differ much; this mean shows when a whole table does not.
    """
    leads = [each.mean - each.paper for each in outcomes if each.living and not each.paper_is_dead]
    if len(leads) < 2:
        return ""
    error = statistics.stdev(leads) / math.sqrt(len(leads))
    return f"; where both live ours win {statistics.fmean(leads):+.1%} ± {error:.1%} more"


def short(number: float) -> str:
    """2e-5, 3.7e-6."""
    return f"{number:.1e}".replace(".0e", "e").replace("e-0", "e-")


def describe(network: Network) -> str:
    """In a few words."""
    nodes = "+".join(map(str, network.hidden))
    text = f"{network.board}, {nodes} nodes, rate {short(network.alpha)}, target {network.target:g}"
    if network.tau:
        text += f", tau {network.tau:g}"
    if network.games > 1_000_000:
        text += f", {network.games // 1_000_000} million games"
    return text + (", leaky" if network.slope else "")


def _row(outcome: Outcome, verdict: str) -> tuple[str, ...]:
    living = outcome.living
    spread = f"{statistics.stdev(living):.1%}" if len(living) > 1 else "--"
    return (
        *(describe(outcome.entry.network), outcome.entry.opponent),
        *(f"{outcome.paper:.1%}" + (" dead" if outcome.paper_is_dead else ""),),
        *(f"{outcome.mean:.1%}", spread, f"{sum(outcome.dead)} of {len(outcome.dead)}", verdict),
    )


def _values(outcome: Outcome, verdict: str) -> Record:
    return {
        **outcome.entry.network._asdict(),
        "opponent": outcome.entry.opponent,
        "paper": outcome.paper,
        "paper_is_dead": outcome.paper_is_dead,
        "ours": outcome.mean,
        "scores": outcome.scores,
        "dead": sum(outcome.dead),
        "seeds": len(outcome.scores),
        "difference": outcome.mean - outcome.paper,
        "verdict": verdict,
    }


def heat_map(name: str, outcomes: Sequence[Outcome]) -> HeatMap | None:
    """Learning rates against targets, for the tables that have them."""
    if name not in GRIDS:
        return None
    grid = GRIDS[name]
    found = {(each.entry.network.alpha, each.entry.network.target): each for each in outcomes}
    cells = [[found.get((alpha, target)) for target in grid.targets] for alpha in grid.wins]
    return HeatMap(
        rows=tuple(map(short, grid.wins)),
        columns=tuple(map(str, grid.targets)),
        axes=("learning rate", "target"),
        paper=tuple(tuple(wins / TESTS for wins in row) for row in grid.wins.values()),
        ours=tuple(tuple(cell and cell.mean for cell in row) for row in cells),
        marks=tuple(tuple(_mark(cell) for cell in row) for row in cells),
    )


def _mark(outcome: Outcome | None) -> str:
    if outcome is None or not any(outcome.dead):
        return ""
    dead = sum(outcome.dead)
    return "dead" if dead == len(outcome.dead) else f"{dead} of {len(outcome.dead)} dead"
