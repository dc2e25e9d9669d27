"""The card of a sweep: which settings are good, which matter, and what they cost."""

from collections.abc import Callable
from html import escape
from pathlib import Path
from urllib.parse import urlencode

from nicegui import run as threads
from nicegui import ui

from zerolab.errors import UsageError
from zerolab.experiments.sweeps.sweep_list import find_sweeps
from zerolab.interfaces.web.parts.front_chart import front_chart
from zerolab.interfaces.web.safety import Rules
from zerolab.interfaces.web.site import Site
from zerolab.interfaces.web.workers.sweep_task import LookAtSweep, SeenSweep, SeenTrial
from zerolab.interfaces.web.workers.worker_pool import Job

HOW = (
    "A sweep trains under many settings: zerolab sweep … --dir DIRECTORY. Those below the "
    "directory of runs are shown here, also while they go on."
)


class SweepCard:
    """Shows a sweep; a worker reads it, whenever it has changed."""

    def __init__(self, site: Site, chosen: str, on_chosen: Callable[[], None]) -> None:
        self.site = site
        self._job: Job | None = None
        self._seen: object = None
        with ui.element("div").classes("zl-card"):
            ui.html("<h2>Sweeps</h2>", sanitize=False)
            ui.label(HOW).classes("zl-soft")
            self.shown = ui.select({}, label="sweep").props("dense outlined").classes("zl-field")
            self.error = ui.label().classes("zl-error").props('role="alert"')
            self.summary = ui.label().classes("zl-soft")
            self.meanings = ui.html("", sanitize=False).classes("zl-soft")
            with ui.element("div") as self.front:
                ui.label(
                    "Pareto front: none beats the trials on the line in both objectives"
                ).classes("zl-soft").style("font-weight:600")
                self.chart = ui.echart({"series": []})
            self.importances = ui.html("", sanitize=False)
            self.table = ui.html("", sanitize=False)
        self._clear()
        names = find_sweeps(site.rules.runs)
        self.shown.set_options(names, value=chosen if chosen in names else next(iter(names), None))
        self.shown.visible = bool(names)
        self.shown.on_value_change(on_chosen)
        ui.context.client.on_delete(self._leave)

    def _leave(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def _clear(self) -> None:
        self.front.visible = False
        self.error.text = self.summary.text = ""
        self.table.content = self.importances.content = self.meanings.content = ""

    async def look(self) -> None:
        """Read the sweep again if it has changed."""
        names = await threads.io_bound(find_sweeps, self.site.rules.runs)
        if names is None:  # the server is being stopped
            return
        if names != self.shown.options:
            value = self.shown.value if self.shown.value in names else next(iter(names), None)
            self.shown.set_options(names, value=value)
            self.shown.visible = bool(names)
        name = str(self.shown.value or "")
        if not name or (self._job is not None and not self._job.is_over):
            return
        try:
            seen = name, _touched(self.site.rules, name)
        except UsageError as error:
            self._clear()
            self.error.text = str(error)
            return
        if seen == self._seen:
            return
        if self._seen is None or self._seen[0] != name:  # type: ignore[index]  # a pair
            self._clear()
            self.summary.text = "The sweep is read…"
        self._seen = seen
        task = LookAtSweep(self.site.rules.inside(name))
        self._job = self.site.pool.submit(task, self._show, self._failed, slow=True)

    def _failed(self, failure: str) -> None:
        if failure:
            self._clear()
            self.error.text = self.site.rules.public(failure)

    def _show(self, sweep: SeenSweep) -> None:
        self.error.text = ""
        saved = sweep.time_saved
        pruned = "" if saved is None else f" Pruning has saved {saved:.0%} of the time."
        self.summary.text = f"{sweep.title}.{pruned}"
        self.meanings.content = "".join(
            f"<div><b>{escape(name)}</b>: {escape(meaning)}</div>"
            for name, meaning in zip(sweep.objectives, sweep.meanings, strict=True)
        )
        self.front.visible = len(sweep.objectives) > 1 and any(each.values for each in sweep.trials)
        if self.front.visible:
            self.chart.options.clear()
            self.chart.options.update(sweep_chart(sweep))
            self.chart.update()
        self.importances.content = _importances(sweep)
        self.table.content = _table(sweep, self.site.rules.runs)


def _touched(rules: Rules, name: str) -> list[float]:
    """When the files of a sweep were written; UsageError if one is a link that leads outside."""
    paths = [rules.inside(f"{name}/{file}") for file in ("sweep.json", "sweep.db")]
    return [path.stat().st_mtime if path.is_file() else 0.0 for path in paths]


def sweep_chart(sweep: SeenSweep) -> dict[str, object]:
    """The first objective against the second, with the trials that none beats in all."""
    done = [each for each in sweep.trials if each.values]
    points = [(", ".join(each.settings), each.values[1], each.values[0]) for each in done]
    front = sorted((n for n, each in enumerate(done) if each.is_best), key=lambda n: points[n][1])
    return front_chart(points, front, sweep.objectives[1], sweep.objectives[0], step=None)


def _importances(sweep: SeenSweep) -> str:
    if not sweep.importances:
        return ""
    head = "".join(f"<th>{escape(name)}</th>" for name in sweep.importances)
    rows = "".join(
        f'<tr><td class="zl-mono">{escape(name)}</td>'
        + "".join(f"<td>{_meter(each.get(name, 0.0))}</td>" for each in sweep.importances.values())
        + "</tr>"
        for name in sweep.varied
    )
    return (
        '<div class="zl-soft" style="font-weight:600">What explains the differences (fANOVA)</div>'
        f'<div class="zl-scroll"><table class="zl-cands"><tr><th>setting</th>{head}</tr>{rows}'
        "</table></div>"
    )


def _meter(share: float) -> str:
    return (
        f'<div class="zl-meter"><i style="width:{100 * share:.0f}%"></i>'
        f"<span>{share:.0%}</span></div>"
    )


def _table(sweep: SeenSweep, runs: Path) -> str:
    heads = [f"<th>{escape(each)}</th>" for each in ("trial", *sweep.varied, *sweep.objectives)]
    rows = "".join(_row(sweep, each, runs) for each in sweep.trials)
    return (
        '<div class="zl-scroll" style="max-height:480px"><table class="zl-grid">'
        f"<tr>{''.join(heads)}<th>seconds</th><th></th><th></th></tr>{rows}</table></div>"
    )


def _row(sweep: SeenSweep, trial: SeenTrial, runs: Path) -> str:
    state = escape(trial.state)
    if trial.is_best:
        state = '<span class="zl-tag zl-ok">best</span>'
    elif trial.state == "complete":
        state = ""
    texts = trial.texts if trial.values else ("",) * len(sweep.objectives)
    seconds = (
        "" if trial.seconds is None else f"{trial.seconds:,.{1 if trial.seconds < 10 else 0}f}"
    )
    cells = [str(trial.number), *map(escape, trial.settings), *map(escape, texts), seconds, state]
    return f"<tr>{''.join(f'<td>{each}</td>' for each in (*cells, _curves(trial, runs)))}</tr>"


def _curves(trial: SeenTrial, runs: Path) -> str:
    """A link to the curves of its runs, as far as they are below the directory."""
    names = [Path(each) for each in trial.runs]
    shown = [("show", str(each.relative_to(runs))) for each in names if each.is_relative_to(runs)]
    return f'<a href="/runs?{urlencode(shown)}">curves</a>' if shown else ""
