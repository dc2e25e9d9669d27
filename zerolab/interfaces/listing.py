"""Tables of what there is: games, players, studies and their reports, benchmarks."""

import importlib
from typing import Any

from zerolab.interfaces.output import Output


def show_games(out: Output) -> None:
    """The games with their parameters, and the players."""
    from zerolab.evaluation.players import PLAYERS
    from zerolab.games.catalogue import GAMES

    games: dict[str, dict[str, Any]] = {}
    for name, entry in GAMES.items():
        record = getattr(importlib.import_module(f"zerolab.games.{entry.module}"), entry.record)
        defaults = {**record._field_defaults, **entry.preset}
        parameters = {
            key: getattr(value, "name", str(value)).lower() for key, value in defaults.items()
        }
        games[name] = {"summary": entry.summary, "parameters": parameters}
    rows = []
    for name, about in games.items():
        parameters = dict(about["parameters"])
        size = "-"
        if "rows" in parameters:
            size = f"{parameters.pop('rows')}x{parameters.pop('cols')}"
        options = " ".join(
            f"{key}={value!r}" if " " in value else f"{key}={value}"
            for key, value in parameters.items()
        )
        rows.append((name, size, options, about["summary"]))
    out.table("Games", ("name", "default size", "options and defaults", "rules"), rows)
    out.table("Players", ("name", "plays"), [*PLAYERS.items(), ("human", "you (zerolab play)")])
    out.result({"games": games, "players": [*PLAYERS, "human"]})


def show_studies(out: Output) -> None:
    """The studies there are."""
    from zerolab.studies.catalogue import STUDIES

    rows = [(name, study.summary) for name, study in STUDIES.items()]
    out.table("Studies", ("name", "what it reproduces"), rows)
    out.result({"studies": {name: study.summary for name, study in STUDIES.items()}})


def show_report(out: Output, name: str, full: bool, seed: int) -> None:
    """Run a study and compare."""
    from zerolab.studies.catalogue import run_study

    with out.progress(name, 1, "games") as advance_to:
        report = run_study(name, full, seed, lambda done, total: advance_to(done / total))
    rows = [
        (
            *cell.setting,
            f"{cell.paper_wins / cell.paper_games:.2%}",
            f"{cell.wins / cell.games:.2%}",
            f"{cell.difference:+.1f}",
            "agrees" if cell.agrees else "differs",
        )
        for cell in report.cells
    ]
    verdict = f"{report.agreeing} of {report.expected_cells} agree within 3 standard errors"
    if not report.is_complete:
        verdict += f"; stopped after {len(report.cells)} cells"
    out.table(
        f"{name}: {report.title}",
        (*report.columns, "paper", "ours", "standard errors", "verdict"),
        rows,
        f"{verdict}; {report.cells[0].games:,} games a cell" if report.cells else verdict,
    )
    out.result(
        {
            "study": name,
            "scale": "full" if full else "quick",
            "seed": seed,
            "cells": [
                {
                    **dict(zip(report.columns, cell.setting, strict=True)),
                    "paper": cell.paper_wins / cell.paper_games,
                    "ours": cell.wins / cell.games,
                    "games": cell.games,
                    "standard_errors": cell.difference,
                    "agrees": cell.agrees,
                }
                for cell in report.cells
            ],
            "complete": report.is_complete,
            "reproduced": report.reproduced,
        }
    )


def show_bench(out: Output, peers: bool, seconds: float) -> None:
    """Random games a second, ours beside others."""
    from zerolab.studies.benchmarks import PLAYOUTS, bench_playouts

    with out.progress("playouts", len(PLAYOUTS), "games") as advance_to:
        speeds = bench_playouts(peers, seconds, lambda done, total: advance_to(done))
    out.table(
        "Random games a second, one core",
        ("game", "zerolab", "OpenSpiel from Python", "ratio", "by hand", "share of that"),
        [
            (
                *(speed.game, f"{speed.ours:,.0f}"),
                *(
                    (f"{speed.peer:,.0f}", f"{speed.ours / speed.peer:.0f}x")
                    if speed.peer
                    else "--"
                ),
                *(
                    (f"{speed.limit:,.0f}", f"{speed.ours / speed.limit:.0%}")
                    if speed.limit
                    else "--"
                ),
            )
            for speed in speeds
        ],
    )
    out.result(
        {
            "ratios": {speed.game: speed.ours / speed.peer for speed in speeds if speed.peer},
            "limits": {speed.game: speed.ours / speed.limit for speed in speeds if speed.limit},
            "games_per_second": {speed.game: speed._asdict() for speed in speeds},
        }
    )
