"""The moves of a game in two columns, each with a note; a click shows the position after it."""

from collections.abc import Collection, Sequence
from html import escape

from nicegui import ui
from nicegui.events import GenericEventArguments

from zerolab.games.base import num_players
from zerolab.games.notation import format_move
from zerolab.games.position import Position
from zerolab.interfaces.web.parts.walking import Walked


class MoveList:
    """The list on a page."""

    def __init__(self, game: Walked) -> None:
        self._html = ui.html("", sanitize=False)

        def clicked(event: GenericEventArguments) -> None:
            if isinstance(event.args, int):
                game.show_ply(event.args)

        self._html.on(
            "click",
            clicked,
            js_handler="(e) => { const b = e.target.closest('[data-ply]'); "
            "if (b) emit(Number(b.dataset.ply)); }",
        )

    def show(
        self,
        positions: Sequence[Position],
        shown: int,
        notes: Sequence[str],
        mistakes: Collection[int] = (),
    ) -> None:
        """All moves that led to the last position.

        `notes` has one for each position, `mistakes` the plies of the positions before bad moves.
        """
        self._html.content = _table(positions, shown, notes, mistakes)


def _table(
    positions: Sequence[Position], shown: int, notes: Sequence[str], mistakes: Collection[int]
) -> str:
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
        now = " zl-now" if ply == shown else ""
        cells.append(
            f'<button class="zl-move{now}" data-ply="{ply}">'
            f"<span>{escape(format_move(before.game, action))} {mark}</span>"
            f"<small>{escape(notes[ply])}</small></button>"
        )
        column += 1
    return f'<div class="zl-moves">{"".join(cells)}</div>'
