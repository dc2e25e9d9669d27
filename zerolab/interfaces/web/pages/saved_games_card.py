"""The card of games that were played: saved ones, pasted ones, and this one as a file."""

from collections.abc import Callable
from typing import Any

from nicegui import run as threads
from nicegui import ui

from zerolab.errors import UsageError
from zerolab.interfaces.web.desks.play_table import PlayTable
from zerolab.interfaces.web.game_shelf import (
    LONGEST_RECORD,
    list_games,
    load_game,
    parse_record,
    text_of,
)
from zerolab.interfaces.web.safety import Rules
from zerolab.records.recorded_game import RecordedGame


class SavedGamesCard:
    """Shows another game at a table, and gives its game away."""

    def __init__(self, table: PlayTable) -> None:
        self.table = table
        with ui.element("div").classes("zl-card"):
            ui.html("<h2>Saved games</h2>", sanitize=False)
            ui.label("Every game is saved by itself, as SGF.").classes("zl-soft")
            self.saved = ui.select({}, label="saved game").props("dense outlined")
            self.saved.classes("zl-field").on("popup-show", self._list_games)
            self.saved.on_value_change(lambda event: self._open(event.value))
            with ui.expansion("Paste a game").classes("zl-field"):
                self.pasted = ui.textarea(placeholder="(;FF[4]…  or\nclobber 5x5\nb4b3 c2c3")
                # A longer text would not reach the server, which then could not say so.
                self.pasted.props(f"dense outlined maxlength={LONGEST_RECORD + 1}")
                self.pasted.classes("zl-field")
                ui.button("Load", on_click=self._load_pasted).props("flat dense")
            with ui.element("div").classes("zl-row zl-tight"):
                ui.button("As text", icon="download", on_click=self._give_text).props("flat dense")
                ui.button("As SGF", icon="download", on_click=self._give_sgf).props("flat dense")
            self.error = ui.label().classes("zl-error").props('role="alert"')
        self._list_games()

    def _list_games(self) -> None:
        self.saved.set_options(
            {
                game.name: f"{game.modified:%d %b %H:%M}  {game.name[16:-7]}"
                for game in list_games(self.table.rules)
            }
        )

    async def _open(self, name: Any) -> None:
        if name:
            await self._load(load_game, str(name))

    async def _load_pasted(self) -> None:
        await self._load(parse_record, str(self.pasted.value or ""))

    async def _load(self, read: Callable[[Rules, str], RecordedGame], what: str) -> None:
        """Read a game in a thread: rules may have to be compiled first."""
        self.error.text = ""
        try:
            recorded = await threads.io_bound(read, self.table.rules, what)
            if recorded is not None:  # the server is not being stopped
                self.table.load(recorded)
        except UsageError as error:
            self.error.text = self.table.rules.public(str(error))[:300]

    def _give_text(self) -> None:
        ui.download.content(text_of(self.table.session.position), "game.txt")

    def _give_sgf(self) -> None:
        ui.download.content(self.table.sgf(), "game.sgf")
