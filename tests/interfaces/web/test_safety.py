"""What the page refuses."""

import asyncio

import pytest

from zerolab.errors import UsageError
from zerolab.evaluation.players.players import make_player
from zerolab.games.clobber import Clobber
from zerolab.interfaces.web.safety import Guard, Rules, check_length, is_loopback, new_token

TOKEN = "right-token"


@pytest.fixture
def runs(tmp_path):
    (tmp_path / "runs" / "demo").mkdir(parents=True)
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "runs" / "link").symlink_to(tmp_path)
    return tmp_path / "runs"


def ask(rules, headers=(), kind="http", path="/play", query=b"", method="GET"):
    """The status of the answer, its headers, and whether the application was asked."""
    asked, sent = [], []

    async def application(scope, receive, send):
        asked.append(scope)
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(message):
        sent.append(message)

    scope = {
        "type": kind,
        "path": path,
        "method": method,
        "query_string": query,
        "headers": [(key.encode(), value.encode()) for key, value in dict(headers).items()],
    }
    asyncio.run(Guard(application, rules)(scope, None, send))
    first = sent[0]
    found = {key.decode(): value.decode() for key, value in first.get("headers", [])}
    return first.get("status", first["type"]), found, bool(asked)


def test_this_machine_may_ask(runs):
    for host in ("127.0.0.1:8765", "localhost:1", "[::1]:8765", "LOCALHOST"):
        status, headers, was_asked = ask(Rules(runs), {"host": host})
        assert (status, was_asked) == (200, True)
        assert "default-src 'self'" in headers["content-security-policy"]


@pytest.mark.parametrize("host", ["example.com", "127.0.0.1.example.com:80", "", "[::2]:80"])
def test_a_foreign_name_for_this_machine_is_refused(runs, host):
    """So that a page whose name suddenly means this machine gets nothing."""
    status, _, was_asked = ask(Rules(runs), {"host": host})
    assert (status, was_asked) == (403, False)


@pytest.mark.parametrize(
    "origin", ["http://example.com", "null", "http://127.0.0.1:1", "127.0.0.1:8765"]
)
@pytest.mark.parametrize("token", [None, TOKEN])
def test_other_origins_are_refused(runs, origin, token):
    headers = {"host": "127.0.0.1:8765", "origin": origin, "cookie": f"zerolab={TOKEN}"}
    assert ask(Rules(runs, token), headers, method="POST")[0] == 403
    assert ask(Rules(runs, token), headers, "websocket")[0] == "websocket.close"
    headers["origin"] = "http://127.0.0.1:8765"
    assert ask(Rules(runs, token), headers, method="POST")[2]
    assert ask(Rules(runs, token), headers, "websocket")[2]


def test_a_token_opens_the_page(runs):
    rules, host = Rules(runs, TOKEN), {"host": "box:8765"}
    assert ask(rules, host)[0] == 401
    assert ask(rules, host, query=b"token=wrong")[0] == 401
    assert ask(rules, host, query=b"token=")[0] == 401
    assert ask(rules, {**host, "cookie": "zerolab=wrong"})[0] == 401
    assert ask(rules, {**host, "cookie": "zerolab=right\xf6"})[0] == 401
    assert ask(rules, host, "websocket", query=b"token=right-token")[0] == "websocket.close"
    status, headers, was_asked = ask(
        rules, host, path="//evil.example/x", query=b"token=right-token&a=1"
    )
    assert (status, was_asked) == (303, False)
    assert headers["location"] == "/evil.example/x?a=1"
    assert "HttpOnly" in headers["set-cookie"]
    cookie = headers["set-cookie"].split(";")[0]
    assert ask(rules, {**host, "cookie": cookie})[2]
    assert ask(rules, {**host, "cookie": cookie}, "websocket")[2]


