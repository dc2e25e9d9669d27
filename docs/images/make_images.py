"""Draw the picture of the terminal in docs/getting-started.md: python docs/images/make_images.py"""

from pathlib import Path

from rich.console import Console

from zerolab.games.boards.stones import initial_state
from zerolab.games.clobber import Clobber
from zerolab.interfaces.views.output import Output
from zerolab.interfaces.views.terminal import TerminalGame
from zerolab.kernels.rng import stream


def main() -> None:
    """A game of Clobber as the terminal shows it."""
    out = Output(json=False)
    out.console = Console(record=True, width=72, force_terminal=True, highlight=False)
    game = Clobber(3, 4)
    players = ("mcts:1000", "mc:10")
    TerminalGame(out, game, initial_state(game, stream(0)), players, stream(3)).play()
    path = Path(__file__).parent / "play.svg"
    path.write_text(out.console.export_svg(title="zerolab play clobber --size 3x4"))


if __name__ == "__main__":
    main()
