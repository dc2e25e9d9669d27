"""A referee for games between programs that speak GTP: it passes moves on and believes nobody."""

from zerolab.evaluation.players.engine_process import Engine

ANSWER_SECONDS = 300.0


class Program:
    """A program, started and asked line by line."""

    def __init__(self, *command: str) -> None:
        self._engine = Engine(command[0], list(command))

    def ask(self, command: str) -> str:
        """The text of its answer, which must be a success."""
        self._engine.send(command)
        first, *lines = self._engine.read_until(lambda line: not line, ANSWER_SECONDS)
        assert first.startswith("="), f"{first} to {command}"
        return "\n".join([first.removeprefix("=").strip(), *lines[:-1]])

    def close(self) -> None:
        """Ask it to quit; it must do so by itself, with success."""
        self._engine.send("quit")
        self._engine.read_until(lambda line: not line, ANSWER_SECONDS)
        assert self._engine._process.wait(ANSWER_SECONDS) == 0
        self._engine.close()

    def kill(self) -> None:
        """End it whatever it does; harmless if it has ended."""
        self._engine.kill()


def play_game(black: Program, white: Program, most: int) -> list[str]:
    """Play until two passes follow each other; the moves, each accepted by the opponent."""
    moves: list[str] = []
    while len(moves) < most and moves[-2:] != ["PASS", "PASS"]:
        colour = "white" if len(moves) % 2 else "black"
        mover, other = (white, black) if len(moves) % 2 else (black, white)
        move = mover.ask(f"genmove {colour}")
        other.ask(f"play {colour} {move}")
        moves.append(move.upper())
    return moves
