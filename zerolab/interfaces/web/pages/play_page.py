"""Play: a game against any player, with what each move was worth."""

from collections.abc import Callable
from html import escape
from typing import Any

from nicegui import ui
from nicegui.events import GenericEventArguments, KeyEventArguments
from starlette.responses import RedirectResponse, Response

from zerolab.errors import UsageError
from zerolab.evaluation.perfect.game_review import Judged, value_for_black
from zerolab.games.base import num_players
from zerolab.games.boards.board_picture import Arrow, Overlay
from zerolab.games.catalogue import GAMES, describe, has_size
from zerolab.games.notation import format_move
from zerolab.games.position import Position
from zerolab.interfaces.web.desks.analysis_desk import AnalysisDesk
from zerolab.interfaces.web.desks.play_table import Choice, PlayTable
from zerolab.interfaces.web.game_shelf import list_games, load_game, parse_record, text_of
from zerolab.interfaces.web.opponents import BY_NAME, MCTS, STRENGTHS, opponents, player_name
from zerolab.interfaces.web.parts.board_view import BoardView
from zerolab.interfaces.web.parts.page_frame import AXIS, page_frame
from zerolab.interfaces.web.site import Site

SIZES = {
    "clobber": "5x5",
    "solitaire": "4x4",
    "othello": "6x6",
    "connect-four": "6x7",
    "go": "7x7",
    "gobang": "9x9",
    "tic-tac-toe": "3x3",
}
SIDES = {"black": "Black", "white": "White", "both": "both", "neither": "watch"}


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
        table = site.find(key, PlayTable)
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
                self._setup()
                self._games()
            with ui.element("div").classes("zl-card"):
                self._board()
            with ui.element("div").classes("zl-col"):
                self._side()
        ui.keyboard(on_key=self._key)
        table.watchers.append(self.refresh)
        client = ui.context.client
        client.on_delete(self._close)
        self.refresh()
        table.come_back()

    def _close(self) -> None:
        if self.refresh in self.table.watchers:
            self.table.watchers.remove(self.refresh)
        if not self.table.watchers:
            self.table.leave()

    # The parts of the page.

    def _setup(self) -> None:
        choice = self.table.choice
        kind, strength, typed = _parts_of(choice.opponent)
        with ui.element("div").classes("zl-card"):
            ui.html("<h2>New game</h2>", sanitize=False)
            self.game = ui.select(list(GAMES), value=choice.game, label="game").classes("zl-field")
            self.size = ui.input("size", value=choice.size, placeholder="rows x columns")
            self.options = ui.input("variant", value=choice.options, placeholder="variant=cannibal")
            self.kind = ui.select({}, label="opponent").classes("zl-field")
            self._offer(kind)
            self.typed = ui.input("name of the player", value=typed, placeholder="mcts:500,c=1")
            self.strength = ui.select(STRENGTHS, value=strength, label="strength")
            ui.label("you play").classes("zl-soft")
            self.side = ui.toggle(SIDES, value=choice.side).props("no-caps dense spread")
            self.setup_error = ui.label().classes("zl-error").props('role="alert"')
            ui.button("New game", on_click=self._begin).props("unelevated").classes("zl-new")
        for field in (self.size, self.options, self.kind, self.typed, self.strength):
            field.classes("zl-field").props("dense outlined")
        self.game.props("dense outlined")
        self.typed.bind_visibility_from(self.kind, "value", value=BY_NAME)
        self.strength.bind_visibility_from(
            self.kind, "value", backward=lambda kind: kind == MCTS or str(kind).startswith("az:")
        )
        self.game.on_value_change(self._game_chosen)

    def _games(self) -> None:
        with ui.element("div").classes("zl-card"):
            ui.html("<h2>Saved games</h2>", sanitize=False)
            ui.label("Every game is saved by itself, as SGF.").classes("zl-soft")
            self.saved = ui.select({}, label="saved game").props("dense outlined")
            self.saved.classes("zl-field").on("popup-show", self._list_games)
            self.saved.on_value_change(lambda event: self._open(event.value))
            with ui.expansion("Paste a game").classes("zl-field"):
                self.pasted = ui.textarea(placeholder="(;FF[4]…  or\nclobber 5x5\nb4b3 c2c3").props(
                    "dense outlined"
                )
                self.pasted.classes("zl-field")
                ui.button("Load", on_click=self._load_pasted).props("flat dense")
            with ui.element("div").classes("zl-row zl-tight"):
                ui.button("As text", icon="download", on_click=self._download_text).props(
                    "flat dense"
                )
                ui.button("As SGF", icon="download", on_click=self._download_sgf).props(
                    "flat dense"
                )
            self.load_error = ui.label().classes("zl-error").props('role="alert"')
        self._list_games()

    def _board(self) -> None:
        self.white = ui.html("", sanitize=False)
        with ui.element("div").classes("zl-boardrow"):
            self.bar = ui.html("", sanitize=False).style("display:grid")
            self.board = BoardView(self._move)
        self.black = ui.html("", sanitize=False)
        with ui.element("div").classes("zl-row zl-between"):
            with ui.element("div").classes("zl-row zl-tight"):
                table = self.table
                icon_button("first_page", "first move", lambda: table.show_ply(0))
                icon_button("chevron_left", "previous move", lambda: table.show_ply(table.ply - 1))
                icon_button("chevron_right", "next move", lambda: table.show_ply(table.ply + 1))
                icon_button("last_page", "last move", lambda: table.show_ply(10**6))
            with ui.element("div").classes("zl-row zl-tight"):
                icon_button("undo", "undo", self.table.undo)
                icon_button("lightbulb", "hint", self.table.ask_hint)
                icon_button("swap_vert", "swap sides", self.table.swap)
                icon_button("flag", "resign", self.table.resign)
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
            self.moves = ui.html("", sanitize=False)
            self.moves.on(
                "click",
                self._clicked_ply,
                js_handler="(e) => { const b = e.target.closest('[data-ply]'); "
                "if (b) emit(Number(b.dataset.ply)); }",
            )
        with ui.element("div").classes("zl-card") as self.review:
            ui.html("<h2>How it went</h2>", sanitize=False)
            self.summary = ui.label().classes("zl-soft")
            self.graph = ui.echart(value_graph())
            self.graph.on("click", self._clicked_graph, ["dataIndex"])

    # What people do.

    def _game_chosen(self) -> None:
        name = str(self.game.value)
        self.size.value = SIZES.get(name, "")
        self.size.set_enabled(has_size(name))
        self.options.value = ""
        self._offer(str(self.kind.value))

    def _offer(self, kind: str) -> None:
        """The opponents for the game that is chosen."""
        offered = opponents(self.table.rules, str(self.game.value))
        self.kind.set_options(offered, value=kind if kind in offered else MCTS)

    def _begin(self) -> None:
        self.setup_error.text = ""
        try:
            chosen = str(self.kind.value), str(self.strength.value), str(self.typed.value or "")
            self.table.begin(
                Choice(
                    str(self.game.value),
                    str(self.size.value or ""),
                    str(self.options.value or ""),
                    player_name(*chosen),
                    str(self.side.value),
                )
            )
        except UsageError as error:
            self.setup_error.text = str(error)

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

    def _list_games(self) -> None:
        self.saved.set_options(
            {
                game.name: f"{game.modified:%d %b %H:%M}  {game.name[16:-7]}"
                for game in list_games(self.table.rules)
            }
        )

    def _open(self, name: Any) -> None:
        if name:
            self._load(lambda: load_game(self.table.rules, str(name)))

    def _load_pasted(self) -> None:
        self._load(lambda: parse_record(self.table.rules, str(self.pasted.value or "")))

    def _load(self, read: Callable[[], Any]) -> None:
        self.load_error.text = ""
        try:
            self.table.load(read())
        except UsageError as error:
            self.load_error.text = str(error)[:300]

    def _download_text(self) -> None:
        ui.download.content(text_of(self.table.session.position), "game.txt")

    def _download_sgf(self) -> None:
        ui.download.content(self.table.sgf(), "game.sgf")

    def _analyse(self) -> None:
        desk = AnalysisDesk(self.site.rules, self.site.pool)
        desk.look_at(self.table.position)
        ui.navigate.to(f"/analyse/{self.site.keep(desk)}")

    def _clicked_ply(self, event: GenericEventArguments) -> None:
        if isinstance(event.args, int):
            self.table.show_ply(event.args)

    def _clicked_graph(self, event: GenericEventArguments) -> None:
        if isinstance(event.args.get("dataIndex"), int):
            self.table.show_ply(event.args["dataIndex"])

    def _key(self, event: KeyEventArguments) -> None:
        if not event.action.keydown or event.modifiers.ctrl or event.modifiers.meta:
            return
        table = self.table
        if event.key.arrow_left:
            table.show_ply(table.ply - 1)
        elif event.key.arrow_right:
            table.show_ply(table.ply + 1)
        elif event.key.arrow_up or event.key.name == "Home":
            table.show_ply(0)
        elif event.key.arrow_down or event.key.name == "End":
            table.show_ply(10**6)
        elif event.key.name == "u":
            table.undo()
        elif event.key.name == "h":
            table.ask_hint()

    # What there is to see.

    def refresh(self) -> None:
        """Show the table as it is now."""
        table = self.table
        position, judged = table.position, table.judged()
        shows_values = table.evaluates or table.is_over
        arrows = () if table.hint is None else (Arrow(table.hint, 0.7, "hint"),)
        self.board.show(position, table.can_move, Overlay(arrows))
        now = judged[table.ply] if shows_values else None
        self.bar.content = _bar(position, now)
        names = table.player_names()
        is_contest = num_players(position.game) == 2
        turn = None if table.is_over else position.turn
        self.black.content = player_line("black", names[0], turn == "black")
        self.white.content = player_line("white", names[1], turn == "white") if is_contest else ""
        self.title.content = f"<h2>{escape(describe(position.game))}</h2>"
        self.status.text = self._status(turn)
        self.result.text = _result(table) if table.is_over else ""
        self.result.visible = table.is_over
        self.move_error.text = table.error
        self.passing.visible = table.can_move and "pass" in position.legal_moves
        mistakes = {each.ply: each for each in table.mistakes()} if shows_values else {}
        self.moves.content = _move_list(
            table, judged if shows_values else [None] * len(judged), mistakes
        )
        self.review.visible = table.is_over and len(judged) > 1
        if self.review.visible:
            self._draw_review(judged, mistakes)

    def _status(self, turn: str | None) -> str:
        table = self.table
        if turn is None:
            return "The game is over."
        if table.is_compiling:
            return f"{turn.capitalize()} compiles its code: this happens once for each game."
        if table.is_thinking:
            return f"{turn.capitalize()} is thinking…"
        if table.session.is_for_a_person:
            return f"{turn.capitalize()} to move: your turn."
        return f"{turn.capitalize()} to move."

    def _draw_review(self, judged: list[Judged | None], mistakes: dict[int, Any]) -> None:
        positions = self.table.positions
        values = [
            None if each is None else round(value_for_black(position, each), 3)
            for position, each in zip(positions, judged, strict=True)
        ]
        known = sum(value is not None for value in values)
        exact = sum(each is not None and each.is_exact for each in judged)
        counts = [
            sum(positions[ply].turn == colour for ply in mistakes) for colour in ("black", "white")
        ]
        self.summary.text = (
            f"Value for Black after each move. Mistakes: Black {counts[0]}, White {counts[1]}. "
            f"{exact} of {len(values)} positions solved exactly"
            + (". " if exact == len(values) else ", the others judged by search. ")
            + ("" if known == len(values) else f"{len(values) - known} still to be judged.")
        )
        options = self.graph.options
        options["xAxis"]["data"] = list(range(len(values)))
        options["series"][0]["data"] = values
        options["series"][1]["data"] = [
            [ply + 1, values[ply + 1]] for ply in mistakes if values[ply + 1] is not None
        ]
        options["series"][0]["markLine"]["data"] = [{"xAxis": self.table.ply}]
        self.graph.update()


