"""The command line: `zerolab --help`.

Nothing heavy is imported here or in the heads of the modules of commands, so that help answers
at once.
"""

import sys
from collections.abc import Sequence
from typing import Any

import tyro

from zerolab import __version__
from zerolab.errors import UsageError
from zerolab.interfaces.commands import game_commands as commands
from zerolab.interfaces.commands import rating_commands, study_commands, training_commands

COMMANDS: dict[str, Any] = {
    "games": commands.games,
    "play": commands.play,
    "match": commands.match,
    "tournament": rating_commands.tournament,
    "exam": rating_commands.exam,
    "elo": rating_commands.elo,
    "analyze": commands.analyze,
    "solve": commands.solve,
    "train": training_commands.train,
    "online": training_commands.online,
    "plot": training_commands.plot,
    "network": training_commands.network,
    "export": training_commands.export,
    "study": study_commands.study,
    "perft": commands.perft,
    "bench": study_commands.bench,
}

OPTIONAL = {"torch", "onnx", "safetensors", "scipy", "optuna"}  # pip install 'zerolab[train]'


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command; a wrong argument ends with one sentence and exit code 2."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    if arguments == ["--version"]:
        print(f"zerolab {__version__}")
        return
    try:
        tyro.extras.subcommand_cli_from_dict(
            COMMANDS,
            prog="zerolab",
            description="A laboratory for AlphaZero on small board games, Clobber first. "
            "zerolab COMMAND --help tells more; zerolab --version the version.",
            args=arguments,
            config=(tyro.conf.FlagCreatePairsOff, tyro.conf.OmitArgPrefixes),
        )
    except UsageError as error:
        print(f"zerolab: {error}", file=sys.stderr)
        sys.exit(2)
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in OPTIONAL:
            raise
        print(
            f"zerolab: this needs {error.name}; install it with pip install 'zerolab[train]'",
            file=sys.stderr,
        )
        sys.exit(2)
    except KeyboardInterrupt:
        print("zerolab: stopped", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:  # the reader of a pipe went away, as in `zerolab games | head -1`
        sys.stderr.close()
