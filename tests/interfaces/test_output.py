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
