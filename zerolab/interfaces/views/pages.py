"""A study as a page of Markdown, with its pictures beside it."""

from collections.abc import Sequence
from pathlib import Path

from zerolab.errors import UsageError
from zerolab.files import replacing
from zerolab.interfaces.plots.charts import draw_report
from zerolab.interfaces.views.output import Output
from zerolab.studies.report import Report


def write_page(out: Output, path: Path, name: str, reports: Sequence[Report]) -> None:
    """Write the page; pictures that cannot be drawn are left out."""
    parts = [f"# {name}", f"Made by `zerolab study {name} --page FILE`; do not edit."]
    for report in reports:
        verdict = report.verdict[0].upper() + report.verdict[1:] + "."
        parts += [f"## {report.title}", _table(report), verdict]
        if report.picture is not None:
            picture = path.with_name(f"{report.picture.stem}.svg")
            try:
                if draw_report(report, picture):
                    parts.append(f"![{report.title}]({picture.name})")
            except UsageError as error:
                out.note(f"no picture: {error}")
    with replacing(path) as file:
        file.write(("\n\n".join(parts) + "\n").encode())


def _table(report: Report) -> str:
    return "\n".join(_line(row) for row in (report.headings, _rule(report.headings), *report.rows))


def _rule(headings: Sequence[str]) -> Sequence[str]:
    return ["---"] * len(headings)


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"