def _parts_of(name: str) -> tuple[str, str, str]:
    """The kind, the strength and the whole name, for the fields of the page."""
    kind, _, strength = name.partition(":")
    if kind == MCTS and strength in STRENGTHS:
        return MCTS, strength, ""
    path, _, number = name.rpartition("@")
    if kind == "az" and number in STRENGTHS:
        return path, number, ""
    return (
        (name, "1000", "")
        if kind in ("random", "first", "solver", "mc")
        else (BY_NAME, "1000", name)
    )


def icon_button(icon: str, label: str, action: Callable[[], object]) -> None:
    """A button that says what it is for when it is pointed at."""
    with ui.button(icon=icon, on_click=action).props("flat dense color=primary") as button:
        button.props(f'aria-label="{label}"')
        ui.tooltip(label)


def _bar(position: Position, judged: Judged | None) -> str:
    """Black's chances, from the bottom."""
    value = 0.0 if judged is None else value_for_black(position, judged)
    unknown = " zl-unknown" if judged is None else ""
    words = "not known" if judged is None else f"{value:+.2f} for Black"
    return (
        f'<div class="zl-bar{unknown}" role="meter" aria-label="value" aria-valuemin="-1" '
        f'aria-valuemax="1" aria-valuenow="{value:.2f}" title="{words}">'
        f'<div style="height:{50 + 50 * value:.0f}%"></div></div>'
    )


