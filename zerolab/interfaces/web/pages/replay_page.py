"""Replay: games that a run has kept, with the opinion of its network at each move."""

from html import escape

from nicegui import ui
from nicegui.events import GenericEventArguments, KeyEventArguments
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from zerolab.errors import UsageError
from zerolab.games.catalogue import describe
from zerolab.games.notation import format_move
from zerolab.interfaces.web.desks.replay_desk import NEWEST, ReplayDesk
from zerolab.interfaces.web.pages.play_page import icon_button, player_line, value_graph
from zerolab.interfaces.web.parts.board_view import BoardView
from zerolab.interfaces.web.parts.page_frame import page_frame
from zerolab.interfaces.web.site import Site
from zerolab.training.runs.kept_games import SELF_PLAY, KeptGame

EVERY = 5.0  # seconds between looks for new games


def register(site: Site) -> None:
    """Give the page its addresses."""

    @ui.page("/replay")
    def begin(request: Request) -> Response | None:
        try:
            desk = ReplayDesk(site.rules, site.pool, request.query_params.get("run", "")[:500])
        except UsageError as error:
            with page_frame("Runs"), ui.element("div").classes("zl-card"):
                ui.label(str(error)).classes("zl-error").props('role="alert"')
                ui.link("Back to all runs", "/runs")
            return None
        return RedirectResponse(f"/replay/{site.keep(desk)}")

    @ui.page("/replay/{key}")
    def replay(key: str) -> Response | None:
        desk = site.find(key, ReplayDesk)
        if desk is None:
            return RedirectResponse("/runs")
        ReplayPage(desk)
        return None


class ReplayPage:
    """A view of a desk."""

    def __init__(self, desk: ReplayDesk) -> None:
        self.desk = desk
        with page_frame("Runs"), ui.element("div").classes("zl-table2"):
            with ui.element("div").classes("zl-card"):
                self._board()
            with ui.element("div").classes("zl-col"):
                with ui.element("div").classes("zl-card"):
                    self._choices()
                with ui.element("div").classes("zl-card"):
                    self._opinions()
        ui.keyboard(on_key=self._key)
        ui.timer(EVERY, self._look)
        desk.watchers.append(self.refresh)
        ui.context.client.on_delete(self._close)
        self.refresh()
        desk.come_back()

    def _close(self) -> None:
        if self.refresh in self.desk.watchers:
            self.desk.watchers.remove(self.refresh)
        if not self.desk.watchers:
            self.desk.leave()

    # The parts of the page.

    def _board(self) -> None:
        desk = self.desk
        game = escape(describe(desk.game))
        ui.html(f"<h2>{escape(desk.run)}: {game}</h2>", sanitize=False)
        self.white = ui.html("", sanitize=False)
        self.board = BoardView(lambda move: None)
        self.black = ui.html("", sanitize=False)
        with ui.element("div").classes("zl-row zl-tight"):
            icon_button("first_page", "first move", lambda: desk.show_ply(0))
            icon_button("chevron_left", "previous move", lambda: desk.show_ply(desk.ply - 1))
            icon_button("chevron_right", "next move", lambda: desk.show_ply(desk.ply + 1))
            icon_button("last_page", "last move", lambda: desk.show_ply(10**6))
            ui.label("Blue: what the network would play. Orange: what was played.").classes(
                "zl-soft"
            )

    def _choices(self) -> None:
        ui.html("<h2>Replay</h2>", sanitize=False)
        self.game = ui.select({}, label="game").classes("zl-field").props("dense outlined")
        self.network = ui.select({}, label="opinion of").classes("zl-field").props("dense outlined")
        self.error = ui.label().classes("zl-error").props('role="alert"')
        self._list()
        self.game.on_value_change(self._chosen)
        self.network.on_value_change(self._network_chosen)

    def _opinions(self) -> None:
        self.words = ui.label().classes("zl-result").props('aria-live="polite"')
        ui.label("What the network thinks of each position, for Black").classes("zl-soft")
        self.graph = ui.echart(value_graph())
        self.graph.on("click", self._clicked_graph, ["dataIndex"])
        self.moves = ui.html("", sanitize=False)
        self.moves.on(
            "click",
            self._clicked_ply,
            js_handler="(e) => { const b = e.target.closest('[data-ply]'); "
            "if (b) emit(Number(b.dataset.ply)); }",
        )

    # What people do.

    def _list(self) -> None:
        desk = self.desk
        last = len(desk.games) - 1
        self.game.set_options(
            {number: _title(desk.games[number]) for number in range(last, -1, -1)},
            value=desk.number,
        )
        steps = {str(step): f"the network of step {step}" for step in reversed(desk.networks())}
        self.network.set_options({NEWEST: "the newest network", **steps}, value=desk.network)

    def _look(self) -> None:
        before = len(self.desk.games), len(self.network.options)
        self.desk.look_again()
        if before != (len(self.desk.games), len(self.desk.networks()) + 1):
            self._list()
        if self.desk.error:
            self.desk.come_back()

    def _chosen(self) -> None:
        if isinstance(self.game.value, int) and self.game.value != self.desk.number:
            self.desk.choose(self.game.value)

    def _network_chosen(self) -> None:
        if self.network.value != self.desk.network:
            try:
                self.desk.choose_network(str(self.network.value))
            except UsageError as error:
                self.error.text = str(error)

    def _clicked_ply(self, event: GenericEventArguments) -> None:
        if isinstance(event.args, int):
            self.desk.show_ply(event.args)

    def _clicked_graph(self, event: GenericEventArguments) -> None:
        if isinstance(event.args.get("dataIndex"), int):
            self.desk.show_ply(event.args["dataIndex"])

    def _key(self, event: KeyEventArguments) -> None:
        if not event.action.keydown or event.modifiers.ctrl or event.modifiers.meta:
            return
        desk = self.desk
        if event.key.arrow_left:
            desk.show_ply(desk.ply - 1)
        elif event.key.arrow_right:
            desk.show_ply(desk.ply + 1)
        elif event.key.arrow_up or event.key.name == "Home":
            desk.show_ply(0)
        elif event.key.arrow_down or event.key.name == "End":
            desk.show_ply(10**6)

    # What there is to see.

    def refresh(self) -> None:
        """Show the desk as it is now."""
        desk = self.desk
        position = desk.position
        self.board.show(position, False, desk.overlay())
        turn = None if position.is_over else position.turn
        names = desk.kept.recorded.names
        self.black.content = player_line("black", names[0], turn == "black")
        self.white.content = player_line("white", names[1], turn == "white")
        self.error.text = desk.error
        self.words.text = _words(desk)
        values = [None if value is None else round(value, 3) for value in desk.values()]
        options = self.graph.options
        options["xAxis"]["data"] = list(range(len(values)))
        options["series"][0]["data"] = values
        options["series"][0]["markLine"]["data"] = [{"xAxis": desk.ply}]
        self.graph.update()
        self.moves.content = _moves(desk)


