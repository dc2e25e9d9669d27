"""Analyse: any position, with what searches, networks and the solver say about it."""

from html import escape
from typing import Any

from nicegui import ui
from nicegui.events import GenericEventArguments, KeyEventArguments
from starlette.responses import RedirectResponse, Response

from zerolab.errors import UsageError
from zerolab.games.base import shape
from zerolab.games.catalogue import GAMES, describe, has_size
from zerolab.games.position import Position
from zerolab.interfaces.web.desks.analysis_desk import PART_COLOURS, AnalysisDesk
from zerolab.interfaces.web.opponents import opponents, player_name
from zerolab.interfaces.web.parts.board_view import BoardView
from zerolab.interfaces.web.parts.desk_watching import watch
from zerolab.interfaces.web.parts.game_fields import ChosenGame, GameFields
from zerolab.interfaces.web.parts.page_frame import page_frame
from zerolab.interfaces.web.site import Site
from zerolab.interfaces.web.workers.search_tasks import SeenTree, ValuedPart, Verdict

BUDGETS = {
    "1000": "1,000 simulations",
    "10000": "10,000 simulations",
    "100000": "100,000 simulations",
    "1000000": "1,000,000 simulations",
    "10000ms": "10 seconds",
}
MOST_ROWS = 8
OUTCOMES = {
    "N": "whoever moves first wins",
    "P": "whoever moves second wins",
    "L": "Black wins",
    "R": "White wins",
}


def register(site: Site) -> None:
    """Give the page its addresses."""

    @ui.page("/analyse")
    def begin() -> Response:
        return RedirectResponse(f"/analyse/{site.keep(AnalysisDesk(site.rules, site.pool))}")

    @ui.page("/analyse/{key}")
    def analyse(key: str) -> Response | None:
        try:
            desk = site.find(key, AnalysisDesk)
        except UsageError as error:
            desk = AnalysisDesk(site.rules, site.pool)
            desk.error = str(error)
            return RedirectResponse(f"/analyse/{site.keep(desk)}")
        if desk is None:
            return RedirectResponse("/analyse")
        AnalysePage(desk)
        return None