def player_line(colour: str, name: str, is_to_move: bool) -> str:
    """A stone, a name and whether that player is to move."""
    turn = '<span class="zl-toplay">to move</span>' if is_to_move else ""
    return (
        f'<div class="zl-player"><span class="zl-stone zl-{colour}"></span>'
        f"<span>{escape(name)}</span>{turn}</div>"
    )


def _result(table: PlayTable) -> str:
    names = table.player_names()
    result = table.session.result
    for colour, name in zip(("black", "white"), names, strict=True):
        if result == f"{colour} wins":
            return f"{colour.capitalize()} wins{': well played!' if name == 'You' else '.'}"
    return result.capitalize() + "."


def _move_list(table: PlayTable, judged: list[Judged | None], mistakes: dict[int, Any]) -> str:
    """Two columns of moves, each with what it was worth to the player who made it."""
    positions = table.positions
    cells = []
    number, column = 0, 2
    for ply in range(1, len(positions)):
        before, action = positions[ply - 1], positions[ply].action
        assert action is not None
        side = before.player if num_players(before.game) == 2 else column % 2
        if column == 2 or side == 0:
            cells += [""] * (2 - column)
            number += 1
            cells.append(f'<span class="zl-no">{number}.</span>')
            column = 0
            if side == 1:
                cells.append('<span class="zl-move"></span>')
                column = 1
        mark = '<span class="zl-bad">?</span>' if ply - 1 in mistakes else ""
        now = " zl-now" if ply == table.ply else ""
        text = escape(format_move(before.game, action))
        cells.append(
            f'<button class="zl-move{now}" data-ply="{ply}"><span>{text} {mark}</span>'
            f"<small>{_worth(before, positions[ply], judged[ply])}</small></button>"
        )
        column += 1
    return f'<div class="zl-moves">{"".join(cells)}</div>'


