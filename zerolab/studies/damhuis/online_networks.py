"""damhuis: networks trained online against Random (Tables 5.4 to 5.17, and runs in the text).

The thesis trained each network once. Here some are trained with several seeds, because in
borderline cells luck decides whether a network dies: a dead network plays like Pick First. So a
cell has the mean of those that live, and how many died. A leaky network cannot die, but its weights
may diverge; then it plays like Pick First too, and counts as dead.

Experiments are kept below `runs/damhuis`; a study that was stopped continues where it was.
"""

import math
import statistics
import zlib
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from zerolab.evaluation.matches.compiled_games import MatchResult, play_match
from zerolab.evaluation.players.mlp_player import make_mlp_player
from zerolab.evaluation.players.players import CompiledPlayer, make_compiled_player, make_player
from zerolab.experiments.cells import Job, Record, run_cells
from zerolab.files import make_directory
from zerolab.games.base import BLACK, Game
from zerolab.games.boards.stones import initial_state
from zerolab.games.clobber import Clobber
from zerolab.games.notation import parse_size
from zerolab.games.position import Position
from zerolab.kernels.rng import stream
from zerolab.studies.damhuis.network_tables import TABLES, Entry, Network
from zerolab.studies.damhuis.network_tables import Table as PaperTable
from zerolab.studies.damhuis.simple_players import BLACK_WINS_5_1, SIZES_5_1
from zerolab.training.online_learning import OnlineConfig, train_online

DIRECTORY = Path("runs/damhuis")
STUDY = "damhuis"
LOOKED_AT = 30  # games that show whether a network plays like Pick First
DEAD_FROM = 0.99  # of its moves the first in the list
# How far from Pick First a dead network of the thesis may be: its tests were 100,000 games, but
# they seem to have used the same random numbers, so that some results occur repeatedly.
DEAD_WITHIN = 0.0075
USUAL_SPREAD = 0.04  # between seeds, where a table has one only; others have 3 to 7 points
AGREES_WITHIN = 3.0

OnProgress = Callable[[float, float], None]


class Scale(NamedTuple):
    """How much of the thesis is reproduced."""

    name: str
    games: float
    """Games of training and of tests, as a share of the thesis's."""
    seeds: int | None
    """Seeds for each network, or as many as its table has."""


FULL = Scale("full", 1.0, None)


class Outcome(NamedTuple):
    """A cell: the thesis's number, and ours for each seed."""

    entry: Entry
    scores: tuple[float, ...]
    """Share of the tests that were won, by seed."""
    dead: tuple[bool, ...]

    @property
    def paper(self) -> float:
        """The thesis's share."""
        return self.entry.wins / self.entry.tests

    @property
    def paper_is_dead(self) -> bool:
        """Whether the thesis's network plays like Pick First, to judge by its result."""
        first = pick_first(self.entry.network.board)
        return self.entry.opponent == "random" and abs(self.paper - first) <= DEAD_WITHIN

    @property
    def living(self) -> list[float]:
        """The scores of networks that did not die."""
        return [score for score, dead in zip(self.scores, self.dead, strict=True) if not dead]

    @property
    def mean(self) -> float:
        """Mean of the living networks, or of all if none lives."""
        return statistics.fmean(self.living or self.scores)

    def verdict(self, spread: float) -> str:
        """Whether the thesis's network could be one of ours."""
        if self.paper_is_dead:
            # A living network may play just as badly, and the thesis's may have been one.
            is_as_bad = abs(self.mean - pick_first(self.entry.network.board)) <= DEAD_WITHIN
            return "agrees" if any(self.dead) or is_as_bad else "died there only"
        if not self.living:
            return "died here only"
        chance = self.paper * (1 - self.paper) / self.entry.tests
        error = (spread**2 * (1 + 1 / len(self.living)) + chance) ** 0.5
        return "agrees" if abs(self.mean - self.paper) <= AGREES_WITHIN * error else "differs"


def pick_first(board: str) -> float:
    """The score of Pick First against Random in Table 5.1."""
    return BLACK_WINS_5_1["first", "random"][SIZES_5_1.index(board)] / 100_000


def shrunken(size: int | None) -> Scale:
    """`size` games of training instead of a million, and tests in proportion; None: all."""
    return FULL if size is None else Scale("quick", size / 1_000_000, 1)


