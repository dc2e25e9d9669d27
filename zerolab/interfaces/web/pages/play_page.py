"""Play: a game against any player, with what each move was worth."""

from collections.abc import Collection
from html import escape

from nicegui import ui
from starlette.responses import RedirectResponse, Response

from zerolab.errors import UsageError
from zerolab.evaluation.perfect.game_review import Judged, value_for_black
from zerolab.games.base import num_players
from zerolab.games.boards.board_picture import Arrow, Overlay
from zerolab.games.catalogue import describe
from zerolab.games.notation import COLOUR_NAMES
from zerolab.games.position import Position
from zerolab.interfaces.web.desks.analysis_desk import AnalysisDesk
from zerolab.interfaces.web.desks.play_table import PlayTable
from zerolab.interfaces.web.pages.new_game_card import NewGameCard
from zerolab.interfaces.web.pages.saved_games_card import SavedGamesCard
from zerolab.interfaces.web.parts.board_sides import player_line, value_bar
from zerolab.interfaces.web.parts.board_view import BoardView
from zerolab.interfaces.web.parts.desk_watching import watch
from zerolab.interfaces.web.parts.move_list import MoveList
from zerolab.interfaces.web.parts.page_frame import page_frame
from zerolab.interfaces.web.parts.value_graph import ValueGraph
from zerolab.interfaces.web.parts.walking import icon_button, listen_to_keys, walk_buttons
from zerolab.interfaces.web.site import Site


def register(site: Site) -> None:
    """Give the page its addresses."""

    @ui.page("/")
    def home() -> Response:
        return RedirectResponse("/play")

    @ui.page("/play")
    def begin() -> Response:
        table = PlayTable(site.rules, site.pool)
        return RedirectResponse(f"/play/{site.keep(table)}")

    @ui.page("/play/{key}")
    def play(key: str) -> Response | None:
        try:
            table = site.find(key, PlayTable)
        except UsageError as error:
            table = PlayTable(site.rules, site.pool)
            table.error = str(error)
            return RedirectResponse(f"/play/{site.keep(table)}")
        if table is None:
            return RedirectResponse("/play")
        PlayPage(site, table)
        return None


class PlayPage:
    """A view of a table."""

    def __init__(self, site: Site, table: PlayTable) -> None:
        self.site = site
        self.table = table
        with page_frame("Play"), ui.element("div").classes("zl-table3"):
            with ui.element("div").classes("zl-col zl-setup"):
                NewGameCard(table)
                SavedGamesCard(table)
            with ui.element("div").classes("zl-card"):
                self._board()
            with ui.element("div").classes("zl-col"):
                self._side()
        listen_to_keys(table, {"u": table.undo, "h": table.ask_hint})
        watch(table, self.refresh)

    # The parts of the page.

    def _board(self) -> None:
        table = self.table
        self.white = ui.html("", sanitize=False)
        with ui.element("div").classes("zl-boardrow"):
            self.bar = ui.html("", sanitize=False).style("display:grid")
            self.board = BoardView(self._move)
        self.black = ui.html("", sanitize=False)
        with ui.element("div").classes("zl-row zl-between"):
            with ui.element("div").classes("zl-row zl-tight"):
                walk_buttons(table)
            with ui.element("div").classes("zl-row zl-tight"):
                icon_button("undo", "undo", table.undo)
                icon_button("lightbulb", "hint", table.ask_hint)
                icon_button("swap_vert", "swap sides", table.swap)
                icon_button("flag", "resign", table.resign)
                icon_button("query_stats", "analyse this position", self._analyse)
        with ui.element("div").classes("zl-row"):
            self.typed_move = ui.input(placeholder="type a move").props("dense outlined")
            self.typed_move.props('aria-label="type a move"').style("width:150px")
            self.typed_move.on("keydown.enter", self._type_move)
            self.passing = ui.button("Pass", on_click=lambda: self._move("pass")).props(
                "outline dense"
            )
            self.move_error = ui.label().classes("zl-error zl-grow").props('role="alert"')

    def _side(self) -> None:
        with ui.element("div").classes("zl-card"):
            with ui.element("div").classes("zl-row zl-between"):
                self.title = ui.html("", sanitize=False)
                self.values = ui.switch("values", value=self.table.evaluates)
                self.values.on_value_change(lambda event: self.table.set_evaluates(event.value))
            self.status = ui.label().classes("zl-soft").props('aria-live="polite"')
            self.result = ui.label().classes("zl-result").props('aria-live="polite"')
            self.moves = MoveList(self.table)
        with ui.element("div").classes("zl-card") as self.review:
            ui.html("<h2>How it went</h2>", sanitize=False)
            self.mistakes = ui.html("", sanitize=False)
            self.graph = ValueGraph(self.table)
            self.summary = ui.label().classes("zl-soft")

    # What people do.

    def _move(self, move: str) -> None:
        self.move_error.text = ""
        try:
            self.table.play(move)
        except UsageError as error:
            self.move_error.text = str(error)[:300]

    def _type_move(self) -> None:
        text, self.typed_move.value = str(self.typed_move.value or "").strip().lower(), ""
        if text:
            self._move(text[:50])

    def _analyse(self) -> None:
        desk = AnalysisDesk(self.site.rules, self.site.pool)
        key = self.site.keep(desk)
        desk.look_at(self.table.position)
        ui.navigate.to(f"/analyse/{key}")

    # What there is to see.

    def refresh(self) -> None:
        """Show the table as it is now."""
        table = self.table
        position, judged = table.position, table.judged()
        if not (table.evaluates or table.is_over):
            judged = [None] * len(judged)
        arrows = () if table.hint is None else (Arrow(table.hint, 0.7, "hint"),)
        self.board.show(position, table.can_move, Overlay(arrows))
        values = [
            None if each is None else round(value_for_black(position, each), 3)
            for position, each in zip(table.positions, judged, strict=True)
        ]
        self.bar.content = value_bar(values[table.ply])
        names = table.player_names()
        is_contest = num_players(position.game) == 2
        turn = None if table.is_over else position.turn
        self.black.content = player_line("black", names[0], turn == "black")
        self.white.content = player_line("white", names[1], turn == "white") if is_contest else ""
        self.title.content = f"<h2>{escape(describe(position.game))}</h2>"
        self.status.text = _status(table, turn)
        self.result.text = _result(table) if table.is_over else ""
        self.result.visible = table.is_over
        self.move_error.text = table.error
        self.passing.visible = table.can_move and "pass" in position.legal_moves
        mistakes = [each.ply for each in table.mistakes(judged)]
        self.moves.show(table.positions, table.ply, _notes(table, judged), mistakes)
        self.review.visible = table.is_over and len(judged) > 1
        if self.review.visible:
            self.graph.show(table.positions, table.ply, values, mistakes)
            self.mistakes.content = _counts(table, mistakes)
            self.summary.text = _how_known(judged)