def _worth(before: Position, after: Position, judged: Judged | None) -> str:
    """The value of a move for the player who made it."""
    if judged is None:
        return ""
    value = judged.value if before.player == after.player else -judged.value
    if judged.is_exact and num_players(before.game) == 2:
        return {1: "wins", 0: "draws", -1: "loses"}[round(value)]
    return f"{value:+.2f}"


def value_graph() -> dict[str, Any]:
    """The options of an empty chart of values, with mistakes as a second series."""
    return {
        "animation": False,
        "grid": {"left": 34, "right": 12, "top": 12, "bottom": 24},
        "tooltip": {"trigger": "axis"},
        "xAxis": {"type": "category", "data": [], "boundaryGap": False, **AXIS},
        "yAxis": {"type": "value", "min": -1, "max": 1, "interval": 1, **AXIS},
        "series": [
            {
                "name": "value for Black",
                "type": "line",
                "data": [],
                "symbolSize": 5,
                "connectNulls": True,
                "lineStyle": {"width": 2, "color": "#0072B2"},
                "itemStyle": {"color": "#0072B2"},
                "areaStyle": {"color": "#0072B2", "opacity": 0.15, "origin": 0},
                "markLine": {
                    "symbol": "none",
                    "silent": True,
                    "label": {"show": False},
                    "data": [],
                    "lineStyle": {"color": "#888888"},
                },
            },
            {
                "name": "mistake",
                "type": "scatter",
                "data": [],
                "symbol": "triangle",
                "symbolSize": 13,
                "itemStyle": {"color": "#D55E00"},
            },
        ],
    }
