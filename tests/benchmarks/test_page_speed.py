"""The clicks of zerolab bench web, a few of them, in a real browser; no time is judged."""

import builtins
import json

import pytest

from tests.interfaces.web.pages.browsing import needs_browser
from tests.interfaces.web.pages.test_runs_page import SMALL
from zerolab.benchmarks import page_speed
from zerolab.benchmarks.page_speed import ClickTimes, PageSpeed, bench_page, launched
from zerolab.benchmarks.server_processes import HAS_PROC
from zerolab.errors import UsageError
from zerolab.interfaces.views.output import Output
from zerolab.interfaces.views.page_speed_view import show_page_speed


def test_times_are_summed_up():
    times = ClickTimes("moves", tuple(float(each) for each in range(1, 102)))
    assert times.summary() == {"clicks": 101, "median_ms": 51, "p95_ms": 96, "slowest_ms": 101}


@needs_browser
def test_a_few_clicks():
    done = []
    found = bench_page(3, done.append, pages=2, settings=SMALL, size="3x3")
    assert done == [1, 2, 3, 4, 5, 6]
    counts = [len(each.times) for each in (found.moves, found.stones, found.crowd, found.replies)]
    assert counts == [3, 3, 2, 1]
    assert all(time > 0 for each in (found.moves, found.crowd) for time in each.times)
    if HAS_PROC:
        assert found.left == 0
        assert 1 <= found.workers <= 1 + max(2, found.cores)


def test_without_playwright_there_is_a_sentence(monkeypatch):
    real = builtins.__import__

    def refuse(name, *arguments, **more):
        if name.startswith("playwright"):
            raise ImportError(name)
        return real(name, *arguments, **more)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(UsageError, match="needs Playwright; install it"), launched():
        pass


def test_without_a_browser_there_is_a_sentence(monkeypatch):
    pytest.importorskip("playwright")
    monkeypatch.setattr(page_speed, "find_program", lambda name: "/no/such/chromium")
    with pytest.raises(UsageError, match="needs Chromium"), launched():
        pass


def test_what_it_prints(monkeypatch, capsys):
    times = ClickTimes("x", (1.0, 2.0, 3.0))
    found = PageSpeed(times, times, 20, times, times, 3, 5.0, 4, 0, 1.5, 2)
    monkeypatch.setattr(page_speed, "bench_page", lambda clicks, tell, pages: found)
    show_page_speed(Output(json=True), 3, 20)
    printed = json.loads(capsys.readouterr().out)
    assert printed["clicks"]["moves"]["median_ms"] == 2.0
    assert printed["processes_left"] == 0
    show_page_speed(Output(json=False), 3, 20)
    words = " ".join(capsys.readouterr().out.split())
    assert "0 processes left after the server was stopped" in words
