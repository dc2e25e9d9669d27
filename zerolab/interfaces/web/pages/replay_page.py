"""Replay: games that a run has kept, with the opinion of its network at each move."""

from html import escape

from nicegui import ui
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from zerolab.errors import UsageError
from zerolab.games.catalogue import describe
from zerolab.games.notation import format_move
from zerolab.interfaces.web.desks.replay_desk import NEWEST, ReplayDesk
from zerolab.interfaces.web.parts.board_sides import player_line
from zerolab.interfaces.web.parts.board_view import BoardView
from zerolab.interfaces.web.parts.desk_watching import watch
from zerolab.interfaces.web.parts.move_list import MoveList
from zerolab.interfaces.web.parts.page_frame import page_frame
from zerolab.interfaces.web.parts.value_graph import ValueGraph
from zerolab.interfaces.web.parts.walking import listen_to_keys, walk_buttons
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
            _refuse(error)
            return None
        return RedirectResponse(f"/replay/{site.keep(desk)}")

    @ui.page("/replay/{key}")
    def replay(key: str) -> Response | None:
        try:
            desk = site.find(key, ReplayDesk)
        except UsageError as error:
            _refuse(error)
            return None
        if desk is None:
            return RedirectResponse("/runs")
        ReplayPage(desk)
        return None


def _refuse(error: UsageError) -> None:
    """A page that only says why nothing can be replayed."""
    with page_frame("Runs"), ui.element("div").classes("zl-card"):
        ui.label(str(error)).classes("zl-error").props('role="alert"')
        ui.link("Back to all runs", "/runs")


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
        listen_to_keys(desk)
        ui.timer(EVERY, self._look)
        watch(desk, self.refresh)

    # The parts of the page.

    def _board(self) -> None:
        desk = self.desk
        game = escape(describe(desk.game))
        ui.html(f"<h2>{escape(desk.run)}: {game}</h2>", sanitize=False)
        self.white = ui.html("", sanitize=False)
        self.board = BoardView(lambda move: None)
        self.black = ui.html("", sanitize=False)
        with ui.element("div").classes("zl-row zl-tight"):
            walk_buttons(desk)
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
        ui.label("What the network thinks of each position, for either side").classes("zl-soft")
        self.graph = ValueGraph(self.desk)
        self.moves = MoveList(self.desk)

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
        self.graph.show(desk.positions, desk.ply, values)
        shares = [desk.probability(ply) for ply in range(len(desk.positions))]
        notes = ["" if share is None else f"{share:.0%}" for share in shares]
        self.moves.show(desk.positions, desk.ply, notes)


def _title(kept: KeptGame) -> str:
    recorded = kept.recorded
    result = {1.0: "Black wins", -1.0: "White wins", 0.0: "a draw"}.get(recorded.result or 0.0, "")
    who = (
        kept.kind if kept.kind == SELF_PLAY else f"{kept.kind}, {' against '.join(recorded.names)}"
    )
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
