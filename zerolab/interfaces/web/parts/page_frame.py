"""The frame of every page: style, header, navigation, light and dark."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nicegui import ui

PAGES = {
    "Play": "/play",
    "Analyse": "/analyse",
    "Runs": "/runs",
    "Studies": "/studies",
    "Learn": "/learn",
}
STYLE = (Path(__file__).parent / "page_style.css").read_text("utf-8")
# Of charts: a grey that is read on paper and on slate.
AXIS = {"axisLabel": {"color": "#7d8794"}, "nameTextStyle": {"color": "#7d8794"}}
DARK = "zerolab_dark"  # the cookie that keeps the choice
LOGO = (
    '<svg viewBox="0 0 32 32" aria-hidden="true">'
    '<rect width="32" height="32" rx="7" fill="#dfc191"/>'
    '<circle cx="12" cy="12" r="7.5" fill="#222"/>'
    '<circle cx="20.5" cy="20.5" r="7.5" fill="#fdfdfd" stroke="#222"/></svg>'
)


@contextmanager
def page_frame(here: str) -> Iterator[None]:
    """The page named `here` in the navigation; what is made inside is its content."""
    ui.add_css(STYLE)
    ui.colors(
        primary="#0072B2",
        secondary="#56B4E9",
        accent="#CC79A7",
        positive="#009E73",
        negative="#D55E00",
    )
    request = ui.context.client.request
    kept = {"1": True, "0": False}.get(request.cookies.get(DARK, "")) if request else None
    dark = ui.dark_mode(kept)

    async def switch() -> None:
        is_dark = await ui.run_javascript("document.body.classList.contains('body--dark')")
        dark.value = not is_dark
        age = 60 * 60 * 24 * 365
        ui.run_javascript(
            f"document.cookie='{DARK}={int(not is_dark)};path=/;max-age={age};samesite=lax'"
        )

    with ui.element("header").classes("zl-top"):
        with ui.element("a").classes("zl-brand").props('href="/" aria-label="zerolab"'):
            ui.html(LOGO, sanitize=False)
            ui.element("span").props("innerHTML=zerolab")
        with ui.element("nav").classes("zl-nav").props('aria-label="pages"'):
            for name, path in PAGES.items():
                link = ui.link(name, path)
                if name == here:
                    link.classes("zl-here").props('aria-current="page"')
        button = ui.button(icon="contrast", on_click=switch).props("flat round dense color=grey-7")
        button.props('aria-label="light or dark"')
    with ui.element("main").classes("zl-main"):
        yield


def heading(title: str, lead: str = "") -> None:
    """The title of a page."""
    ui.html(f"<h1>{title}</h1>", sanitize=False)
    if lead:
        ui.label(lead).classes("zl-lead")
