"""The card of a study: the numbers of a paper beside ours."""

from collections.abc import Callable
from html import escape
from typing import Any

from nicegui import run as threads
from nicegui import ui

from zerolab.interfaces.web.command_process import result_of
from zerolab.interfaces.web.pages.command_card import CommandCard
from zerolab.interfaces.web.site import Site
from zerolab.studies.registry import STUDIES

MOST_ROWS = 200


class StudyCard(CommandCard):
    """Runs a study, says how far it is, and shows what came out."""

    def __init__(self, site: Site, chosen: str, on_chosen: Callable[[], None]) -> None:
        super().__init__(site)
        self._on_chosen = on_chosen
        with ui.element("div").classes("zl-card"):
            ui.html("<h2>Studies</h2>", sanitize=False)
            names = {name: f"{name}: {study.summary}" for name, study in STUDIES.items()}
            with ui.element("div").classes("zl-row"):
                self.study = ui.select(names, value=chosen, label="study")
                self.study.classes("zl-grow").style("flex-basis:260px")  # on a phone a line alone
                self.scale = ui.select(list(STUDIES[chosen].scales), value="quick", label="scale")
                ui.button("Run", icon="play_arrow", on_click=self._run).props("unelevated")
                self.stopping = ui.button("Stop", on_click=self.stop).props("outline")
            for field in (self.study, self.scale):
                field.props("dense outlined")
            self.study.on_value_change(self._study_chosen)
            self.error = ui.label().classes("zl-error").props('role="alert"')
            self.report = ui.html("", sanitize=False)

    @property
    def key(self) -> str:
        """Of the process."""
        return f"study-{self.study.value}"

    def _study_chosen(self) -> None:
        self.scale.set_options(list(STUDIES[str(self.study.value)].scales), value="quick")
        self.report.content = self.error.text = ""
        self._on_chosen()

    def _run(self) -> None:
        name, scale = str(self.study.value), str(self.scale.value)
        self.begin(["study", name, "--scale", scale, "--json"])

    async def look(self) -> None:
        """Show how far the study is, or its result."""
        key, child = self.key, self.child
        self.look_at_process()
        if child is not None and child.is_alive:
            progress = escape(await threads.io_bound(lambda: child.progress) or "")
            content = f'<p class="zl-soft">The study is running… {progress}</p>'
        else:
            content = _report(await threads.io_bound(result_of, self.rules, key))
        if key == self.key:  # nobody has chosen another one by now
            self.report.content = content


def _report(found: dict[str, Any] | None) -> str:
    if found is None:
        return '<p class="zl-soft">This study was not run from here yet. quick takes minutes.</p>'
    tables = found.get("tables") or [found]
    return "".join(_table(table) for table in tables)


def _table(table: dict[str, Any]) -> str:
    cells = [cell for cell in table.get("cells") or [] if isinstance(cell, dict)][:MOST_ROWS]
    headings = list(dict.fromkeys(key for cell in cells for key in cell))
    head = "".join(f"<th>{escape(each.replace('_', ' '))}</th>" for each in headings)
    rows = "".join(
        "<tr>" + "".join(f"<td>{_cell(key, cell.get(key))}</td>" for key in headings) + "</tr>"
        for cell in cells
    )
    title, verdict = escape(str(table.get("title", ""))), escape(str(table.get("verdict", "")))
    return (
        f'<div class="zl-result">{title}: {verdict}</div>'
        f'<div class="zl-scroll" style="max-height:480px"><table class="zl-grid"><tr>{head}</tr>'
        f"{rows}</table></div>"
    )


def _cell(key: str, value: Any) -> str:
    if isinstance(value, bool):
        look, word = ("zl-ok", "yes") if value else ("zl-warn", "no")
        return f'<span class="zl-tag {look}">{word}</span>'
    if isinstance(value, float):
        return f"{value:.2%}" if key in ("paper", "ours") and abs(value) <= 1 else f"{value:.3g}"
    return escape(str(value))
