"""Lines of any bytes, through real pipes."""

import os

import pytest

from zerolab.interfaces.engines.line_server import LONGEST_LINE, LineReader, LineWriter


def read_all(data):
    ours, theirs = os.pipe()
    reader = LineReader(ours)
    try:
        with os.fdopen(theirs, "wb") as file:
            file.write(data)
        return list(reader)
    finally:
        os.close(ours)


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"one\ntwo\n", ["one", "two"]),
        (b"one\r\n\n\nlast without an end", ["one\r", "", "", "last without an end"]),
        (b"\xff\xfe\x00\n", ["\ufffd\ufffd\x00"]),
    ],
)
def test_lines(data, lines):
    assert read_all(data) == lines


def test_huge_lines_are_cut_off():
    huge = b"x" * (10 * LONGEST_LINE)
    assert [len(line) for line in read_all(b"a\n" + huge + b"\nb\n" + huge)] == [
        *(1, LONGEST_LINE + 1),
        *(1, LONGEST_LINE + 1),
    ]


def test_a_descriptor_that_is_closed():
    ours, theirs = os.pipe()
    os.close(ours)
    os.close(theirs)
    assert list(LineReader(ours)) == []


def test_what_is_waiting():
    ours, theirs = os.pipe()
    reader = LineReader(ours)
    assert not reader.is_waiting()
    os.write(theirs, b"one\n")
    assert next(iter(reader)) == "one"
    assert not reader.is_waiting()
    os.close(theirs)
    assert list(reader) == []
    os.close(ours)


def test_writing(capsys):
    write = LineWriter()
    write("=1 d\N{LATIN SMALL LETTER E WITH ACUTE}\n")
    assert capsys.readouterr().out == "=1 d?\n\n"


def test_a_reader_that_went_away(monkeypatch):
    ours, theirs = os.pipe()
    os.close(ours)
    with os.fdopen(theirs, "w") as file:
        monkeypatch.setattr("sys.stdout", file)
        write = LineWriter()
        write("one")
        assert write.is_closed
        write("two")  # is not even tried
        file.write("what Python flushes at the end goes nowhere")
        file.flush()
