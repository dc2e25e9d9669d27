"""The report: how many mutants were noticed in each area, and which were not.

Survivors are explained in a file of TOML, a table per mutant with its name:

    [3f0c2a91be]
    # zerolab/search/batched/puct.py:40: `a < b` -> `a <= b`
    why = "equal values are visited in the same order"
    equivalent = true

An equivalent mutant gives nothing else that anybody could notice; the score leaves it out. A draw
that is an estimate is not tried again: there a survivor that got a test stays one, and `now` names
the test.
"""

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tests.mutation.results import WAITING, Result
from tests.mutation.trial import FAULTY, KILLED, SURVIVED, TIMEOUT

_HEAD = (
    "| area | mutants | killed | out of time | equivalent | survivors | score |\n"
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
)
_LONGEST = 160

Explanations = Mapping[str, Mapping[str, Any]]


def explanations(path: Path) -> Explanations:
    """Why survivors survive, by their names."""
    return tomllib.loads(path.read_text("utf-8")) if path.exists() else {}


def report(results: Iterable[Result], explained: Explanations) -> str:
    """The tables of the page, in Markdown."""
    rows = list(results)
    areas = sorted({row.area for row in rows})
    parts = ["\n".join([_HEAD, *(_row(area, rows, explained) for area in [*areas, "all"])])]
    unsettled = [row for row in rows if row.outcome in (WAITING, FAULTY)]
    if unsettled:
        parts.append(f"{len(unsettled)} mutants have not been tried, or need another trial.")
    survivors = [row for row in rows if row.outcome == SURVIVED]
    told = [row for row in survivors if _why(row, explained)]
    noticed = [row for row in survivors if _noticed_by(row, explained)]
    tested = f" {len(noticed)} of them are noticed now." if noticed else ""
    parts.append(f"{len(told)} of {len(survivors)} survivors are explained.{tested}")
    if survivors:
        lines = ["| survivor | change | why |", "| --- | --- | --- |"]
        for row in sorted(survivors, key=lambda row: (row.area, row.path, row.line)):
            why = _why(row, explained) or "**not explained yet**"
            lines.append(f"| {row.path}:{row.line} (`{row.name}`) | {_change(row)} | {why} |")
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def _row(area: str, rows: list[Result], explained: Explanations) -> str:
    own = [row for row in rows if area in (row.area, "all")]
    settled = [row for row in own if row.outcome in (KILLED, TIMEOUT, SURVIVED)]
    killed, late, survived = (
        [row for row in settled if row.outcome == outcome]
        for outcome in (KILLED, TIMEOUT, SURVIVED)
    )
    same = [row for row in survived if _is_equivalent(row, explained)]
    counted = len(settled) - len(same)
    score = f"{100 * (len(killed) + len(late)) / counted:.0f} %" if counted else ""
    counts = (own, killed, late, same, survived)
    cells = [len(each) for each in counts[:-1]] + [len(survived) - len(same)]
    return f"| {area} | {' | '.join(map(str, cells))} | {score} |"


def _why(row: Result, explained: Explanations) -> str:
    why = str(explained.get(row.name, {}).get("why", ""))
    if why and _is_equivalent(row, explained):
        why = f"equivalent: {why}"
    test = _noticed_by(row, explained)
    return f"{why} Noticed now by {_code(test)}." if why and test else why


def _noticed_by(row: Result, explained: Explanations) -> str:
    return str(explained.get(row.name, {}).get("now", ""))


def _is_equivalent(row: Result, explained: Explanations) -> bool:
    return bool(explained.get(row.name, {}).get("equivalent", False))


def _change(row: Result) -> str:
    return f"{_code(row.before)} -> {_code(row.after) if row.after else 'nothing'}"


def _code(text: str) -> str:
    short = text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
    fence = "``" if "`" in short else "`"
    return f"{fence}{short}{fence}".replace("|", "\\|")


def marks(results: Path) -> tuple[str, str]:
    """What stands in a page before and after the report of a file of results."""
    return f"<!-- {results.stem} -->", f"<!-- end of {results.stem} -->"


def write(page: Path, results: Path, text: str) -> None:
    """Put the report of a file of results into a page, between its two marks."""
    begin, end = marks(results)
    before, found, rest = page.read_text("utf-8").partition(begin)
    _, closed, after = rest.partition(end)
    if not (found and closed):
        raise SystemExit(f"{page} has no place for the tables: no lines {begin} and {end}")
    page.write_text(f"{before}{begin}\n{text}{end}{after}", "utf-8")


def ask(path: Path, results: Iterable[Result]) -> None:
    """Make room in the file of explanations for each survivor that has none."""
    known = explanations(path)
    with path.open("a", encoding="utf-8") as file:
        for row in results:
            if row.outcome == SURVIVED and row.name not in known:
                file.write(
                    f"\n[{row.name}]\n# {row.path}:{row.line}: {row.before} -> {row.after}\n"
                )
                file.write('why = ""\n')
