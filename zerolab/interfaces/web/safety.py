"""What the page refuses: foreign hosts and origins, missing tokens, paths outside, programs.

A browser that shows the page may show other pages at the same time, and those must not be able to
use this one. So every request is checked before any page sees it (`Guard`), and every text that
names a file, a game or a player is checked before anything is opened (`Rules`).
"""

import hmac
import re
import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from zerolab.errors import UsageError
from zerolab.evaluation.players.agents.shipped_agents import AGENTS
from zerolab.games.base import Game
from zerolab.games.catalogue import GAMES, has_size, make_game

LOOPBACK = ("127.0.0.1", "localhost", "::1")
TOKEN_BYTES = 24
LONGEST = 20_000  # characters of any text from a page
MOST_CELLS = 1024  # of a board on a page
LARGEST = 10_000_000  # number in the name of a player
ENGINES = ("uci", "gtp")
WITH_PATH = ("az", "net", "mlp")
PLAIN = ("random", "first", "mc", "mcts", "solver")

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

HEADERS = {
    # The browser itself makes sure that nothing comes from another machine. Vue compiles its
    # templates in the browser, hence 'unsafe-eval'.
    "content-security-policy": "default-src 'self'; img-src 'self' data: blob:; "
    "style-src 'self' 'unsafe-inline'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; "
    "font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; frame-ancestors 'none'; "
    "form-action 'self'; base-uri 'self'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
}


def is_loopback(host: str) -> bool:
    """Whether only programs on this machine can reach a host."""
    return host in LOOPBACK


def new_token() -> str:
    """A secret that cannot be guessed."""
    return secrets.token_urlsafe(TOKEN_BYTES)


class Rules(NamedTuple):
    """What this server allows."""

    runs: Path
    """The one directory that pages read and write."""
    token: str | None = None
    """Needed for every request, unless only this machine can reach the server."""
    allow_engines: bool = False

    def refusal(self, headers: dict[str, str]) -> str | None:
        """Why a request is refused because of where it comes from, or None."""
        host = headers.get("host", "")
        if self.token is None and _name_of(host) not in LOOPBACK:
            return f"this server is for this machine alone, not for '{host[:100]}'"
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2] != host:
            return "requests from other pages are refused"
        return None

    def knows(self, token: str) -> bool:
        """Whether a token is right; the time it takes tells nothing about how much of it is."""
        return self.token is None or hmac.compare_digest(
            token.encode("utf-8", "replace"), self.token.encode()
        )

    def inside(self, text: str) -> Path:
        """A path below the directory of runs; UsageError for any other."""
        root = self.runs.resolve()
        shown = ascii(text[:80])
        if len(text) > 1000 or "\0" in text:
            raise UsageError(f"{shown} is not a path")
        try:
            path = (root / text).resolve()
        except (OSError, ValueError, RuntimeError):
            raise UsageError(f"{shown} is not a path") from None
        if not path.is_relative_to(root):
            raise UsageError(f"{shown} is not below the directory of runs")
        return path

    def public(self, text: str) -> str:
        """A text for a page, without the path that leads to the runs on this machine."""
        root = str(self.runs.resolve())
        return text.replace(f"{root}/", "").replace(root, "the directory of runs")

    def game(self, name: str, size: str, options: str = "") -> Game:
        """A game of the catalogue; files of rules are programs, and refused."""
        if name not in GAMES:
            raise UsageError(f"{name[:80]!a} is not a game; expected {', '.join(GAMES)}")
        check_length(size)
        check_length(options)
        size = size.strip()
        game = make_game(name, size if size and has_size(name) else None, options.split())
        from zerolab.games.base import shape

        rows, cols = shape(game)
        if rows * cols > MOST_CELLS:
            raise UsageError(f"a board of {rows}x{cols} is too large for the page")
        return game

    def player(self, name: str) -> str:
        """The name of a player that a page may use, its path made absolute."""
        name = name.strip()
        if len(name) > 500:
            raise UsageError("the name of a player is not that long")
        kind, _, rest = name.partition(":")
        if kind.strip().lower() in ENGINES:
            if self.allow_engines:
                return name
            raise UsageError(
                f"'{kind}:' starts a program; start the server with --allow-engines to allow that"
            )
        if kind not in PLAIN + WITH_PATH:
            known = ", ".join((*PLAIN, *(f"{each}:PATH" for each in WITH_PATH)))
            raise UsageError(f"{name[:80]!a} is not a player; expected one of {known}")
        numbers = re.findall(r"[0-9]+", rest.rpartition("@")[2] if kind in WITH_PATH else rest)
        too_much = "MB" in rest and kind == "mcts" and any(int(n[:9]) > 2000 for n in numbers)
        if too_much or (kind != "mlp" and any(int(number[:9]) > LARGEST for number in numbers)):
            raise UsageError(f"{name[:80]!a} asks for more than a page allows")
        if kind not in WITH_PATH:
            return name
        path, at, strength = (
            rest.rpartition("@") if kind == "az" and "@" in rest else (rest, "", "")
        )
        if path in AGENTS and not self.inside(path).exists():  # a run may have that name too
            return name
        directory, mark, step = path.rpartition("#")
        if mark and step.isdigit():
            return f"{kind}:{self.inside(directory)}#{step}{at}{strength}"
        return f"{kind}:{self.inside(path)}{at}{strength}"


