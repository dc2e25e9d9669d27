"""Learn: Clobber, combinatorial values and AlphaZero for newcomers, each with a live example."""

import functools
from collections.abc import Callable
from html import escape

from nicegui import ui
from starlette.responses import RedirectResponse, Response

from zerolab.errors import UsageError
from zerolab.interfaces.web.desks.analysis_desk import AnalysisDesk, Wishes
from zerolab.interfaces.web.desks.learn_room import BEGINNINGS, LearnRoom
from zerolab.interfaces.web.pages.analyse_page import OUTCOMES
from zerolab.interfaces.web.parts.board_view import BoardView
from zerolab.interfaces.web.parts.desk_watching import watch
from zerolab.interfaces.web.parts.page_frame import heading, page_frame
from zerolab.interfaces.web.site import Site

EXAMPLES = {
    "xo": "star, *: whoever moves first takes, and the other has no move",
    "xxo": "up, ↑: Black wins whoever begins, but by less than any positive number",
    "xo|ox": "four stones, and still worth a single *",
    "xoxo": "plus or minus: whoever moves first turns it to the better",
    "xxo|o.x": "a value without a name of its own: what each side can move to",
}
SEARCHES = {"10": "10", "100": "100", "1000": "1,000", "10000": "10,000", "100000": "100,000"}

CLOBBER = """
<p>Clobber is played on a board full of stones, black and white in turn. A move takes a stone of
yours, up, down, left or right, onto a neighbouring stone of the opponent, which is removed.
<b>Whoever cannot move loses.</b> Both sides always have equally many moves, no draw is possible,
and yet a board of 5x6 takes a computer a minute to solve, and each further row many times as
long.</p>
<p>Try it: click a stone, then one beside it. You move both colours here. The line below is not an
estimate: a solver looks at every way the game can go.</p>"""
VALUES = """
<p>Late in a game the stones fall apart into groups that no longer touch. Each is a little game of
its own, and a move is made in one of them. Conway found out how to add such games up: every one
has a <b>value</b>, and the value of the whole is the sum.</p>
<p>A value tells who wins: <b>0</b> is a loss for whoever has to begin, <b>↑</b> is good for Black,
<b>↓</b> for White, and <b>*</b> is good for whoever begins. Two stars cancel each other out, so
that nobody wants to begin there. Choose one, or write a position of your own.</p>"""
ALPHAZERO = """
<p>AlphaZero knows the rules and nothing else. It <b>searches</b>: it follows one line of play after
another, tries most often what has gone well so far, and plays the move that it tried most. Here it
is the plain search, which judges a position by random games. With 10 lines it guesses; with
100,000 it sees far.</p>
<p>A <b>network</b> makes this strong: it says at a glance which moves are worth trying and who is
ahead. It learns from games against itself: the moves that the search preferred and who won in the
end become its lessons, the better network makes the search better, and so on, from nothing.</p>"""


def register(site: Site) -> None:
    """Give the page its addresses."""

    @ui.page("/learn")
    def begin() -> Response:
        return RedirectResponse(f"/learn/{site.keep(LearnRoom(site.rules, site.pool))}")

    @ui.page("/learn/{key}")
    def learn(key: str) -> Response | None:
        try:
            room = site.find(key, LearnRoom)
        except UsageError:  # damaged: nothing is lost that could not be tried again
            room = None
        if room is None:
            return RedirectResponse("/learn")
        with page_frame("Learn"):
            heading("Learn", "Clobber, what its positions are worth, and how a machine learns it.")
            with ui.element("div").classes("zl-card").style("padding:24px"):
                _rules(room.desks["rules"])
                _values(room.desks["values"])
                _search(room.desks["search"])
        return None


def _rules(desk: AnalysisDesk) -> None:
    with ui.element("section").classes("zl-lesson"):
        with ui.element("div").classes("zl-col zl-text"):
            ui.html(f"<h2>What Clobber is</h2>{CLOBBER}", sanitize=False)
            said = ui.html("", sanitize=False).props('aria-live="polite"')
            with ui.element("div").classes("zl-row"):
                ui.button("Back", icon="undo", on_click=desk.back).props("flat dense")
                again = _guarded(desk, lambda: desk.set_text(BEGINNINGS["rules"][0], "black"))
                ui.button("Start again", icon="refresh", on_click=again).props("flat dense")
        board = BoardView(lambda move: _guarded(desk, lambda: desk.play(move))())

    def refresh() -> None:
        board.show(desk.position, True)
        outcome, verdict = desk.position.outcome(), desk.verdict
        turn = desk.position.turn.capitalize()
        if outcome is not None:
            words = f"{turn} cannot move: {outcome}."
        elif verdict is None or not verdict.is_done:
            words = f"{turn} to move. The solver is looking…"
        elif verdict.winner == desk.position.turn:
            best = ", ".join(verdict.winning[:6])
            words = f"{turn} to move, and can win: {best}."
        else:
            words = f"{turn} to move, and loses against perfect play, whatever the move."
        said.content = f'<div class="zl-result">{escape(words)}</div>'

    watch(desk, refresh)


