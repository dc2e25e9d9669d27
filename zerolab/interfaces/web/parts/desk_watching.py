"""A page that shows a desk as long as the page is open."""

from collections.abc import Callable

from nicegui import ui

from zerolab.interfaces.web.desks.desk import Desk


def watch(desk: Desk, refresh: Callable[[], None]) -> None:
    """Refresh this page now and after every change; the desk's work ends with its last page."""

    def close() -> None:
        if refresh in desk.watchers:
            desk.watchers.remove(refresh)
        if not desk.watchers:
            desk.leave()

    desk.watchers.append(refresh)
    ui.context.client.on_delete(close)
    refresh()
    desk.come_back()
