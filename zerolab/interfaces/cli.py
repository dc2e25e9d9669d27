"""The command line: `zerolab --help`.

Nothing heavy is imported here or at the top of the modules of commands, so that help is fast.
"""

import sys
from collections.abc import Callable, Sequence

import tyro

from zerolab import __version__
from zerolab.errors import UsageError
from zerolab.interfaces.commands.analyze import analyze
from zerolab.interfaces.commands.bench import bench
from zerolab.interfaces.commands.elo import elo
from zerolab.interfaces.commands.exam import exam
from zerolab.interfaces.commands.export import export
from zerolab.interfaces.commands.games import games
from zerolab.interfaces.commands.gtp_command import gtp
from zerolab.interfaces.commands.learn import learn
from zerolab.interfaces.commands.match import match
from zerolab.interfaces.commands.network import network
from zerolab.interfaces.commands.online import online
from zerolab.interfaces.commands.perft import perft
from zerolab.interfaces.commands.play import play
from zerolab.interfaces.commands.plot import plot
from zerolab.interfaces.commands.solve import solve
from zerolab.interfaces.commands.study import study
from zerolab.interfaces.commands.sweep import sweep
from zerolab.interfaces.commands.tournament import tournament
from zerolab.interfaces.commands.train import train
from zerolab.interfaces.commands.uci_command import uci
from zerolab.interfaces.commands.verify import verify
from zerolab.interfaces.commands.web import web

COMMANDS: dict[str, Callable[..., None]] = {
    command.__name__: command
    for command in (
        games,
        play,
        match,
        tournament,
        exam,
        elo,
        analyze,
        solve,
        verify,
        train,
        learn,
        online,
        plot,
        network,
        export,
        sweep,
        study,
        perft,
        gtp,
        uci,
        bench,
        web,
    )
}

# The extra that has a library: pip install 'zerolab[train]'
OPTIONAL = {
    **dict.fromkeys(("torch", "onnx", "safetensors", "scipy", "optuna", "sklearn"), "train"),
    "nicegui": "web",
    "ray": "ray",
    "pyspiel": "adapters",
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command; a wrong argument prints one sentence and exits with code 2."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    if arguments == ["--version"]:
        print(f"zerolab {__version__}")
        return
    try:
        tyro.extras.subcommand_cli_from_dict(
            COMMANDS,
            prog="zerolab",
            description="A laboratory for AlphaZero on small board games, Clobber first. "
            "zerolab COMMAND --help explains a command; zerolab --version prints the version.",
            args=arguments,
            config=(tyro.conf.FlagCreatePairsOff, tyro.conf.OmitArgPrefixes),
        )
    except UsageError as error:
        print(f"zerolab: {error}", file=sys.stderr)
        sys.exit(2)
    except ModuleNotFoundError as error:
        extra = OPTIONAL.get((error.name or "").split(".")[0])
        if extra is None:
            raise
        print(
            f"zerolab: this needs {error.name}; install it with pip install 'zerolab[{extra}]'",
            file=sys.stderr,
        )
        sys.exit(2)
    except KeyboardInterrupt:
        print("zerolab: stopped", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:  # the reader of a pipe went away, as in `zerolab games | head -1`
        sys.stderr.close()
