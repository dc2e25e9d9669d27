"""What `zerolab study` shows: tables, pictures, pages."""

from pathlib import Path
from typing import Any

from zerolab.errors import UsageError
from zerolab.interfaces.views.output import Output
from zerolab.studies.registry import STUDIES, run_study
from zerolab.studies.report import Report


def show_studies(out: Output) -> None:
    """List the studies."""
    rows = [(name, study.summary) for name, study in STUDIES.items()]
    out.table("Studies", ("name", "what it reproduces"), rows)
    out.result({"studies": {name: study.summary for name, study in STUDIES.items()}})


def show_reports(
    out: Output,
    name: str,
    scale: str,
    seed: int,
    results: Path | None,
    page: Path | None,
    data: Path | None = None,
) -> None:
    """Run a study and compare."""
    if page is not None and page.suffix != ".md":
        raise UsageError(f"--page {page} is not possible; expected a name that ends in .md")
    with out.progress(name, 1, "") as advance_to:
        reports = run_study(
            *(name, scale, seed), lambda done, total: advance_to(done / total), results, data
        )
    for report in reports:
        _show(out, name, report if page is None else report._replace(picture=None))
    if page is not None:
        from zerolab.interfaces.views.pages import write_page

        write_page(out, page, name, reports)
        out.line(f"page: {page}")
    about = {"study": name, "scale": scale, "seed": seed}
    parts = [_values(report) for report in reports]
    out.result(about | (parts[0] if len(parts) == 1 else {"tables": parts}))


def _show(out: Output, name: str, report: Report) -> None:
    from zerolab.interfaces.plots.run_plots import draw_curves

    out.table(f"{name}: {report.title}", report.headings, report.rows, report.verdict)
    for directory in report.runs:
        draw_curves(out, directory)
    if report.picture is not None:
        from zerolab.interfaces.plots.charts import draw_report

        try:
            if draw_report(report, report.picture):
                out.line(f"picture: {report.picture}")
        except UsageError as error:
            out.note(f"no picture: {error}")


def _values(report: Report) -> dict[str, Any]:
    return {
        "title": report.title,
        "cells": report.values,
        "verdict": report.verdict,
        "complete": report.is_complete,
        "reproduced": report.reproduced,
    }
