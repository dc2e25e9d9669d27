"""All tables of damhuis, and its conclusions."""

from collections.abc import Sequence
from pathlib import Path

from zerolab.studies.damhuis.claims import judge
from zerolab.studies.damhuis.network_reports import reports
from zerolab.studies.damhuis.online_networks import DIRECTORY, OnProgress, run_tables, shrunken
from zerolab.studies.damhuis.simple_players import table_5_1, table_5_2, table_5_3
from zerolab.studies.report import Report

# Games a cell in Tables 5.1 to 5.3, if networks have fewer than in the thesis.
QUICK = ((table_5_1, 10_000), (table_5_2, 100), (table_5_3, 100))


def everything(
    names: Sequence[str], size: int | None, seed: int, results: Path | None, on_progress: OnProgress
) -> list[Report]:
    """All tables of networks, the statements, and the tables of other agents.

    If it is stopped, the report has the tables that were begun.
    """
    *tables, statements = _networks(names, size, seed, results, on_progress)
    if not all(each.is_complete for each in tables):
        return [*(each for each in tables if each.values), statements]
    found = [*tables, statements]
    for run, quick in QUICK:
        found.append(run(None if size is None else quick, seed, lambda done, total: None))
        if not found[-1].is_complete:
            break
    return found


def claims(
    names: Sequence[str], size: int | None, seed: int, results: Path | None, on_progress: OnProgress
) -> list[Report]:
    """The statements, from the tables that they need."""
    return _networks(names, size, seed, results, on_progress)[-1:]


def _networks(
    names: Sequence[str], size: int | None, seed: int, results: Path | None, on_progress: OnProgress
) -> list[Report]:
    scale = shrunken(size)
    path = results or DIRECTORY / f"{scale.name}.jsonl"
    tables = run_tables(names, scale, seed, path, on_progress)
    return [*reports(path, tables), judge(tables)]