def _values(desk: AnalysisDesk) -> None:
    with ui.element("section").classes("zl-lesson"):
        with ui.element("div").classes("zl-col zl-text"):
            ui.html(f"<h2>What a position is worth</h2>{VALUES}", sanitize=False)
            with ui.element("div").classes("zl-row"):
                for text in EXAMPLES:
                    choose = _guarded(desk, functools.partial(desk.set_text, text, "black"))
                    ui.button(text, on_click=choose).props("outline dense").classes("zl-mono")
            field = ui.input("a position of your own", placeholder="xo.xxo").props("dense outlined")
            field.style("max-width:320px").classes("zl-mono")
            error = ui.label().classes("zl-error").props('role="alert"')

            def typed() -> None:
                error.text = ""
                try:
                    desk.set_text(str(field.value or ""), "black")
                except UsageError as problem:
                    error.text = str(problem)[:300]

            field.on("keydown.enter", typed)
            said = ui.html("", sanitize=False).props('aria-live="polite"')
        board = BoardView(lambda move: _guarded(desk, lambda: desk.play(move))())

    def refresh() -> None:
        board.show(desk.position, True, desk.overlay())
        lines = [
            f'<div class="zl-result"><span class="zl-mono" style="font-size:20px">'
            f"{escape(part.value) or '?'}</span> &nbsp; "
            f"{OUTCOMES.get(part.outcome, 'too large to value here')}</div>"
            for part in desk.parts
        ]
        remark = EXAMPLES.get(desk.position.text, "")
        if desk.position.is_over:
            lines = ['<div class="zl-result">No move is left: the value is 0.</div>']
        elif not lines:
            lines = ['<p class="zl-soft">computing its value…</p>']
        said.content = "".join(lines) + f'<p class="zl-soft">{escape(remark)}</p>'

    watch(desk, refresh)


def _search(desk: AnalysisDesk) -> None:
    with ui.element("section").classes("zl-lesson"):
        with ui.element("div").classes("zl-col zl-text"):
            ui.html(f"<h2>How AlphaZero learns</h2>{ALPHAZERO}", sanitize=False)
            chosen = desk.wishes.player.partition(":")[2]
            ui.label("lines of play").classes("zl-soft")
            known = chosen if chosen in SEARCHES else "1000"
            toggle = ui.toggle(SEARCHES, value=known).props("no-caps dense")
            toggle.on_value_change(
                lambda event: desk.wish(Wishes(f"mcts:{event.value}", "", False))
            )
            said = ui.html("", sanitize=False).props('aria-live="off"')
            ui.html(
                '<p>Go on: <a href="/runs">train a network</a> and watch its curves, then '
                '<a href="/play">play against it</a> or <a href="/analyse">ask it</a> about any '
                "position.</p>",
                sanitize=False,
            )
        board = BoardView(lambda move: _guarded(desk, lambda: desk.play(move))())

    def refresh() -> None:
        board.show(desk.position, True, desk.overlay())
        seen = desk.seen
        words = "compiling, once…" if desk.is_compiling else "searching…"
        if seen is not None and seen.moves:
            best = seen.moves[0]
            words = (
                f"After {seen.simulations:,} lines of play the best move is {best.move}, tried in "
                f"{best.share:.0%} of them, with a value of {best.value:+.2f} between -1 and 1."
            )
        elif desk.position.is_over:
            words = "The game is over."
        said.content = f'<div class="zl-result">{escape(words)}</div>'

    watch(desk, refresh)


def _guarded(desk: AnalysisDesk, action: Callable[[], None]) -> Callable[[], None]:
    """An action that may be refused, as a move of somebody who clicked too late."""

    def doing() -> None:
        try:
            action()
        except UsageError as error:
            ui.notify(str(error)[:200])

    return doing
