"""Studies and tournaments: the papers' numbers beside ours, cross tables, Elo with errors."""

import re
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from nicegui import run as threads
from nicegui import ui
from nicegui.events import GenericEventArguments
from starlette.requests import Request

from zerolab.errors import UsageError
from zerolab.evaluation.matches.results_file import read_results
from zerolab.evaluation.matches.tournaments import cross_table, meetings, settled, thinking_times
from zerolab.evaluation.ratings.bayesian_elo import rate
from zerolab.evaluation.ratings.pareto import pareto_front
from zerolab.files import make_directory
from zerolab.games.catalogue import GAMES
from zerolab.interfaces.web.command_process import CommandProcess, result_of
from zerolab.interfaces.web.pages.play_page import SIZES
from zerolab.interfaces.web.parts.page_frame import AXIS, heading, page_frame
from zerolab.interfaces.web.safety import Rules, check_length
from zerolab.interfaces.web.site import Site
from zerolab.interfaces.web.training_orders import NAME
from zerolab.studies.registry import STUDIES

EVERY = 2.0  # seconds between looks at the results
FOLDER = "tournaments"
MOST_ROWS = 200
MOST_PLAYERS = 16


class Standing(NamedTuple):
    """A tournament as far as it was played."""

    games: int
    players: list[tuple[str, float, float, str]]
    """Name, Elo, its standard error and the score; the strongest first."""
    scores: dict[tuple[str, str], str]
    seconds: dict[str, float]
    """Mean thinking time for a move, of those who have chosen one."""


def register(site: Site) -> None:
    """Give the page its address."""

    @ui.page("/studies")
    def studies(request: Request) -> None:
        chosen = request.query_params.get("study", "damhuis-5.1")
        StudiesPage(
            site,
            chosen if chosen in STUDIES else "damhuis-5.1",
            request.query_params.get("tournament", "")[:100],
        )


