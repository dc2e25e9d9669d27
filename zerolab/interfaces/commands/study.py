"""zerolab study: tables of papers, compared with our numbers."""

from pathlib import Path
from typing import Annotated, Literal

import tyro

from zerolab.errors import UsageError
from zerolab.interfaces.commands.arguments import Seed
from zerolab.interfaces.views.output import Output


def study(
    name: Annotated[str | None, tyro.conf.Positional, tyro.conf.arg(metavar="NAME")] = None,
    list: bool = False,
    scale: Literal["quick", "evening", "full"] = "quick",
    seed: Seed = 1,
    results: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None,
    data: Annotated[Path | None, tyro.conf.arg(metavar="PATH")] = None,
    page: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None,
    json: bool = False,
) -> None:
    """Reproduce a table of a paper: its numbers, ours, and whether they agree.

    Examples: zerolab study damhuis-5.1 --scale full;
    zerolab study damhuis-5.4 --page report.md

    Args:
        name: Name of the study; --list shows all.
        list: List the studies.
        scale: quick takes seconds or minutes; evening, which some studies have, about two hours;
            full has the size of the paper.
        seed: The same seed gives the same numbers.
        results: The file that keeps experiments, for studies that keep them; experiments in it are
            not repeated. Default a file below runs.
        data: Game records for studies that learn from them: a file or a directory; default the
            games that come with zerolab.
        page: Also write the tables to this file (.md), with pictures beside it.
        json: Print one JSON object and nothing else.
    """
    from zerolab.interfaces.views import study_view as studying

    out = Output(json)
    if list or name is None:
        studying.show_studies(out)
        if not list:
            raise UsageError("no study is named; name one of those above")
        return
    studying.show_reports(out, name, scale, seed, results, page, data)