def check_length(text: str, longest: int = LONGEST) -> str:
    """The text itself; UsageError if it is longer than any that a page needs."""
    if len(text) > longest:
        raise UsageError(f"a text of {len(text):,} characters is too long; at most {longest:,}")
    return text


class Guard:
    """Checks each request, HTTP and websocket, before the application sees it."""

    def __init__(self, app: App, rules: Rules, cookie: str = "zerolab") -> None:
        self.app = app
        self.rules = rules
        self.cookie = cookie

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer what is refused; pass on everything else."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = {
            key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]
        }
        refusal = self.rules.refusal(headers)
        if refusal is not None:
            await _answer(scope, send, 403, refusal)
        elif self.rules.knows(_cookie(headers, self.cookie)):
            await self.app(scope, receive, _with_headers(send))
        else:
            await self._let_in(scope, send)

    async def _let_in(self, scope: Scope, send: Send) -> None:
        """Turn the token of an address into a cookie, so that addresses do not show it."""
        query = parse_qsl(scope.get("query_string", b"").decode("latin-1"))
        token = dict(query).get("token", "")
        if scope["type"] != "http" or not token or not self.rules.knows(token):
            await _answer(scope, send, 401, "this page needs the token that zerolab web printed")
            return
        rest = urlencode([pair for pair in query if pair[0] != "token"])
        path = "/" + scope["path"].lstrip("/\\")  # two slashes would lead to another host
        target = path.encode("ascii", "ignore").decode() + (f"?{rest}" if rest else "")
        cookie = f"{self.cookie}={token}; Path=/; HttpOnly; SameSite=Lax"
        await _answer(scope, send, 303, "", {"location": target, "set-cookie": cookie})


async def _answer(
    scope: Scope, send: Send, status: int, text: str, more: dict[str, str] | None = None
) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": text[:100]})
        return
    headers = {"content-type": "text/plain; charset=utf-8", **HEADERS, **(more or {})}
    encoded = [(key.encode(), value.encode()) for key, value in headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": encoded})
    await send({"type": "http.response.body", "body": text.encode()})


def _with_headers(send: Send) -> Send:
    async def sending(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", []), *_HEADERS]}
        await send(message)

    return sending


_HEADERS = [(key.encode(), value.encode()) for key, value in HEADERS.items()]


def _cookie(headers: dict[str, str], name: str) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return ""
    return "" if found is None else found.value


def _name_of(host: str) -> str:
    """The host of a Host header, without its port."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].lower()
