from zerolab.interfaces import output
from zerolab.interfaces.output import Output


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
