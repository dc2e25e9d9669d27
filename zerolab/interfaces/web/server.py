"""The server: one process with an event loop, and the workers that compute for it."""

import asyncio
import os
import socket
from pathlib import Path

from nicegui import app, background_tasks, ui
from nicegui.server import Server

from zerolab.errors import UsageError
from zerolab.files import make_directory
from zerolab.interfaces.web.safety import Guard, Rules, is_loopback, new_token
from zerolab.interfaces.web.site import Site
from zerolab.interfaces.web.workers.worker_pool import WorkerPool


def serve(host: str, port: int, runs: Path, allow_engines: bool, no_browser: bool) -> None:
    """Serve the pages until Ctrl-C."""
    port = _free_port(host, port)
    make_directory(runs)
    token = None if is_loopback(host) else new_token()
    site = Site(Rules(runs.resolve(), token, allow_engines), WorkerPool(1 + (os.cpu_count() or 1)))
    register_pages(site)
    app.add_middleware(Guard, rules=site.rules, cookie=f"zerolab_{port}")
    app.on_shutdown(site.close)
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}/"
    if token is not None:
        address += f"?token={token}"

    async def announce() -> None:
        while not Server.instance.started:  # it listens only after this handler was called
            await asyncio.sleep(0.05)
        print(f"zerolab: the page is at {address} (Ctrl-C ends it)", flush=True)

    app.on_startup(lambda: background_tasks.create(announce(), name="announce"))
    ui.run(
        host=host,
        port=port,
        title="zerolab",
        favicon=FAVICON,
        dark=None,
        show=False if no_browser else f"/?token={token}" if token else "/",
        reload=False,
        tailwind=False,
        show_welcome_message=False,
        reconnect_timeout=5.0,  # seconds; then the work of a page that was closed ends
        access_log=False,
    )


FAVICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">'
    '<rect width="32" height="32" rx="7" fill="#dfc191"/>'
    '<circle cx="12" cy="12" r="7.5" fill="#222222"/>'
    '<circle cx="20.5" cy="20.5" r="7.5" fill="#fdfdfd" stroke="#222222"/></svg>'
)


def register_pages(site: Site) -> None:
    """Give each page its address."""
    from zerolab.interfaces.web.pages import (
        analyse_page,
        learn_page,
        play_page,
        replay_page,
        runs_page,
        studies_page,
    )

    for page in (play_page, analyse_page, runs_page, replay_page, studies_page, learn_page):
        page.register(site)


def _free_port(host: str, port: int) -> int:
    """The port, or a free one for 0; UsageError if it cannot be listened on."""
    if port > 65535:
        raise UsageError(f"--port {port} is not possible; expected at most 65535")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((host, port))
        except (OSError, UnicodeError) as error:
            raise UsageError(f"the page cannot be served at {host}:{port}: {error}") from None
        return int(trial.getsockname()[1])
