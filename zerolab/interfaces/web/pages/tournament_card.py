"""The card of a tournament: ratings with errors, what they cost, and the cross table."""

from collections.abc import Callable
from html import escape

from nicegui import run as threads
from nicegui import ui

from zerolab.errors import UsageError
from zerolab.interfaces.web.pages.command_card import CommandCard
from zerolab.interfaces.web.pages.standings import (
    Standing,
    standing_of,
    tournament_arguments,
    tournament_names,
)
from zerolab.interfaces.web.pages.tournament_charts import cost_chart, elo_chart
from zerolab.interfaces.web.parts.game_fields import CONTESTS, ChosenGame, GameFields
from zerolab.interfaces.web.site import Site
from zerolab.interfaces.web.training_orders import NAME


class TournamentCard(CommandCard):
    """Plays a tournament, and shows how it or another one stands."""

    def __init__(self, site: Site, chosen: str, on_chosen: Callable[[], None]) -> None:
        super().__init__(site)
        with ui.element("div").classes("zl-card"):
            ui.html("<h2>Tournaments</h2>", sanitize=False)
            self._form()
            with ui.element("div").classes("zl-row"):
                ui.button("Play", icon="play_arrow", on_click=self._play).props("unelevated")
                self.shown = ui.select({}, label="show").props("dense outlined")
                self.shown.style("min-width:220px")
                self.stopping = ui.button("Stop", on_click=self.stop).props("outline")
            self.list(chosen)
            self.shown.on_value_change(on_chosen)
            self._results()

    def _form(self) -> None:
        with ui.element("div").classes("zl-fields"):
            self.game = GameFields(CONTESTS, ChosenGame("clobber", "4x4"))
            self.rounds = ui.input("rounds", value="10")
            self.name = ui.input("name of the tournament", value="demo")
        self.players = ui.input(
            "players, separated by blanks", value="random mc:10 mcts:100 solver"
        )
        self.players.classes("zl-field zl-mono")
        for field in (self.rounds, self.name, self.players):
            field.props("dense outlined")
        self.error = ui.label().classes("zl-error").props('role="alert"')

    def _results(self) -> None:
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

    @property
    def key(self) -> str:
        """Of the process."""
        return f"tournament-{self.shown.value}"

    def _play(self) -> None:
        self.error.text = ""
        try:
            name, arguments = tournament_arguments(
                self.rules,
                self.game.chosen,
                str(self.name.value or "").strip(),
                str(self.players.value or ""),
                str(self.rounds.value or ""),
            )
        except UsageError as error:
            self.error.text = self.rules.public(str(error))[:400]
            return
        self.list(name)
        self.begin(arguments)

    def list(self, chosen: str) -> None:
        """Offer all tournaments, and show one of them."""
        names = tournament_names(self.rules)
        if chosen and NAME.fullmatch(chosen) and chosen not in names:
            names = [chosen, *names]  # its file is about to be written
        self.shown.set_options(names, value=chosen if chosen in names else next(iter(names), None))

    async def look(self) -> None:
        """Show how the tournament stands."""
        plays, name = self.look_at_process(), str(self.shown.value or "")
        if not name:
            return
        standing, trouble = None, ""
        try:
            standing = await threads.io_bound(standing_of, self.rules, name)
        except UsageError as error:
            trouble = self.rules.public(str(error))
        if name != self.shown.value:  # somebody has chosen another one by now
            return
        self.chart.visible = standing is not None
        self.costs.visible = standing is not None and len(standing.seconds) > 1
        if standing is None:
            self.summary.text = trouble or ("No game has ended yet." if plays else "")
            self.table.content = ""
            return
        self.summary.text = f"{standing.games:,} games{', more are being played' if plays else ''}."
        self.chart.options.clear()
        self.chart.options.update(elo_chart(standing))
        self.chart.style(f"height:{70 + 34 * len(standing.players)}px")
        self.chart.update()
        self.cost_chart.options.clear()
        self.cost_chart.options.update(cost_chart(standing))
        self.cost_chart.update()
        self.table.content = _cross_table(standing)


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