def test_tokens_are_compared_in_constant_time(runs, monkeypatch):
    compared = []

    def compare(one, other):
        compared.append((one, other))
        return one == other

    monkeypatch.setattr("zerolab.interfaces.web.safety.hmac.compare_digest", compare)
    assert not Rules(runs, TOKEN).knows("wrong")
    assert compared == [(b"wrong", TOKEN.encode())]


def test_tokens_are_long_and_new():
    assert len(new_token()) >= 32
    assert new_token() != new_token()


def test_which_hosts_are_this_machine():
    assert is_loopback("127.0.0.1")
    assert not is_loopback("0.0.0.0")


@pytest.mark.parametrize(
    "text",
    [
        *("..", "../secret", "demo/../../secret", "/etc/passwd", "link", "link/secret"),
        *("x\0y", "a" * 5000, "\ud800", "demo/" + "../" * 30 + "etc", "~root/../../.."),
    ],
)
def test_no_path_leads_outside(runs, text):
    with pytest.raises(UsageError, match=r"not below the directory of runs|is not a path"):
        Rules(runs).inside(text)


@pytest.mark.parametrize("text", ["", "demo", "demo/x.sgf", "no\u202eway", "\uff0e\uff0e/x", "..x"])
def test_paths_inside_are_allowed(runs, text):
    assert Rules(runs).inside(text).is_relative_to(runs)


def test_games_come_from_the_catalogue(runs, tmp_path):
    rules = Rules(runs)
    assert rules.game("clobber", "4x5") == Clobber(4, 5)
    evil = tmp_path / "evil.py"
    evil.write_text("raise SystemExit('ran')")
    for name in (str(evil), "Clobber", "x" * 10**7):
        with pytest.raises(UsageError, match="is not a game"):
            rules.game(name, "")
    for size in ("0x5", "100x100", "5x", "x" * 10**7, "999999999x999999999"):
        with pytest.raises(UsageError):
            rules.game("clobber", size)


def test_players_that_start_programs_are_refused(runs):
    for name in ("uci:sh -c id@100ms", "gtp:gnugo", " UCI:sh", "Gtp:x", "gtp :x"):
        with pytest.raises(UsageError, match="--allow-engines"):
            Rules(runs).player(name)
    assert Rules(runs, allow_engines=True).player("gtp:gnugo") == "gtp:gnugo"


def test_players_by_name(runs):
    rules = Rules(runs)
    for name in ("random", "mc:50", "mcts:1000,exact=18", "solver"):
        assert rules.player(f" {name} ") == name
    assert rules.player("az:demo@100,exact=18") == f"az:{runs / 'demo'}@100,exact=18"
    assert rules.player("az:demo#40@100") == f"az:{runs / 'demo'}#40@100"
    assert rules.player("net:demo") == f"net:{runs / 'demo'}"
    assert rules.player("net:demo#40") == f"net:{runs / 'demo'}#40"


@pytest.mark.parametrize(
    "name",
    [
        *("az:../secret@100", "net:/etc", "mlp:link/secret", "az:/etc#1@100", "human", "python:x"),
        *(
            "mcts:99999999999",
            "mcts:90000MB",
            "az:demo@99999999",
            "x" * 10**7,
            "mcts:" + "1" * 10**6,
        ),
    ],
)
def test_other_players_are_refused(runs, name):
    with pytest.raises(UsageError):
        Rules(runs).player(name)


def test_pages_do_not_show_where_the_runs_are(runs):
    rules = Rules(runs)
    with pytest.raises(UsageError) as raised:
        make_player(rules.player("az:demo@x"))
    assert str(runs) in str(raised.value)
    assert "'x' in 'az:demo@x' is not a strength" in rules.public(str(raised.value))
    assert str(runs) not in rules.public(f"{runs} holds no network, nor does {runs}/demo")


def test_long_texts_are_refused():
    assert check_length("abc") == "abc"
    with pytest.raises(UsageError, match="too long"):
        check_length("x" * 10**7)