def run_tables(
    names: Sequence[str], scale: Scale, seed: int, path: Path, on_progress: OnProgress
) -> dict[str, list[Outcome]]:
    """Train and test the networks of some tables that are not in the file.

    Cells that are missing, because the study was stopped, are left out.
    """
    jobs: list[Job] = []
    places: dict[tuple[str, Network, int], int] = {}
    most = max(scale.seeds or TABLES[name].seeds for name in names)
    for number in range(most):  # once everything, then again
        for name in names:
            table = TABLES[name]
            if number >= (scale.seeds or table.seeds):
                continue
            for network in dict.fromkeys(entry.network for entry in table.entries):
                places[name, network, number] = len(jobs)
                jobs.append(_job(table, network, scale, seed + number))
    make_directory(path.parent)
    records = run_cells(path, STUDY, jobs, on_progress).records
    return {name: _outcomes(name, scale, places, records) for name in names}


def _outcomes(
    name: str,
    scale: Scale,
    places: dict[tuple[str, Network, int], int],
    records: Sequence[Record | None],
) -> list[Outcome]:
    outcomes = []
    for entry in TABLES[name].entries:
        seeds = range(scale.seeds or TABLES[name].seeds)
        found = [records[places[name, entry.network, number]] for number in seeds]
        made = [record for record in found if record is not None]
        if made:
            scores = tuple(
                record["wins"][entry.opponent] / record["tests"][entry.opponent] for record in made
            )
            dead = tuple(record["first_moves"] >= DEAD_FROM for record in made)
            outcomes.append(Outcome(entry, scores, dead))
    return outcomes


def _job(table: PaperTable, network: Network, scale: Scale, seed: int) -> Job:
    tests = {
        entry.opponent: max(1, round(entry.tests * scale.games))
        for entry in table.entries
        if entry.network == network
    }
    shrunk = network._replace(games=max(1, round(network.games * scale.games)))

    def run(tell: Callable[[float], None]) -> Record:
        return train_and_test(shrunk, tests, seed, tell)

    return Job({"network": shrunk._asdict(), "tests": tests, "seed": seed}, cost_of(shrunk), run)


def cost_of(network: Network) -> float:
    """Rough cost in microseconds, fitted to a few networks; only relative costs matter."""
    rows, cols = parse_size(network.board)
    between = sum(below * above for below, above in pairwise(network.hidden))
    nodes = 48 + network.hidden[0] + between / 4
    return 0.0009 * network.games * math.pow(rows * cols, 1.5) * nodes


def config_of(network: Network) -> OnlineConfig:
    """How it learns."""
    return OnlineConfig(
        hidden=network.hidden,
        slope=network.slope,
        alpha=network.alpha,
        target=network.target,
        tau=network.tau,
    )


def train_and_test(
    network: Network, tests: dict[str, int], seed: int, tell: Callable[[float], None]
) -> Record:
    """A cell: train a network, check whether it died, and test it; the network is Black."""
    game = Clobber(*parse_size(network.board))
    # Networks of one seed should not all start with the same weights.
    own_seed = zlib.crc32(f"{network} {seed}".encode())
    mlp = train_online(
        game,
        config_of(network),
        network.games,
        own_seed,
        lambda done, mlp: tell(0.95 * done / network.games),
    )
    player = make_mlp_player(mlp)
    wins = {}
    for opponent, games in tests.items():

        def on_progress(so_far: MatchResult) -> None:
            tell(0.95)

        result = play_match(
            *(game, player, make_compiled_player(opponent), games, own_seed + 1),
            workers=1,
            on_progress=on_progress,
        )
        wins[opponent] = result.black_wins
    return {"wins": wins, "tests": tests, "first_moves": first_moves(game, player, own_seed)}


def first_moves(game: Game, player: CompiledPlayer, seed: int) -> float:
    """The share of its moves, as Black against Random, that are the first in the list."""
    rng = stream(seed)
    random = make_player("random")
    moves = firsts = 0
    for _ in range(LOOKED_AT):
        position = Position(game, initial_state(game, rng))
        while not position.is_over:
            if position.player == BLACK:
                action = player.choose(position, rng)
                moves += 1
                firsts += action == position.legal_actions[0]
            else:
                action = random.choose(position, rng)
            position = position.after(action)
    return firsts / moves
