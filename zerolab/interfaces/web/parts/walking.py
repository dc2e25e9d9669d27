"""Walking through the positions of a game, by buttons and by keys."""

from collections.abc import Callable
from typing import Protocol

from nicegui import ui
from nicegui.events import KeyEventArguments

END = 10**6  # a ply beyond every game


class Walked(Protocol):
    """A game of which one position is shown."""

    @property
    def ply(self) -> int:
        """Of the position that is shown."""

    def show_ply(self, ply: int) -> None:
        """Show another one; the nearest one if there is none of that ply."""


def icon_button(icon: str, label: str, action: Callable[[], object]) -> None:
    """A button that says what it is for when it is pointed at."""
    with ui.button(icon=icon, on_click=action).props("flat dense color=primary") as button:
        button.props(f'aria-label="{label}"')
        ui.tooltip(label)


def walk_buttons(game: Walked) -> None:
    """To the first position, one back, one on, to the last."""
    icon_button("first_page", "first move", lambda: game.show_ply(0))
    icon_button("chevron_left", "previous move", lambda: game.show_ply(game.ply - 1))
    icon_button("chevron_right", "next move", lambda: game.show_ply(game.ply + 1))
    icon_button("last_page", "last move", lambda: game.show_ply(END))


def listen_to_keys(game: Walked, others: dict[str, Callable[[], object]] | None = None) -> None:
    """Walk by the arrows, Home and End; `others` are keys with what they do."""

    def pressed(event: KeyEventArguments) -> None:
        if not event.action.keydown or event.modifiers.ctrl or event.modifiers.meta:
            return
        key = event.key
        if key.arrow_left:
            game.show_ply(game.ply - 1)
        elif key.arrow_right:
            game.show_ply(game.ply + 1)
        elif key.arrow_up or key.name == "Home":
            game.show_ply(0)
        elif key.arrow_down or key.name == "End":
            game.show_ply(END)
        elif others and key.name in others:
            others[key.name]()

    ui.keyboard(on_key=pressed)
