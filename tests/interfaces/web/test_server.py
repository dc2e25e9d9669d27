"""The server as a process: what it answers, and what it leaves behind."""

import http.client
import json
import os
import signal
import subprocess
from pathlib import Path
from urllib.parse import parse_qsl, urlparse

import pytest

from tests.interfaces.web.by_hand import HandPool
from tests.interfaces.web.pages.browsing import COMMAND, serving
from zerolab.interfaces.web.desks.analysis_desk import AnalysisDesk
from zerolab.interfaces.web.desks.desk_files import FOLDER
from zerolab.interfaces.web.desks.play_table import Choice, PlayTable
from zerolab.interfaces.web.safety import Rules


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="module")
def server(runs):
    with serving(runs) as (url, process):
        yield urlparse(url), process


def get(server, path, method="GET", **headers):
    connection = http.client.HTTPConnection(server[0].hostname, server[0].port, timeout=60)
    headers = {key.replace("_", "-"): value for key, value in headers.items()}
    connection.putrequest(method, path, skip_host="Host" in headers)
    for key, value in headers.items():
        connection.putheader(key, value)
    connection.endheaders()
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer, body


def test_every_page_answers_and_asks_nobody_else(server):
    for path in ("/play", "/analyse", "/runs", "/studies", "/learn"):
        answer, body = get(server, path)
        if answer.status in (302, 307):
            answer, body = get(server, answer.getheader("location"))
        assert answer.status == 200, path
        assert b"https://" not in body
        assert "default-src 'self'" in answer.getheader("content-security-policy")


def test_what_an_earlier_server_has_kept_is_shown_again(server, runs):
    table = PlayTable(Rules(runs), HandPool())
    table.begin(Choice("clobber", "2x3", "", "random", "both"))
    table.play("a2a1")
    desk = AnalysisDesk(Rules(runs), HandPool())
    desk.set_text("xoxo|ox..", "white")
    (runs / FOLDER).mkdir()
    for key, kept in {"tabletab": table, "deskdesk": desk}.items():
        fields = {"format": 1, "kind": kept.KIND, **kept.snapshot()()}
        (runs / FOLDER / f"{key}.json").write_text(json.dumps(fields))
    assert b"board: .ox|xxo, white to move" in get(server, "/play/tabletab")[1]
    assert b"board: xoxo|ox.., white to move" in get(server, "/analyse/deskdesk")[1]
    assert get(server, "/analyse/tabletab")[0].getheader("location") == "/analyse"
    for page in ("play", "analyse", "replay", "learn"):
        (runs / FOLDER / "badbadba.json").write_text('{"format": 1, "kind": "odd"')
        answer, body = get(server, f"/{page}/badbadba")
        if answer.status in (302, 307):
            answer, body = get(server, answer.getheader("location"))
        if page == "learn":  # there is nothing to lose: it begins anew
            assert answer.status == 307
        else:
            assert answer.status == 200
            assert b"its file is damaged" in body


def test_foreign_hosts_and_origins_are_refused(server):
    assert get(server, "/play", Host="example.com")[0].status == 403
    assert get(server, "/play", method="POST", Origin="http://example.com")[0].status == 403
    upgrade = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ==",
        "Sec_WebSocket_Version": "13",
    }
    path = "/_nicegui_ws/socket.io/?EIO=4&transport=websocket"
    assert get(server, path, **upgrade, Origin="http://example.com")[0].status == 403


def socket_of(url, **options):
    """A websocket as the page opens it."""
    sync = pytest.importorskip("websockets.sync.client")
    host = f"{url.hostname}:{url.port}"
    path = "/_nicegui_ws/socket.io/?EIO=4&transport=websocket"
    options.setdefault("origin", f"http://{host}")
    return sync.connect(f"ws://{host}{path}", max_size=None, **options)


def test_websockets_of_other_origins_are_refused(server):
    from websockets.exceptions import InvalidStatus

    with socket_of(server[0]) as socket:
        assert socket.recv(60)[:1] == "0"  # it is open
    for origin in ("http://example.com", "null", f"https://{server[0].netloc}.example.com"):
        with pytest.raises(InvalidStatus, match="403"):
            socket_of(server[0], origin=origin)


