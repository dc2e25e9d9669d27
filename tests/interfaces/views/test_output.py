import contextlib

from zerolab.interfaces.views import output
from zerolab.interfaces.views.output import Output
from zerolab.kernels import compiling


def test_progress_in_a_log_file_comes_once_a_minute(capsys, monkeypatch):
    now = 0.0
    monkeypatch.setattr(output.time, "monotonic", lambda: now)
    with Output(json=True).status() as show:
        for now in range(0, 200, 10):
            show(f"after {now} s [of many]")
    written = capsys.readouterr()
    assert written.out == ""
    assert written.err == "".join(f"after {now} s [of many]\n" for now in (60, 120, 180))


def test_progress_in_a_log_file_tells_the_time_left(capsys, monkeypatch):
    """A fifth was there before; at the speed since then the rest takes as long as it should."""
    now = 0.0
    monkeypatch.setattr(output.time, "monotonic", lambda: now)
    with Output(json=True).progress("work", 10, "") as advance_to:
        for now in range(0, 181, 30):
            advance_to(2 + now / 60)
    assert capsys.readouterr().err == (
        "work: 30%, 7 minutes left\nwork: 40%, 6 minutes left\nwork: 50%, 5 minutes left\n"
    )


def test_progress_without_an_end_is_counted(capsys, monkeypatch):
    now = 0.0
    monkeypatch.setattr(output.time, "monotonic", lambda: now)
    with Output(json=True).progress("work", None, "games") as advance_to:
        for now in range(0, 61, 30):
            advance_to(1000 * now)
    assert capsys.readouterr().err == "work: 60,000 games\n"


def test_compiling_is_told_in_a_log_file(capsys, monkeypatch):
    """Once when it begins, then every ten seconds, with how many helpers of a kernel are done."""
    now, told = 0.0, []

    @contextlib.contextmanager
    def watch(tell):
        told.append(tell)
        yield

    monkeypatch.setattr(output.time, "monotonic", lambda: now)
    monkeypatch.setattr(compiling, "watch_compiling", watch)
    monkeypatch.setattr(output, "KERNELS", {"_play_games": 40})
    with Output(json=True).compiling():
        pass
    assert capsys.readouterr().err == ""
    with Output(json=True).compiling():
        for now in (0.0, 5.0, 12.0):
            told[1]("_play_games", round(2 * now))
        now = 23.0
        told[1]("other", 3)
    once = "once after an installation or an update"
    assert capsys.readouterr().err == (
        f"compiling, {once}\n"
        f"compiling play_games, 60% of its parts, 12 s so far ({once})\n"
        f"compiling other, 23 s so far ({once})\n"
    )
