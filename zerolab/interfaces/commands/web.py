"""zerolab web: the page, served from this machine."""

from pathlib import Path
from typing import Annotated

import tyro

from zerolab.interfaces.commands.arguments import Seed


def web(
    host: str = "127.0.0.1",
    port: Seed = 8765,
    runs: Annotated[Path, tyro.conf.arg(metavar="DIRECTORY")] = Path("runs"),
    allow_engines: bool = False,
    no_browser: bool = False,
) -> None:
    """Open the web page: play, analyse positions, watch and start runs. Ctrl-C ends it.

    Example: zerolab web --runs runs

    Args:
        host: The address to listen on. Any other than the default can be reached from other
            machines, and needs a token, which is printed.
        port: The port to listen on; 0 for any that is free.
        runs: The directory of runs and games, the only one that the page reads or writes.
        allow_engines: Allow players that start programs, uci: and gtp:, on the page.
        no_browser: Print the address, and open no browser.
    """
    from zerolab.interfaces.web.server import serve

    serve(host, port, runs, allow_engines, no_browser)
