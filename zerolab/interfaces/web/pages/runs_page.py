"""Runs: all of them at a glance, their curves while they train, new ones begun by a form."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from html import escape
from typing import Any
from urllib.parse import urlencode

import numpy as np
from nicegui import run as threads
from nicegui import ui
from nicegui.events import GenericEventArguments
from starlette.requests import Request

from zerolab.errors import UsageError
from zerolab.experiments.sweeps.sweep_list import find_sweeps, sweep_of
from zerolab.interfaces.plots.curves import COLOURS, Series
from zerolab.interfaces.plots.run_graphs import graphs_of
from zerolab.interfaces.plots.run_plots import X_LABELS, XAxis, x_of
from zerolab.interfaces.web.command_process import CommandProcess
from zerolab.interfaces.web.parts.game_fields import CONTESTS, ChosenGame, GameFields
from zerolab.interfaces.web.parts.page_frame import AXIS, heading, page_frame
from zerolab.interfaces.web.safety import Rules
from zerolab.interfaces.web.site import Site
from zerolab.interfaces.web.training_orders import (
    PRESETS,
    Order,
    begin_training,
    resume_training,
)
from zerolab.training.runs.doctor import diagnose
from zerolab.training.runs.kept_games import GAMES
from zerolab.training.runs.logs import RunLog, open_log
from zerolab.training.runs.run_list import RunSummary, find_runs
from zerolab.training.settings.continuous_config import TrainingConfig
from zerolab.training.settings.flat_names import Settings, change_settings, parse_settings
from zerolab.training.settings.presets import choose_settings
from zerolab.training.settings.setting_docs import setting_docs

EVERY = 2.0  # seconds between looks at the logs
MOST_SHOWN = 6
PALETTE = (*COLOURS[:-1], "#8a8f98")  # black would not be seen in the dark
MOST_POINTS = 500  # of a line; a longer one is thinned out


def register(site: Site) -> None:
    """Give the page its address."""

    @ui.page("/runs")
    def runs(request: Request) -> None:
        RunsPage(site, request.query_params.getlist("show"), request.query_params.get("x", "step"))


class RunsPage:
    """A table, the curves of what is chosen there, and the form."""

    def __init__(self, site: Site, shown: list[str], x: str) -> None:
        self.site = site
        self.shown = [name for name in shown if len(name) < 500][:MOST_SHOWN]
        self.x: XAxis = "time" if x == "time" else "states" if x == "states" else "step"
        self._drawn: object = None
        self._charts: dict[str, ui.echart] = {}
        with page_frame("Runs"):
            heading(
                "Runs",
                "Every run below the directory of runs. Choose up to six to see their curves, "
                "which follow a run while it trains.",
            )
            with ui.element("div").classes("zl-col"):
                with ui.element("div").classes("zl-card"):
                    self._table()
                with ui.element("div").classes("zl-card") as self.curves:
                    self._curves()
                with ui.element("div").classes("zl-card"):
                    self._form()
        ui.timer(EVERY, self._look)

    # The parts of the page.

    def _table(self) -> None:
        self.table = ui.html("", sanitize=False)
        self.table.on(
            "click",
            self._clicked,
            js_handler="(e) => { const b = e.target.closest('[data-do]'); "
            "if (b) { e.preventDefault(); emit({do: b.dataset.do, run: b.dataset.run}); } }",
        )
        self.error = ui.label().classes("zl-error").props('role="alert"')

    def _curves(self) -> None:
        with ui.element("div").classes("zl-row zl-between"):
            ui.html("<h2>Curves</h2>", sanitize=False)
            axes = {"step": "by step", "time": "by time", "states": "by states"}
            toggle = ui.toggle(axes, value=self.x).props("no-caps dense")
            toggle.on_value_change(lambda event: self._set_x(event.value))
        self.legend = ui.html("", sanitize=False)
        self.warnings = ui.html("", sanitize=False)
        self.curve_error = ui.label().classes("zl-error").props('role="alert"')
        self.charts = ui.element("div").classes("zl-charts")

    def _form(self) -> None:
        ui.html("<h2>Start a run</h2>", sanitize=False)
        with ui.element("div").classes("zl-fields"):
            self.game = GameFields(CONTESTS, ChosenGame("clobber", "5x5"), self._show_settings)
            self.name = ui.input("name of the run", value="demo")
            self.minutes = ui.input("minutes", value="5")
            self.preset = ui.select(list(PRESETS), value="zerolab", label="preset")
        for field in (self.name, self.minutes, self.preset):
            field.props("dense outlined")
        with ui.expansion("All settings", on_value_change=self._show_settings).classes(
            "zl-field"
        ) as more:
            self.settings = ui.element("div").classes("zl-fields")
        self.more = more
        self.fields: dict[str, ui.input] = {}
        self.base: Settings = TrainingConfig()
        self.form_error = ui.label().classes("zl-error").props('role="alert"')
        ui.button("Start", icon="play_arrow", on_click=self._start).props("unelevated").style(
            "align-self:start"
        )
        self.preset.on_value_change(self._show_settings)

    # What people do.

    async def _show_settings(self) -> None:
        """A field for each setting, with what it means and its value in the preset."""
        self.settings.clear()
        self.fields.clear()
        if not self.more.value:
            return
        self.form_error.text = ""
        preset, chosen = str(self.preset.value), self.game.chosen
        try:
            # Some presets play random games to learn how long they are.
            base = await threads.io_bound(_preset, self.site.rules, preset, chosen)
        except UsageError as error:
            self.form_error.text = str(error)
            return
        assert base is not None
        docs = setting_docs(type(base))
        with self.settings:
            for key, value in base.flat().items():
                with ui.element("div"):
                    field = ui.input(key, placeholder=_text(value)).props(
                        "dense outlined stack-label"
                    )
                    field.on("blur", lambda key=key: self._check(key))
                    ui.label(docs[key]).classes("zl-soft")
                self.fields[key] = field
        self.base = base

    def _changed(self) -> dict[str, str]:
        return {
            key: str(field.value).strip()
            for key, field in self.fields.items()
            if str(field.value or "").strip()
        }

    def _check(self, key: str) -> None:
        """A sentence beside the field, if its value is not possible."""
        field, value = self.fields[key], self._changed().get(key)
        try:
            if value is not None:
                parse_settings(
                    type(self.base), change_settings(self.base, [f"{key}={value[:200]}"])
                )
            field.props(remove="error error-message")
        except UsageError as error:
            sentence = escape(str(error).removeprefix(f"{key}: "))
            field.props(f'error error-message="{sentence}"')
        field.update()

    async def _start(self) -> None:
        self.form_error.text = ""
        order = Order(
            *self.game.chosen,
            str(self.name.value or ""),
            str(self.preset.value),
            str(self.minutes.value or ""),
            self._changed(),
        )
        try:
            process = await threads.io_bound(begin_training, self.site.rules, order)
            assert process is not None
            self._begin(process)
        except UsageError as error:
            self.form_error.text = self.site.rules.public(str(error))[:400]

    def _begin(self, process: CommandProcess) -> None:
        self.site.children[process.name] = process
        self._show([*self.shown, process.name])

    def _clicked(self, event: GenericEventArguments) -> None:
        self.error.text = ""
        action, name = str(event.args.get("do")), str(event.args.get("run"))
        try:
            if action == "show":
                others = [each for each in self.shown if each != name]
                self._show(others if name in self.shown else [*others, name])
            elif action == "stop" and name in self.site.children:
                self.site.children[name].stop()
            elif action == "resume":
                self._begin(resume_training(self.site.rules, name, self._longer(name)))
        except UsageError as error:
            self.error.text = self.site.rules.public(str(error))[:400]

    def _longer(self, name: str) -> str:
        """Minutes in total: those of the form beyond what the run has had."""
        had = {run.name: run.minutes for run in find_runs(self.site.rules.runs)}.get(name, 0.0)
        try:
            return str(round(had + float(self.minutes.value), 2))
        except ValueError:
            raise UsageError(f"'{self.minutes.value}' minutes are not possible") from None

    def _set_x(self, x: XAxis) -> None:
        self.x = x
        self._show(self.shown)

    def _show(self, names: list[str]) -> None:
        self.shown = list(dict.fromkeys(names))[-MOST_SHOWN:]
        query = urlencode([("show", name) for name in self.shown] + [("x", self.x)])
        ui.navigate.history.replace(f"/runs?{query}")
        self._drawn = None

    # What there is to see.

    async def _look(self) -> None:
        starting = {name for name, child in self.site.children.items() if child.is_alive}
        found = await threads.io_bound(_read, self.site.rules, tuple(self.shown), starting)
        if found is None:  # the server is being stopped
            return
        runs, logs, failure, sweeps = found
        children = self.site.children
        own, trials = _apart(runs, sweeps, self.shown)
        self.table.content = _table_of(own, self.shown, children) + _sweeps(trials)
        failures = [f"{name}: {each.failure}" for name, each in children.items() if each.failure]
        if failures:
            self.error.text = self.site.rules.public(failures[-1])
        self.curves.visible = bool(self.shown)
        self.curve_error.text = failure
        key = self.x, [(log.directory, len(log.lines)) for log in logs]
        if key == self._drawn:
            return
        self._drawn = key
        self.legend.content = "".join(
            f'<span style="margin-right:16px"><span class="zl-swatch" style="background:{colour}">'
            f"</span>{escape(str(log.directory.relative_to(self.site.rules.runs)))}</span>"
            for log, colour in zip(logs, PALETTE, strict=False)
        )
        self.warnings.content = _warnings(logs)
        try:
            self._draw(logs)
        except UsageError as error:
            self.curve_error.text = str(error)

    def _draw(self, logs: list[RunLog]) -> None:
        wanted = charts_of(logs, self.x) if logs else {}
        for title in set(self._charts) - set(wanted):
            self._charts.pop(title).parent_slot.parent.delete()  # type: ignore[union-attr]  # it has one
        for title, options in wanted.items():
            chart = self._charts.get(title)
            if chart is None:
                with self.charts, ui.element("div"):
                    ui.label(title).classes("zl-soft").style("font-weight:600")
                    self._charts[title] = ui.echart(options)
            else:
                chart.options.clear()
                chart.options.update(options)
                chart.update()


def _preset(rules: Rules, preset: str, board: ChosenGame) -> Settings:
    return choose_settings(preset, rules.game(*board))


def _read(
    rules: Rules, names: tuple[str, ...], starting: set[str]
) -> tuple[list[RunSummary], list[RunLog], str, list[str]]:
    """The table, the logs of the chosen runs, what is wrong with one of them, and all sweeps."""
    logs, failure = [], ""
    for name in names:
        try:
            logs.append(open_log(rules.inside(name)))
        except UsageError as error:
            if name in starting:  # it has written nothing yet
                continue
            failure = f"{name}: {str(error).replace(str(rules.runs), 'runs')}"
    return find_runs(rules.runs), logs, failure, find_sweeps(rules.runs)


def charts_of(logs: list[RunLog], x: XAxis) -> dict[str, dict[str, Any]]:
    """A chart for each graph that has data, by title; of several runs the main series alone."""
    charts = {}
    for graph in graphs_of(logs):
        series: list[dict[str, Any]] = []
        for log, colour in zip(logs, PALETTE, strict=False):
            found = graph.draw.find(log)
            if len(logs) > 1:
                found = _main_series(found, graph.draw.ordered)
            for number, each in enumerate(found):
                points = _points(log, x, each.y)
                if points:
                    shade = PALETTE[number % len(PALETTE)] if len(logs) == 1 else colour
                    name = each.label if len(logs) == 1 else f"{log.directory.name}: {each.label}"
                    series.append(_line(name, points, shade))
        if series:
            charts[graph.title] = _chart(series, graph.unit, graph.limits, X_LABELS[x])
    return charts


def _main_series(found: list[Series], ordered: bool) -> list[Series]:
    """The one series that stands for a run among others: the first, or the middle of an order."""
    known = [each for each in found if np.isfinite(each.y).any()]
    if not known:
        return []
    return [known[len(known) // 2 if ordered else 0]]


def _points(log: RunLog, x: XAxis, y: Any) -> list[list[float]]:
    both = [
        [float(place), float(value)]
        for place, value in zip(x_of(log, x), y, strict=True)
        if place == place and value == value
    ]
    return both[:: max(1, -(-len(both) // MOST_POINTS))]


def _line(name: str, points: list[list[float]], colour: str) -> dict[str, Any]:
    return {
        "name": name,
        "type": "line",
        "data": points,
        "showSymbol": len(points) < 30,
        "symbolSize": 4,
        "lineStyle": {"width": 2},
        "itemStyle": {"color": colour},
    }


def _chart(
    series: list[dict[str, Any]], unit: str, limits: tuple[float | None, float | None], label: str
) -> dict[str, Any]:
    return {
        "animation": False,
        "grid": {"left": 52, "right": 14, "top": 30, "bottom": 34},
        "legend": {"top": 0, "type": "scroll", "itemWidth": 14, "textStyle": {"color": "#888888"}},
        "tooltip": {"trigger": "axis"},
        "xAxis": {
            **AXIS,
            "type": "value",
            "min": "dataMin",
            "max": "dataMax",
            "name": label,
            "nameLocation": "middle",
            "nameGap": 20,
            "splitLine": {"show": False},
        },
        "yAxis": {
            **AXIS,
            "type": "value",
            "min": limits[0],
            "max": limits[1],
            "scale": True,
            "name": "",
            "splitLine": {"lineStyle": {"color": "#88888833"}},
        },
        "series": series,
        "aria": {"enabled": True, "label": {"description": f"{unit} by {label}"}},
    }


def _warnings(logs: list[RunLog]) -> str:
    found = []
    for log in logs:
        try:
            words = diagnose(log.lines)
        except (KeyError, TypeError, IndexError):  # a log of another kind of run
            continue
        found += [f"<b>{escape(log.directory.name)}</b>: {escape(each)}" for each in words.values()]
    return "".join(f'<p class="zl-error">{each}</p>' for each in found)


def _apart(
    runs: Sequence[RunSummary], sweeps: Sequence[str], shown: Collection[str]
) -> tuple[list[RunSummary], dict[str, int]]:
    """The runs of the table, and how many others are trials of each sweep, neither shown nor
    running: a sweep may have hundreds.
    """
    own, trials = [], Counter[str]()
    for run in runs:
        sweep = sweep_of(run.name, sweeps)
        if sweep is None or run.is_running or run.name in shown:
            own.append(run)
        else:
            trials[sweep] += 1
    return own, trials


def _sweeps(trials: Mapping[str, int]) -> str:
    """Where the runs are that the table leaves out."""
    links = [
        f'<a href="/studies?{urlencode({"sweep": name})}">{escape(name)}</a> ({count} runs)'
        for name, count in trials.items()
    ]
    return f'<p class="zl-soft">Sweeps: {", ".join(links)}</p>' if links else ""


def _table_of(runs: list[RunSummary], shown: list[str], children: dict[str, CommandProcess]) -> str:
    known = {run.name for run in runs}
    rows = [
        f'<tr><td></td><td><b>{escape(name)}</b></td><td><span class="zl-tag">starting</span></td>'
        f'<td colspan="5" class="zl-soft">compiling and preparing</td><td></td><td></td></tr>'
        for name, child in children.items()
        if child.is_alive and name not in known
    ]
    for run in runs:
        name = escape(run.name, quote=True)
        mine = run.name in children and children[run.name].is_alive
        state = '<span class="zl-tag zl-ok">training</span>' if run.is_running else "stopped"
        button = ""
        if mine:
            button = f'<a href="#" data-do="stop" data-run="{name}">stop</a>'
        elif not run.is_running and run.loop != "supervised" and run.game != "?":
            button = f'<a href="#" data-do="resume" data-run="{name}">resume</a>'
        games = ""
        if (run.directory / GAMES).is_file():
            games = f'<a href="/replay?{urlencode({"run": run.name})}">games</a>'
        mark = "checked" if run.name in shown else ""
        rows.append(
            f'<tr><td><input type="checkbox" data-do="show" data-run="{name}" {mark} '
            f'aria-label="show the curves of {name}"></td><td><b>{name}</b></td><td>{state}</td>'
            f'<td>{escape(run.game)}</td><td>{run.step:,}<span class="zl-unit"> steps</span></td>'
            f"<td>{run.minutes:.1f} min</td>"
            f"<td>{_ago(run.seconds_ago)}</td><td>{escape(run.strength)}</td>"
            f"<td>{games}</td><td>{button}</td></tr>"
        )
    if not rows:
        return '<p class="zl-soft">There is no run yet: start one below.</p>'
    head = "".join(
        f"<th>{each}</th>"
        for each in ("", "run", "state", "game", "step", "trained", "last step", "strength", "", "")
    )
    table = f'<table class="zl-grid zl-runs"><tr>{head}</tr>{"".join(rows)}</table>'
    return f'<div class="zl-scroll zl-tall">{table}</div>'


def _ago(seconds: float) -> str:
    for size, unit in ((86400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit} ago"
    return f"{max(0, seconds):.0f} seconds ago"


def _text(value: object) -> str:
    return (
        "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
    )
