import os
import stat
import sys
import threading
from pathlib import Path

import pytest

from zerolab.errors import UsageError
from zerolab.files import lock, replacing


def test_a_file_is_replaced_whole(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with replacing(path) as file:
        file.write(b"new")
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def _write_half(path, error):
    with replacing(path) as file:
        file.write(b"half")
        raise error


def test_an_error_or_interrupt_leaves_the_old_file(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    for error in (ValueError, KeyboardInterrupt):
        with pytest.raises(error):
            _write_half(path, error)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_is_a_sentence(tmp_path):
    path = tmp_path / "file"
    with pytest.raises(UsageError, match="file cannot be written: No space left"), replacing(path):
        raise OSError(28, "No space left on device")
    assert list(tmp_path.iterdir()) == []
    with (
        pytest.raises(UsageError, match="cannot be written: No such file"),
        replacing(path / "x"),
    ):
        pass


def test_links_stay_and_what_is_no_file_is_left_alone(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"old")
    link.symlink_to(target)
    with replacing(link) as file:
        file.write(b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    with pytest.raises(UsageError, match="it is not a file"), replacing(tmp_path):
        pass


def test_others_may_read_what_the_user_lets_them(tmp_path):
    before = os.umask(0o022)
    try:
        with replacing(tmp_path / "file"):
            pass
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o644


@pytest.mark.skipif(sys.platform == "win32", reason="has no such locks")
def test_one_lock_at_a_time(tmp_path):
    with (tmp_path / "file").open("wb") as one:
        assert lock(one)
        with (tmp_path / "file").open("rb") as other:
            assert not lock(other)
    with (tmp_path / "file").open("rb") as other:
        assert lock(other)


@pytest.mark.skipif(sys.platform == "win32", reason="has no such locks")
def test_who_waits_gets_the_lock_after_the_other(tmp_path):
    path = tmp_path / "file"
    events = []

    def wait():
        with path.open("rb") as file:
            events.append("locked" if lock(file, wait=True) else "refused")

    waiting = threading.Thread(target=wait)
    with path.open("wb") as held:
        assert lock(held)
        waiting.start()
        for _ in range(10**4):  # until it waits, or has not waited
            if is_waited_for(path) or not waiting.is_alive():
                break
        events.append("let go")
    waiting.join()
    assert events == ["let go", "locked"]
    wait()
    assert events[2:] == ["locked"]  # at once


def is_waited_for(path):
    """Whether somebody waits for the lock of a file; assumed where Linux does not tell."""
    locks = Path("/proc/locks")
    inode = f":{path.stat().st_ino} "
    lines = locks.read_text().splitlines() if locks.exists() else [f"-> {inode}"]
    return any("->" in line and inode in line for line in lines)
