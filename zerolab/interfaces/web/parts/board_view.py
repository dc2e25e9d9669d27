"""The board on a page: the picture of board_picture.py, with clicks and drags."""

from collections.abc import Callable

from nicegui import ui
from nicegui.events import GenericEventArguments

from zerolab.games.base import Game, shape
from zerolab.games.boards.board_picture import NOTHING, Overlay, draw_svg, lay_out
from zerolab.games.notation import Board, Columns, action_space, format_move
from zerolab.games.position import Position

FEW = 24  # legal cells that are all shown with a dot; more would only be noise


class BoardView(ui.element, component="board_view.js"):
    """Shows a position; tells the move that somebody made, or the cell clicked while editing."""

    def __init__(
        self, on_move: Callable[[str], None], on_cell: Callable[[int], None] = lambda cell: None
    ) -> None:
        super().__init__()
        self._shown: dict[str, object] = {}

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
        shown: dict[str, object] = {
            "svg": draw_svg(game, position.words, position.action, overlay),
            "width": layout.width,
            "height": layout.height,
            "places": [[round(x, 1), round(y, 1)] for x, y in layout.places],
            "names": cell_names(game),
            "single": single,
            "steps": steps,
            "editing": editing,
            "dots": len(single) <= FEW,
            "label": f"board: {position.text}, {position.turn} to move",
        }
        if shown != self._shown:  # often only a value beside the board is new
            self._shown = shown
            self._props.update(shown)
            self.update()


def cell_names(game: Game) -> list[str]:
    """What the cells are called; numbers where the board is no rectangle."""
    if not hasattr(game, "rows"):
        return [str(cell + 1) for cell in range(len(lay_out(game).places))]
    rows, cols = shape(game)
    board = Board(rows, cols)
    return [board.name((row, col)) for row in range(rows) for col in range(cols)]


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
