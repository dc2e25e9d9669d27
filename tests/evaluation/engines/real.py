"""Engines of others that tests play against. Where one is missing, its tests are skipped, and the
summary of all tests says so in one line (tests/conftest.py).
"""

import os

import pytest

from zerolab.evaluation.players.engine_process import find_program

STOCKFISH = os.environ.get("FAIRY_STOCKFISH", "fairy-stockfish")
GNU_GO = os.environ.get("GNU_GO", "gnugo")
MISSING = "not installed: "  # begins the reason of such a skip; the program follows


def needs(program: str) -> pytest.MarkDecorator:
    """A mark for tests that play against a program."""
    return pytest.mark.skipif(find_program(program) is None, reason=MISSING + program)
