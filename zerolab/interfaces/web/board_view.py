"""The board on a page: the picture of board_picture.py, with clicks and drags."""

from collections.abc import Callable

from nicegui import ui
from nicegui.events import GenericEventArguments

from zerolab.games.base import shape
from zerolab.games.boards.board_picture import NOTHING, Overlay, draw_svg, lay_out
from zerolab.games.notation import Columns, action_space, format_move
from zerolab.games.position import Position

FEW = 24  # legal cells that are all shown with a dot; more would only be noise


class BoardView(ui.element, component="board_view.js"):
    """Shows a position; tells the move that somebody made, or the cell clicked while editing."""

    def __init__(
        self, on_move: Callable[[str], None], on_cell: Callable[[int], None] = lambda cell: None
    ) -> None:
        super().__init__()

        def move(event: GenericEventArguments) -> None:
            on_move(str(event.args)[:100])

        def cell(event: GenericEventArguments) -> None:
            if isinstance(event.args, int):
                on_cell(event.args)

        self.on("move", move)
        self.on("cell", cell)

    def show(
        self,
        position: Position,
        can_move: bool,
        overlay: Overlay = NOTHING,
        editing: bool = False,
    ) -> None:
        """Draw a position; legal moves can be made if `can_move`."""
        game, layout = position.game, lay_out(position.game)
        single, steps = moves_by_cell(position) if can_move else ({}, {})
        self._props["svg"] = draw_svg(game, position.words, position.action, overlay)
        self._props["width"], self._props["height"] = layout.width, layout.height
        self._props["places"] = [[round(x, 1), round(y, 1)] for x, y in layout.places]
        self._props["single"], self._props["steps"] = single, steps
        self._props["editing"] = editing
        self._props["dots"] = len(single) <= FEW
        self._props["label"] = f"board: {position.text}, {position.turn} to move"
        self.update()


def moves_by_cell(position: Position) -> tuple[dict[int, str], dict[int, dict[int, str]]]:
    """Legal moves by the cell that is clicked, and by the cells that a stone leaves and enters."""
    game, space = position.game, action_space(position.game)
    rows, cols = shape(game)
    single: dict[int, str] = {}
    steps: dict[int, dict[int, str]] = {}
    for action in position.legal_actions:
        move = format_move(game, action)
        cells = [row * cols + col for row, col in space.points(action)]
        if isinstance(space, Columns):
            single.update({row * cols + action: move for row in range(rows)})
        elif len(cells) == 1:
            single[cells[0]] = move
        elif len(cells) == 2:
            steps.setdefault(cells[0], {})[cells[1]] = move
    return single, steps