class StudiesPage:
    """Two cards: a study, a tournament."""

    def __init__(self, site: Site, study: str, tournament: str) -> None:
        self.site = site
        self.rules = site.rules
        with page_frame("Studies"):
            heading(
                "Studies and tournaments",
                "A study repeats a table of a paper and puts our numbers beside it. A tournament "
                "rates players in Elo, with errors.",
            )
            with ui.element("div").classes("zl-col"):
                with ui.element("div").classes("zl-card"):
                    self._studies(study)
                with ui.element("div").classes("zl-card"):
                    self._tournaments(tournament)
        ui.timer(EVERY, self._look)

    # The parts of the page.

    def _studies(self, chosen: str) -> None:
        ui.html("<h2>Studies</h2>", sanitize=False)
        names = {name: f"{name}: {study.summary}" for name, study in STUDIES.items()}
        with ui.element("div").classes("zl-row"):
            self.study = ui.select(names, value=chosen, label="study").classes("zl-grow")
            self.scale = ui.select(list(STUDIES[chosen].scales), value="quick", label="scale")
            ui.button("Run", icon="play_arrow", on_click=self._run_study).props("unelevated")
            self.stop_study = ui.button("Stop", on_click=self._stop_study).props("outline")
        for field in (self.study, self.scale):
            field.props("dense outlined")
        self.study.on_value_change(self._study_chosen)
        self.study_error = ui.label().classes("zl-error").props('role="alert"')
        self.report = ui.html("", sanitize=False)

    def _tournaments(self, chosen: str) -> None:
        ui.html("<h2>Tournaments</h2>", sanitize=False)
        with ui.element("div").classes("zl-fields"):
            self.game = ui.select(
                [name for name in GAMES if name != "solitaire"], value="clobber", label="game"
            )
            self.size = ui.input("size", value="4x4")
            self.rounds = ui.input("rounds", value="10")
            self.name = ui.input("name of the tournament", value="demo")
        self.players = ui.input(
            "players, separated by blanks", value="random mc:10 mcts:100 solver"
        )
        self.players.classes("zl-field zl-mono")
        for field in (self.game, self.size, self.rounds, self.name, self.players):
            field.props("dense outlined")
        self.game.on_value_change(lambda: self.size.set_value(SIZES.get(str(self.game.value), "")))
        self.tournament_error = ui.label().classes("zl-error").props('role="alert"')
        with ui.element("div").classes("zl-row"):
            ui.button("Play", icon="play_arrow", on_click=self._play).props("unelevated")
            self.shown = (
                ui.select({}, label="show").props("dense outlined").style("min-width:220px")
            )
            self.stop_tournament = ui.button("Stop", on_click=self._stop_tournament).props(
                "outline"
            )
        self.shown.on_value_change(self._remember)
        self._list(chosen)
        self.summary = ui.label().classes("zl-soft")
        self.chart = ui.echart({"series": []})
        self.chart.visible = False
        with ui.element("div") as self.costs:
            ui.label(
                "Elo and what it costs: nobody beats the players on the line in less time a move"
            ).classes("zl-soft").style("font-weight:600")
            self.cost_chart = ui.echart({"series": []})
        self.costs.visible = False
        self.table = ui.html("", sanitize=False)

    # What people do.

    def _study_chosen(self) -> None:
        self.scale.set_options(list(STUDIES[str(self.study.value)].scales), value="quick")
        self.report.content = ""
        self._remember()

    def _remember(self, event: GenericEventArguments | None = None) -> None:
        tournament = f"&tournament={self.shown.value}" if self.shown.value else ""
        ui.navigate.history.replace(f"/studies?study={self.study.value}{tournament}")

    def _run_study(self) -> None:
        name, scale = str(self.study.value), str(self.scale.value)
        self._begin(f"study-{name}", ["study", name, "--scale", scale, "--json"], self.study_error)

    def _stop_study(self) -> None:
        self._stop(f"study-{self.study.value}")

    def _stop_tournament(self) -> None:
        self._stop(f"tournament-{self.shown.value}")

    def _play(self) -> None:
        self.tournament_error.text = ""
        try:
            name, arguments = tournament_arguments(
                self.rules,
                (str(self.game.value), str(self.size.value or "")),
                str(self.name.value or "").strip(),
                str(self.players.value or ""),
                str(self.rounds.value or ""),
            )
        except UsageError as error:
            self.tournament_error.text = str(error)[:400]
            return
        self._begin(f"tournament-{name}", arguments, self.tournament_error)
        self._list(name)
        self._remember()

    def _begin(self, key: str, arguments: list[str], error: ui.label) -> None:
        error.text = ""
        running = self.site.children.get(key)
        if running is not None and running.is_alive:
            error.text = "it is running already"
            return
        self.site.children[key] = CommandProcess(self.rules, key, arguments)

    def _stop(self, key: str) -> None:
        if key in self.site.children:
            self.site.children[key].stop()

    def _list(self, chosen: str) -> None:
        names = tournament_names(self.rules)
        if chosen and NAME.fullmatch(chosen) and chosen not in names:
            names = [chosen, *names]  # its file is about to be written
        self.shown.set_options(names, value=chosen if chosen in names else next(iter(names), None))

    # What there is to see.

    async def _look(self) -> None:
        study, tournament = f"study-{self.study.value}", str(self.shown.value or "")
        children = self.site.children
        is_alive = study in children and children[study].is_alive
        self.stop_study.set_visibility(is_alive)
        failure = "" if study not in children else children[study].failure
        if failure:
            self.study_error.text = failure
        if is_alive:
            progress = escape(await threads.io_bound(lambda: children[study].progress) or "")
            self.report.content = f'<p class="zl-soft">The study is running… {progress}</p>'
        else:
            found = await threads.io_bound(result_of, self.rules, study)
            self.report.content = _report(found)
        key = f"tournament-{tournament}"
        plays = key in children and children[key].is_alive
        self.stop_tournament.set_visibility(plays)
        if key in children and children[key].failure:
            self.tournament_error.text = children[key].failure
        if tournament:
            self._show_standing(await threads.io_bound(standing_of, self.rules, tournament), plays)

    def _show_standing(self, standing: Standing | None, plays: bool) -> None:
        self.chart.visible = standing is not None
        self.costs.visible = standing is not None and len(standing.seconds) > 1
        if standing is None:
            self.summary.text = "No game has ended yet." if plays else ""
            self.table.content = ""
            return
        self.summary.text = f"{standing.games:,} games{', more are being played' if plays else ''}."
        self.chart.options.clear()
        self.chart.options.update(_elo_chart(standing))
        self.chart.style(f"height:{70 + 34 * len(standing.players)}px")
        self.chart.update()
        self.cost_chart.options.clear()
        self.cost_chart.options.update(cost_chart(standing))
        self.cost_chart.update()
        self.table.content = _cross_table(standing)


def tournament_names(rules: Rules) -> list[str]:
    """The tournaments below the directory, by name."""
    return sorted(path.stem for path in rules.inside(FOLDER).glob("*.jsonl"))


def tournament_arguments(
    rules: Rules, board: tuple[str, str], name: str, players: str, rounds: str
) -> tuple[str, list[str]]:
    """The command of a tournament and its name; UsageError if it cannot be played."""
    from zerolab.evaluation.players.players import make_player

    rules.game(*board)
    if NAME.fullmatch(name) is None:
        raise UsageError("the name has letters, digits, dots, hyphens and underscores")
    names = [rules.player(each) for each in check_length(players).split()]
    if not 2 <= len(set(names)) == len(names) <= MOST_PLAYERS:
        raise UsageError(f"expected 2 to {MOST_PLAYERS} different players")
    for each in names:
        make_player(each)
    if re.fullmatch(r"[1-9][0-9]{0,3}", rounds.strip()) is None:
        raise UsageError(f"'{rounds[:20]}' rounds are not possible; expected a number up to 9999")
    file = rules.inside(f"{FOLDER}/{name}.jsonl")
    make_directory(file.parent)
    size = ["--size", board[1]] if board[1] else []
    options = ["--rounds", rounds.strip(), "--results", str(file), "--json"]
    return name, ["tournament", board[0], *size, "--players", *names, *options]