class AnalysePage:
    """A view of a desk."""

    def __init__(self, desk: AnalysisDesk) -> None:
        self.desk = desk
        self._tree_seen: SeenTree | None = None
        self._shown: Position | None = None
        with page_frame("Analyse"), ui.element("div").classes("zl-table2"):
            with ui.element("div").classes("zl-col"):
                with ui.element("div").classes("zl-card"):
                    self._board()
                with ui.element("div").classes("zl-card"):
                    self._position()
            with ui.element("div").classes("zl-col"):
                with ui.element("div").classes("zl-card"):
                    self._solver()
                with ui.element("div").classes("zl-card"):
                    self._search()
        ui.keyboard(on_key=self._key)
        watch(desk, self.refresh)

    # The parts of the page.

    def _board(self) -> None:
        with ui.element("div").classes("zl-row zl-between"):
            self.title = ui.html("", sanitize=False)
            with ui.element("div").classes("zl-row zl-tight"):
                self.back = ui.button("Back", icon="undo", on_click=self.desk.back)
                self.back.props("flat dense")
                self.editing = ui.switch("set stones", value=self.desk.editing)
                self.editing.on_value_change(lambda event: self.desk.set_editing(event.value))
        self.board = BoardView(self._move, self._cell)
        self.board_error = ui.label().classes("zl-error").props('role="alert"')

    def _position(self) -> None:
        desk = self.desk
        ui.html("<h2>Position</h2>", sanitize=False)
        with ui.element("div").classes("zl-row"):
            self.game = GameFields(list(GAMES), ChosenGame(desk.game_name, ""), self._start)
            self.game.size.style("width:110px")
            self.game.options.classes("zl-grow")
            ui.button("Start position", on_click=self._start).props("outline")
        with ui.element("div").classes("zl-row"):
            self.text = ui.input("position as text", placeholder="xoxo|ox..  or  XO|OX {B}")
            self.text.classes("zl-grow zl-mono").on("keydown.enter", self._paste)
            self.turn = ui.toggle({"black": "Black", "white": "White"}, value=desk.position.turn)
            self.turn.props('no-caps dense aria-label="to move"')
            ui.button("Set up", on_click=self._paste).props("unelevated")
        self.error = ui.label().classes("zl-error").props('role="alert"')
        ui.label(
            "Rows from the top joined by |, x Black, o White, . empty; sums of boards as MCGS "
            "writes them, [clobber] XO|OX XXO {B}."
        ).classes("zl-soft")
        self.text.props("dense outlined")
        self.turn.on_value_change(lambda event: self.desk.set_turn(str(event.value)))

    def _solver(self) -> None:
        with ui.element("div").classes("zl-row zl-between"):
            ui.html("<h2>Perfect play</h2>", sanitize=False)
            self.solves = ui.switch("solve", value=self.desk.wishes.solves)
            self.solves.on_value_change(lambda event: self._wish(solves=event.value))
        self.verdict = ui.html("", sanitize=False).props('aria-live="polite"')
        self.parts = ui.html("", sanitize=False)

    def _search(self) -> None:
        desk = self.desk
        offered = {
            kind: label
            for kind, label in opponents(desk.rules).items()
            if kind == "mcts" or kind.startswith("az:")
        }
        networks = {"": "none"} | {
            kind.removeprefix("az:"): label for kind, label in offered.items() if kind[:3] == "az:"
        }
        player = desk.wishes.player
        kind, strength = player.partition(":")[::2]
        if kind == "az":
            kind, _, strength = player.rpartition("@")
        with ui.element("div").classes("zl-row zl-between"):
            ui.html("<h2>Search</h2>", sanitize=False)
            self.progress = ui.label().classes("zl-soft").props('aria-live="off"')
        with ui.element("div").classes("zl-row"):
            self.kind = ui.select(
                offered, value=kind if kind in offered else "mcts", label="search"
            )
            self.kind.classes("zl-grow")
            self.budget = ui.select(
                BUDGETS, value=strength if strength in BUDGETS else "100000", label="budget"
            )
        self.network = ui.select(networks, value="", label="bare network over the board")
        if desk.wishes.network in networks:
            self.network.value = desk.wishes.network
        for field in (self.kind, self.budget, self.network):
            field.props("dense outlined")
            field.on_value_change(lambda: self._wish())
        self.network.visible = len(networks) > 1
        self.opinion = ui.label().classes("zl-soft")
        self.search_error = ui.label().classes("zl-error").props('role="alert"')
        self.table = ui.html("", sanitize=False)
        find = "const r = e.target.closest('[data-line]');"
        self.table.on(
            "mouseover",
            self._pointed,
            js_handler=f"(e) => {{ {find} if (r) emit(r.dataset.line); }}",
        )
        self.table.on("mouseleave", lambda: self.desk.point_at(()))
        self.table.on(
            "click",
            self._clicked,
            js_handler=f"(e) => {{ {find} if (r) emit(r.dataset.line.split(' ')[0]); }}",
        )
        with ui.expansion("Search tree", on_value_change=self._show_tree).classes(
            "zl-field"
        ) as tree:
            self.tree = ui.tree([], node_key="id", label_key="label")
            self.tree.add_slot(
                "default-header",
                '<span><b>{{ props.node.label }}</b> <span class="zl-soft">'
                "{{ props.node.visits }} visits, prior {{ props.node.prior }}, "
                "value {{ props.node.value }} "
                '<span v-if="props.node.proven" class="zl-tag zl-ok">proven</span></span></span>',
            )
        self.unfolding = tree

    # What people do.

    def _start(self) -> None:
        self._try(self.error, lambda: self.desk.set_game(*self.game.chosen))

    def _paste(self) -> None:
        text, turn = str(self.text.value or ""), str(self.turn.value)
        self._try(self.error, lambda: self.desk.set_text(text, turn))

    def _move(self, move: str) -> None:
        self._try(self.board_error, lambda: self.desk.play(move))

    def _cell(self, cell: int) -> None:
        self._try(self.board_error, lambda: self.desk.click_stone(cell))

    def _wish(self, solves: bool | None = None) -> None:
        wishes = self.desk.wishes
        if solves is not None:
            wishes = wishes._replace(solves=solves)

        def begin() -> None:
            name = player_name(str(self.kind.value), str(self.budget.value), "")
            network = str(self.network.value or "")
            self.desk.wish(wishes._replace(player=name, network=network))

        self._try(self.search_error, begin)

    def _try(self, label: ui.label, action: Any) -> None:
        label.text = ""
        try:
            action()
        except UsageError as error:
            label.text = str(error)[:300]

    def _pointed(self, event: GenericEventArguments) -> None:
        self.desk.point_at(tuple(str(event.args)[:500].split()))

    def _clicked(self, event: GenericEventArguments) -> None:
        self._move(str(event.args)[:50])

    def _key(self, event: KeyEventArguments) -> None:
        if event.action.keydown and event.key.arrow_left:
            self.desk.back()

    def _show_tree(self) -> None:
        self._tree_seen = None
        self.refresh()

    # What there is to see.

    def refresh(self) -> None:
        """Show the desk as it is now."""
        desk = self.desk
        position = desk.position
        self.board.show(position, not desk.editing, desk.overlay(), desk.editing)
        turn = "the game is over" if position.is_over else f"{position.turn} to move"
        self.title.content = f"<h2>{escape(describe(position.game))}, {turn}</h2>"
        self.back.set_enabled(position.previous is not None)
        if position is not self._shown:  # what somebody is typing stays while a search reports
            self._shown = position
            self.turn.value, self.text.value = position.turn, position.text
            if has_size(desk.game_name):
                self.game.size.value = "{}x{}".format(*shape(position.game))
        self.verdict.content = _verdict(desk)
        self.parts.content = _parts(desk.parts)
        self.search_error.text = desk.error
        self.opinion.text = (
            ""
            if desk.opinion is None
            else f"The network alone: value {desk.opinion.value:+.3f} for {position.turn}; the "
            f"arrows are its probabilities."
        )
        seen = desk.seen
        self.progress.text = _progress(desk)
        self.table.content = "" if seen is None else _candidates(seen, desk.verdict)
        if seen is not None and self.unfolding.value and self._is_newer(seen):
            self._tree_seen = seen
            self.tree.props["nodes"] = seen.nodes
            self.tree.update()

    def _is_newer(self, seen: SeenTree) -> bool:
        """Whether the tree is worth drawing again: not more often than once a second."""
        before = self._tree_seen
        if before is None or seen.seconds < before.seconds:
            return True
        return seen.seconds - before.seconds > 1 or not self.desk.is_searching


