"""How the network of damhuis ranks among other players: Elo on four boards.

Random, Pick First, flat Monte Carlo, UCT, the thesis's network and our AlphaZero, with exact leaves
and without, play a round robin with random openings, each with both colours. The network of
the thesis was trained as Black against Random; White and openings are new to it.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from zerolab.evaluation.matches.tournaments import Event, meetings, play_event
from zerolab.evaluation.ratings.bayesian_elo import Ratings, rate
from zerolab.experiments.experiment import run_experiment, telling_share
from zerolab.files import make_directory
from zerolab.games.clobber import Clobber
from zerolab.games.notation import parse_size
from zerolab.networks.mlp.mlp_files import save_mlp
from zerolab.studies.damhuis.network_tables import Network
from zerolab.studies.damhuis.online_networks import DIRECTORY, OnProgress, config_of
from zerolab.studies.damhuis.parameter_search import THESIS
from zerolab.studies.report import Report
from zerolab.training.loop import Limits
from zerolab.training.online_learning import train_online
from zerolab.training.settings.presets import make_preset

ANCHOR = "random"
OTHERS = (ANCHOR, "first", "mc:5", "mc:50", "mcts:100", "mcts:1000")
SIMULATIONS = 100
# The thesis has no network for 8x8; that of 6x6 is the nearest.
NETWORKS = {**THESIS, "8x8": THESIS["6x6"]._replace(board="8x8")}


class Effort(NamedTuple):
    """The effort for one board."""

    games: int
    """Games of online training."""
    seconds: float
    """Duration of AlphaZero's training."""
    rounds: int
    """Rounds of the tournament, in pairs of games."""


FULL = Effort(1_000_000, 300.0, 50)


def rank(
    boards: Sequence[str],
    size: int | None,
    seed: int,
    results: Path | None,
    on_progress: OnProgress,
) -> list[Report]:
    """A table of all boards; `results` is a directory for networks and games."""
    effort = FULL if size is None else Effort(size, size / 1000, 5)
    scale = "full" if size is None else "quick"
    directory = results or DIRECTORY / f"ranking-{scale}-seed{seed}"
    found: dict[str, Ratings] = {}
    with suppress(KeyboardInterrupt):
        for number, board in enumerate(boards):

            def told(share: float, before: int = number) -> None:
                on_progress(before + share, len(boards))

            ratings = _rank(board, effort, seed, directory / board, told)
            if ratings is None:
                break
            found[board] = ratings
    return [_report(boards, found)]


def _rank(
    board: str, effort: Effort, seed: int, directory: Path, told: Callable[[float], None]
) -> Ratings | None:
    """None if it was stopped."""
    make_directory(directory)
    game = Clobber(*parse_size(board))
    network = directory / "mlp.npz"
    if not network.exists():
        _train_mlp(game, NETWORKS[board], effort.games, seed, network, told)
    config = make_preset("zerolab", game)
    limits = Limits(effort.seconds)
    on_event = telling_share(limits, lambda share: told(0.2 + 0.4 * share))
    run_experiment(game, config, directory / "az", limits, on_event, seed).unless_stopped()
    alphazero = f"az:{directory / 'az'}@{SIMULATIONS}"
    exact = f"{alphazero},exact={config.exact_stones}"
    names = (*OTHERS, f"mlp:{network}", alphazero, exact)
    played, is_complete = play_event(
        Event(game, names, effort.rounds, seed=seed),
        directory / "games.jsonl",
        on_progress=lambda done, planned: told(0.6 + 0.4 * done / planned),
    )
    return rate(meetings(played), ANCHOR) if is_complete else None


def _train_mlp(
    game: Clobber,
    network: Network,
    games: int,
    seed: int,
    path: Path,
    told: Callable[[float], None],
) -> None:
    config = config_of(network)
    mlp = train_online(game, config, games, seed, lambda done, mlp: told(0.2 * done / games))
    save_mlp(path, mlp, game, {**config.model_dump(), "games": games, "seed": seed})


def _report(boards: Sequence[str], found: dict[str, Ratings]) -> Report:
    """Players in rows, the strongest on the last board first; Random has 0 everywhere."""
    shown = {
        board: {_kind(player.name): player for player in ratings.players}
        for board, ratings in found.items()
    }
    kinds = list(list(shown.values())[-1]) if shown else []
    rows = [
        (
            kind,
            *(
                f"{shown[board][kind].rating:.0f} ± {shown[board][kind].error:.0f}"
                for board in found
            ),
        )
        for kind in kinds
    ]
    values = [
        {"player": kind, "board": board, "elo": rated[kind].rating, "error": rated[kind].error}
        for kind in kinds
        for board, rated in shown.items()
    ]
    text = (
        f"Elo with standard errors; random is 0, everyone plays both colours, AlphaZero with "
        f"{SIMULATIONS} simulations"
    )
    if len(found) < len(boards):
        text += f"; stopped after {len(found)} of {len(boards)} boards"
    return Report(
        "players on four boards",
        ("player", *found),
        rows,
        values,
        text,
        is_complete=len(found) == len(boards),
    )


def _kind(name: str) -> str:
    """A name that is the same on all boards."""
    if name.startswith("mlp:"):
        return "network of damhuis"
    if not name.startswith("az:"):
        return name
    return "AlphaZero, exact leaves" if "exact=" in name else "AlphaZero"