def standing_of(rules: Rules, name: str) -> Standing | None:
    """What the file of a tournament says; None if no game has ended."""
    path: Path = rules.inside(f"{FOLDER}/{name}.jsonl")
    try:
        played = settled(read_results(path)[1])
    except (OSError, UsageError):
        return None
    if not played:
        return None
    ratings = rate(meetings(played), None)
    here = f"{rules.runs}/"
    scores = {
        (one.replace(here, ""), other.replace(here, "")): f"{score.points / score.games:.0%}"
        for (one, other), score in cross_table(played).items()
    }
    return Standing(
        len(played),
        [
            (player.name.replace(here, ""), player.rating, player.error, f"{player.score:.0%}")
            for player in ratings.players
        ],
        scores,
        {name.replace(here, ""): each for name, each in thinking_times(played).items()},
    )


def _report(found: dict[str, Any] | None) -> str:
    if found is None:
        return '<p class="zl-soft">This study was not run from here yet. quick takes minutes.</p>'
    tables = found.get("tables") or [found]
    return "".join(_study_table(table) for table in tables)


def _study_table(table: dict[str, Any]) -> str:
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


def _elo_chart(standing: Standing) -> dict[str, Any]:
    """Points with their 95 % intervals, the strongest at the top."""
    players = standing.players[::-1]
    return {
        "animation": False,
        "grid": {"left": 130, "right": 30, "top": 10, "bottom": 40},
        "tooltip": {"trigger": "item"},
        "xAxis": {
            **AXIS,
            "type": "value",
            "name": "Elo",
            "nameLocation": "middle",
            "nameGap": 24,
            "splitLine": {"lineStyle": {"color": "#88888833"}},
        },
        "yAxis": {"type": "category", "data": [name for name, *_ in players], **AXIS},
        "series": [
            {
                "name": "95 %",
                "type": "line",
                "symbol": "none",
                "lineStyle": {"width": 3, "color": "#0072B2"},
                "data": [[round(elo - 1.96 * error), row], [round(elo + 1.96 * error), row]],
            }
            for row, (_, elo, error, _) in enumerate(players)
        ]
        + [
            {
                "name": "Elo",
                "type": "scatter",
                "symbolSize": 12,
                "itemStyle": {"color": "#D55E00"},
                "data": [[round(elo), row] for row, (_, elo, _, _) in enumerate(players)],
            }
        ],
    }


def cost_chart(standing: Standing) -> dict[str, Any]:
    """Elo against thinking time for a move, with the Pareto front."""
    players = [each for each in standing.players if standing.seconds.get(each[0], 0.0) > 0]
    costs = [1000 * standing.seconds[name] for name, *_ in players]
    front = pareto_front(costs, [elo for _, elo, _, _ in players])
    points = [
        {
            "name": name,
            "value": [round(cost, 4), round(elo)],
            "itemStyle": {"color": "#D55E00" if place in front else "#8a8f98"},
        }
        for place, (cost, (name, elo, _, _)) in enumerate(zip(costs, players, strict=True))
    ]
    return {
        "animation": False,
        "grid": {"left": 60, "right": 90, "top": 30, "bottom": 44},
        "tooltip": {"trigger": "item"},
        "xAxis": {
            **AXIS,
            "type": "log",
            "name": "milliseconds for a move",
            "nameLocation": "middle",
            "nameGap": 26,
            "splitLine": {"show": False},
        },
        "yAxis": {
            **AXIS,
            "type": "value",
            "name": "Elo",
            "scale": True,
            "splitLine": {"lineStyle": {"color": "#88888833"}},
        },
        "series": [
            {
                "name": "Pareto front",
                "type": "line",
                "step": "end",
                "symbol": "none",
                "lineStyle": {"width": 2, "color": "#D55E00"},
                "data": [points[place]["value"] for place in front],
            },
            {
                "name": "players",
                "type": "scatter",
                "symbolSize": 11,
                "label": {
                    "show": True,
                    "position": "right",
                    "formatter": "{b}",
                    "color": "#888888",
                },
                "data": points,
            },
        ],
    }


def _cross_table(standing: Standing) -> str:
    names = [name for name, *_ in standing.players]
    head = "".join(f"<th>{number}</th>" for number in range(1, len(names) + 1))
    rows = "".join(
        f"<tr><td>{number}. <b>{escape(name)}</b></td><td>{elo:+.0f} ± {error:.0f}</td>"
        f"<td>{score}</td>"
        + "".join(f"<td>{standing.scores.get((name, other), '')}</td>" for other in names)
        + "</tr>"
        for number, (name, elo, error, score) in enumerate(standing.players, 1)
    )
    return (
        '<div class="zl-scroll"><table class="zl-grid"><tr><th>player</th><th>Elo</th>'
        f"<th>score</th>{head}</tr>{rows}</table></div>"
    )