def _progress(desk: AnalysisDesk) -> str:
    if desk.position.is_over:
        return ""
    if desk.seen is None:
        return "compiling, once for each game…" if desk.is_compiling else "starting…"
    done = desk.seen
    value = "proven" if done.proven else f"value {done.value:+.3f}"
    return f"{done.simulations:,} simulations in {done.seconds:.1f} s, {value}"


def _verdict(desk: AnalysisDesk) -> str:
    position, verdict = desk.position, desk.verdict
    outcome = position.outcome()
    if outcome is not None:
        return f'<div class="zl-result">The game is over: {escape(str(outcome))}.</div>'
    if not desk.wishes.solves:
        return ""
    if verdict is None:
        words = "The solver looks at the position…" if desk.is_searching else "Not solved in time."
        return f'<p class="zl-soft">{words}</p>'
    figures = f"{verdict.nodes:,} nodes in {verdict.seconds:.2f} s"
    if not verdict.is_done:
        words = "The solver is at work" if desk.is_searching else "Not solved in the time it has"
        return f'<p class="zl-soft">{words}: {figures}.</p>'
    if not verdict.winner:
        moves = " ".join(map(escape, verdict.keeping))
        text, more = "A draw with perfect play", f"Moves that draw: {moves}"
    elif verdict.winner == position.turn:
        moves = " ".join(map(escape, verdict.winning))
        text = f"{verdict.winner.capitalize()}, to move, wins with perfect play"
        more = f"Winning moves: {moves}"
    else:
        text = f"{verdict.winner.capitalize()} wins with perfect play"
        more = f"{position.turn.capitalize()} is to move, and every move loses."
    return (
        f'<div class="zl-result">{text}</div><p class="zl-mono" style="margin-top:8px">{more}</p>'
        f'<p class="zl-soft">{figures}</p>'
    )


def _parts(parts: list[ValuedPart]) -> str:
    if not parts:
        return ""
    rows = [
        f'<tr><td><span class="zl-swatch" style="background:{PART_COLOURS[i % len(PART_COLOURS)]}">'
        f"</span>{len(part.cells)} stones</td>"
        f'<td class="zl-mono">{escape(part.value) or "—"}</td>'
        f"<td>{OUTCOMES.get(part.outcome, 'too large to value here')}</td></tr>"
        for i, part in enumerate(parts)
    ]
    return (
        '<div class="zl-scroll"><table class="zl-cands"><tr><th>component</th><th>value</th>'
        f"<th>alone</th></tr>{''.join(rows)}</table></div>"
    )


def _candidates(seen: SeenTree, verdict: Verdict | None) -> str:
    winning = set() if verdict is None or not verdict.is_done else set(verdict.winning)
    rows = []
    for move in seen.moves[:MOST_ROWS]:
        tag = '<span class="zl-tag zl-ok">proven</span>' if move.proven else ""
        if move.move in winning and not move.proven:
            tag = '<span class="zl-tag zl-ok">wins</span>'
        rows.append(
            f'<tr class="zl-cand" data-line="{escape(" ".join(move.line))}">'
            f'<td class="zl-mono"><b>{escape(move.move)}</b></td>'
            f'<td><div class="zl-meter"><i style="width:{100 * move.share:.0f}%"></i>'
            f"<span>{move.share:.0%}</span></div></td>"
            f"<td>{move.value:+.3f} {tag}</td><td>{move.prior:.2f}</td>"
            f'<td class="zl-soft zl-mono">{escape(" ".join(move.line[1:4]))}</td></tr>'
        )
    return (
        '<div class="zl-scroll"><table class="zl-cands"><tr><th>move</th><th>share</th>'
        f"<th>value</th><th>prior</th><th>goes on</th></tr>{''.join(rows)}</table></div>"
    )
