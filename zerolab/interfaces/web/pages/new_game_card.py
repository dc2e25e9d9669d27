"""The card on which a new game is ordered: the board, the opponent, the side."""

from nicegui import ui

from zerolab.errors import UsageError
from zerolab.games.catalogue import GAMES
from zerolab.interfaces.web.desks.play_table import SIDES, Choice, PlayTable
from zerolab.interfaces.web.opponents import BY_NAME, MCTS, STRENGTHS, opponents, player_name
from zerolab.interfaces.web.parts.game_fields import ChosenGame, GameFields

LABELS = dict(zip(SIDES, ("Black", "White", "both", "watch"), strict=True))


class NewGameCard:
    """Fields with the last choice of a table, and the button that begins a game at it."""

    def __init__(self, table: PlayTable) -> None:
        self.table = table
        choice = table.choice
        kind, strength, typed = _parts_of(choice.opponent)
        with ui.element("div").classes("zl-card"):
            ui.html("<h2>New game</h2>", sanitize=False)
            chosen = ChosenGame(choice.game, choice.size, choice.options)
            self.game = GameFields(list(GAMES), chosen, self._game_chosen)
            self.kind = ui.select({}, label="opponent")
            self._offer(kind)
            self.typed = ui.input("name of the player", value=typed, placeholder="mcts:500,c=1")
            self.strength = ui.select(STRENGTHS, value=strength, label="strength")
            ui.label("you play").classes("zl-soft")
            self.side = ui.toggle(LABELS, value=choice.side).props("no-caps dense spread")
            self.error = ui.label().classes("zl-error").props('role="alert"')
            ui.button("New game", on_click=self._begin).props("unelevated").classes("zl-new")
        for field in (self.kind, self.typed, self.strength):
            field.props("dense outlined")
        for field in (*self.game.all, self.kind, self.typed, self.strength):
            field.classes("zl-field")
        self.typed.bind_visibility_from(self.kind, "value", value=BY_NAME)
        self.strength.bind_visibility_from(
            self.kind, "value", backward=lambda kind: kind == MCTS or str(kind).startswith("az:")
        )

    def _game_chosen(self) -> None:
        self._offer(str(self.kind.value))

    def _offer(self, kind: str) -> None:
        """The opponents for the game that is chosen."""
        offered = opponents(self.table.rules, self.game.chosen.name)
        self.kind.set_options(offered, value=kind if kind in offered else MCTS)

    def _begin(self) -> None:
        self.error.text = ""
        try:
            chosen = str(self.kind.value), str(self.strength.value), str(self.typed.value or "")
            opponent, side = player_name(*chosen), str(self.side.value)
            self.table.begin(Choice(*self.game.chosen, opponent, side))
        except UsageError as error:
            self.error.text = self.table.rules.public(str(error))[:300]


def _parts_of(name: str) -> tuple[str, str, str]:
    """The kind, the strength and the whole name of a player, as the fields have them."""
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