def _status(table: PlayTable, turn: str | None) -> str:
    if turn is None:
        return "The game is over."
    if table.is_compiling:
        return f"{turn.capitalize()} compiles its code: this happens once for each game."
    if table.is_thinking:
        return f"{turn.capitalize()} is thinking…"
    if table.session.is_for_a_person:
        return f"{turn.capitalize()} to move: your turn."
    return f"{turn.capitalize()} to move."


def _result(table: PlayTable) -> str:
    names = table.player_names()
    result = table.session.result
    for colour, name in zip(COLOUR_NAMES, names, strict=True):
        if result == f"{colour} wins":
            return f"{colour.capitalize()} wins{': well played!' if name == 'You' else '.'}"
    return result.capitalize() + "."


def _notes(table: PlayTable, judged: list[Judged | None]) -> list[str]:
    """What each move was worth."""
    positions = table.positions
    return ["", *map(_worth, positions, positions[1:], judged[1:])]


def _worth(before: Position, after: Position, judged: Judged | None) -> str:
    """The value of a move for the player who made it."""
    if judged is None:
        return ""
    value = judged.value if before.player == after.player else -judged.value
    if judged.is_exact and num_players(before.game) == 2:
        return {1: "wins", 0: "draws", -1: "loses"}[round(value)]
    return f"{value:+.2f}"


def _counts(table: PlayTable, mistakes: Collection[int]) -> str:
    """A stone for each side, which is the colour of its curve too, and how often it went wrong."""
    if num_players(table.position.game) == 1:
        return f'<div class="zl-legend"><span>{_number(len(mistakes))}</span></div>'
    words = [
        f'<span><span class="zl-stone zl-{colour}"></span><b>{colour.capitalize()}</b> '
        f"{_number(sum(table.positions[ply].turn == colour for ply in mistakes))}</span>"
        for colour in COLOUR_NAMES
    ]
    return f'<div class="zl-legend">{"".join(words)}</div>'


def _number(mistakes: int) -> str:
    return "no mistakes" if mistakes == 0 else f"{mistakes} mistake{'s' if mistakes > 1 else ''}"


def _how_known(judged: list[Judged | None]) -> str:
    """Where the values of a graph come from."""
    known = sum(each is not None for each in judged)
    exact = sum(each is not None and each.is_exact for each in judged)
    return (
        "? is a mistake. "
        f"{exact} of {len(judged)} positions solved exactly"
        + (". " if exact == len(judged) else ", the others judged by search. ")
        + ("" if known == len(judged) else f"{len(judged) - known} still to be judged.")
    )