@pytest.mark.parametrize("text", ["x" * 10**7, "42" + '["event",' + "[" * 10**7])
def test_10_mb_over_the_websocket_end_only_that_connection(server, text):
    from websockets.exceptions import ConnectionClosed

    def talk():
        with socket_of(server[0]) as socket:
            socket.recv(60)
            socket.send(text)
            while True:
                socket.recv(60)

    with pytest.raises(ConnectionClosed):
        talk()
    assert get(server, "/learn")[0].status in (200, 302, 307)


def test_10_mb_in_an_address_or_a_form_are_refused(server):
    assert get(server, "/replay?run=" + "..%2f" * 10_000)[0].status in (200, 400, 414, 431)
    connection = http.client.HTTPConnection(server[0].hostname, server[0].port, timeout=60)
    connection.request("POST", "/play", body=b"x" * 10**7)
    assert connection.getresponse().status == 405
    connection.close()


def test_other_machines_need_the_token(tmp_path):
    from websockets.exceptions import InvalidStatus

    with serving(tmp_path, "--host", "0.0.0.0") as (url, process):
        address = urlparse(url)
        token = dict(parse_qsl(address.query))["token"]
        here = urlparse(f"http://127.0.0.1:{address.port}"), process
        assert get(here, "/play")[0].status == 401
        assert get(here, "/play?token=wrong")[0].status == 401
        assert get(here, "/play", Cookie=f"zerolab_{address.port}={token}x")[0].status == 401
        with pytest.raises(InvalidStatus, match="403"):
            socket_of(here[0])
        answer, _ = get(here, f"/play?token={token}")
        assert answer.status == 303
        cookie = answer.getheader("set-cookie").partition(";")[0]
        assert get(here, "/play", Cookie=cookie)[0].status in (200, 302, 307)
        with socket_of(here[0], additional_headers={"Cookie": cookie}) as socket:
            assert socket.recv(60)[:1] == "0"


@pytest.mark.parametrize("run", ["..", "/etc", "..%2f..", "%2e%2e", "%ed%a0%80", "link", "a%00b"])
def test_no_run_outside_is_replayed(server, run):
    answer, body = get(server, f"/replay?run={run}")
    assert answer.status == 200
    assert b"Back to all runs" in body
    assert b"root:" not in body


@pytest.mark.parametrize(
    "path",
    [
        *("/../../etc/passwd", "/_nicegui/../../../etc/passwd", "/etc/passwd", "/runs/../x"),
        *("/_nicegui/3.18.0/static/..%2f..%2f..%2f..%2fetc%2fpasswd", "/play/%00", "/games/x.sgf"),
        *("/_nicegui/3.18.0/static/%2e%2e/%2e%2e/%2e%2e/etc/passwd", "/play/" + "a" * 5000),
    ],
)
def test_no_address_reads_a_file(server, path):
    answer, body = get(server, path)
    assert answer.status in (301, 302, 307, 308, 400, 404)
    assert b"root:" not in body


def test_only_the_pages_and_what_they_need_are_served(server):
    for path in ("/docs", "/openapi.json", "/redoc"):
        assert get(server, path)[0].status == 404


def test_a_port_that_is_taken_gets_a_sentence(server, tmp_path):
    quiet = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST")}
    for options in (
        ["--port", str(server[0].port)],
        ["--port", "70000"],
        ["--host", "no.such.host.invalid"],
    ):
        done = subprocess.run(
            [*COMMAND, "--runs", str(tmp_path), "--no-browser", *options],
            capture_output=True,
            text=True,
            env=quiet,
            timeout=120,
        )
        assert done.returncode == 2
        assert done.stderr.startswith("zerolab: ")
        assert "Traceback" not in done.stderr


def children_of(pid):
    """The processes whose parent is `pid`."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid and fields[0] != "Z":
            found.append(int(path.parent.name))
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_a_server_that_is_stopped_leaves_no_process(tmp_path, sign):
    with serving(tmp_path) as (url, process):
        server = urlparse(url), process
        answer, _ = get(server, "/analyse")
        assert answer.status in (302, 307)
        process.send_signal(sign)
        assert process.wait(60) in (0, -sign, 130)
    assert children_of(process.pid) == []
