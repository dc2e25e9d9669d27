"""Engines on standard input and output."""

import sys

from zerolab.evaluation.players.protocol import Player, close_player
from zerolab.games.base import Game
from zerolab.interfaces.engines.gtp_engine import GtpEngine
from zerolab.interfaces.engines.line_server import LineReader, LineWriter
from zerolab.interfaces.engines.uci_engine import UciEngine
from zerolab.interfaces.views.output import Output

_NO_INPUT = -1  # as a descriptor: there is nothing to read


def _standard_input() -> int:
    """Its descriptor; a process may have been started without one."""
    return _NO_INPUT if sys.stdin is None else sys.stdin.fileno()


def serve_gtp(out: Output, game: Game, player: Player, seed: int) -> None:
    """Answer until quit, or until either end of the conversation is closed."""
    engine = GtpEngine(game, player, seed)
    try:
        with out.compiling():
            engine.warm_up()
        lines, write = LineReader(_standard_input()), LineWriter()
        for line in lines:
            for text in engine.answer(line, lines.is_waiting):
                write(text)
            if engine.has_quit or write.is_closed:
                break
    finally:
        close_player(player)


def serve_uci(out: Output, player: Player, seed: int) -> None:
    """Answer until quit, or until either end of the conversation is closed."""
    write = LineWriter()
    engine = UciEngine(player, write, seed)
    try:
        for line in LineReader(_standard_input()):
            with out.compiling():
                engine.receive(line)
            if engine.has_quit or write.is_closed:
                break
    finally:
        engine.close()
        close_player(player)