def _title(kept: KeptGame) -> str:
    recorded = kept.recorded
    result = {1.0: "Black wins", -1.0: "White wins", 0.0: "a draw"}.get(recorded.result or 0.0, "")
    who = SELF_PLAY if kept.kind == SELF_PLAY else " against ".join(recorded.names)
    return f"step {kept.step}, {who}: {result}, {len(recorded.actions)} moves"


def _words(desk: ReplayDesk) -> str:
    position, opinion = desk.position, desk.opinion
    outcome = position.outcome()
    if outcome is not None:
        return f"The game is over: {outcome}."
    if opinion is None:
        return "No opinion." if desk.error else "The network is asked…"
    words = f"Value {opinion.value:+.2f} for {position.turn.capitalize()}, to move."
    if desk.ply + 1 < len(desk.positions):
        action = desk.positions[desk.ply + 1].action
        share = desk.probability(desk.ply + 1)
        assert action is not None
        if share is not None:
            words += f" Played: {format_move(desk.game, action)}, to which it gives {share:.0%}."
    return words


def _moves(desk: ReplayDesk) -> str:
    cells = []
    for ply, position in enumerate(desk.positions[1:], 1):
        if ply % 2:
            cells.append(f'<span class="zl-no">{ply // 2 + 1}.</span>')
        assert position.action is not None
        now = " zl-now" if ply == desk.ply else ""
        share = desk.probability(ply)
        cells.append(
            f'<button class="zl-move{now}" data-ply="{ply}">'
            f"<span>{escape(format_move(desk.game, position.action))}</span>"
            f"<small>{'' if share is None else f'{share:.0%}'}</small></button>"
        )
    return f'<div class="zl-moves">{"".join(cells)}</div>'
