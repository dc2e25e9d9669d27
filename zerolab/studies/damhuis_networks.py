"""damhuis: networks trained online against Random (Tables 5.4 to 5.17, and what the text tells).

The thesis trained each network once. Here some are trained with several seeds, because near the
edge of dying what comes out is a matter of luck: a network that died plays like Pick First. So a
cell has the mean of those that live, and how many died.

Experiments are kept below `runs/damhuis`; a study that was stopped goes on where it was.
"""

import math
import statistics
import zlib
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from zerolab.evaluation.matches import MatchResult, play_match
from zerolab.evaluation.mlp_player import make_mlp_player
from zerolab.evaluation.players import CompiledPlayer, make_player
from zerolab.games.base import BLACK, Game, player_to_move, step
from zerolab.games.board import initial_state
from zerolab.games.clobber import Clobber
from zerolab.games.notation import legal_list, parse_size
from zerolab.games.rng import stream
from zerolab.studies.cells import Job, Record, run_cells
from zerolab.studies.damhuis import BLACK_WINS_5_1, SIZES_5_1
from zerolab.studies.damhuis_tables import GRIDS, TABLES, TESTS, Entry, Network
from zerolab.studies.damhuis_tables import Table as PaperTable
from zerolab.studies.report import HeatMap, Report
from zerolab.training.online import OnlineConfig, train_online

DIRECTORY = Path("runs/damhuis")
STUDY = "damhuis"
LOOKED_AT = 30  # games in which it is seen whether a network plays like Pick First
DEAD_FROM = 0.99  # of its moves the first in the list
# How far from Pick First a dead network of the thesis may be: its tests were 100,000 games, but
# they seem to have drawn the same lots, so that some numbers come again and again.
DEAD_WITHIN = 0.0075
USUAL_SPREAD = 0.02  # between seeds, where a table has one only
AGREES_WITHIN = 3.0

OnProgress = Callable[[float, float], None]


class Scale(NamedTuple):
    """How much of the thesis is done."""

    name: str
    games: float
    """Of training and of tests, as a share of the thesis's."""
    seeds: int | None
    """For each network, or as many as its table asks for."""


FULL = Scale("full", 1.0, None)


class Outcome(NamedTuple):
    """A cell: what the thesis has, and ours for each seed."""

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
        """Of the living, or of all if none lives."""
        return statistics.fmean(self.living or self.scores)

    def verdict(self, spread: float) -> str:
        """Whether the thesis's network could be one of ours."""
        if self.paper_is_dead:
            return "agrees" if any(self.dead) else "died there only"
        if not self.living:
            return "died here only"
        chance = self.paper * (1 - self.paper) / self.entry.tests
        error = (spread**2 * (1 + 1 / len(self.living)) + chance) ** 0.5
        return "agrees" if abs(self.mean - self.paper) <= AGREES_WITHIN * error else "differs"


def pick_first(board: str) -> float:
    """What Pick First scores against Random in Table 5.1."""
    return BLACK_WINS_5_1["first", "random"][SIZES_5_1.index(board)] / 100_000


def shrunken(size: int | None) -> Scale:
    """`size` games of training instead of a million, and as many tests for each; None: all."""
    return FULL if size is None else Scale("quick", size / 1_000_000, 1)


def run_tables(
    names: Sequence[str], scale: Scale, seed: int, path: Path, on_progress: OnProgress
) -> dict[str, list[Outcome]]:
    """Train and test the networks of some tables, those that are not in the file.

    Cells that are missing, because it was stopped, are left out.
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
    path.parent.mkdir(parents=True, exist_ok=True)
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
    """Microseconds, roughly, as fitted to a few networks: only what costs more matters."""
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
    """A cell: train a network, look whether it died, let it play; the network is Black."""
    game = Clobber(*parse_size(network.board))
    # Networks of a seed shall not all begin with the same weights.
    own_seed = zlib.crc32(f"{network} {seed}".encode())
    mlp = train_online(
        game,
        config_of(network),
        network.games,
        own_seed,
        lambda done: tell(0.95 * done / network.games),
    )
    player = make_mlp_player(mlp)
    wins = {}
    for opponent, games in tests.items():

        def on_progress(so_far: MatchResult) -> None:
            tell(0.95)

        result = play_match(
            *(game, player, make_player(opponent), games, own_seed + 1),
            workers=1,
            on_progress=on_progress,
        )
        wins[opponent] = result.black_wins
    return {"wins": wins, "tests": tests, "first_moves": first_moves(game, player, own_seed)}


def first_moves(game: Game, player: CompiledPlayer, seed: int) -> float:
    """In which share of its positions, as Black against Random, a player takes the first move."""
    rng = stream(seed)
    random = make_player("random")
    moves = firsts = 0
    for _ in range(LOOKED_AT):
        state = initial_state(game, rng)
        while actions := legal_list(game, state):
            if player_to_move(state) == BLACK:
                action = player.choose(game, state, rng)
                moves += 1
                firsts += action == actions[0]
            else:
                action = random.choose(game, state, rng)
            step(game, state, action)
    return firsts / moves


def study_tables(
    names: Sequence[str], size: int | None, seed: int, results: Path | None, on_progress: OnProgress
) -> list[Report]:
    """Some tables, each beside the thesis's."""
    scale = shrunken(size)
    path = results or DIRECTORY / f"{scale.name}.jsonl"
    return reports(path, run_tables(names, scale, seed, path, on_progress))


def reports(path: Path, tables: dict[str, list[Outcome]]) -> list[Report]:
    """What tables say; pictures are drawn beside the file of results."""
    return [
        report(name, outcomes)._replace(picture=path.with_name(f"{path.stem}-{name}.png"))
        for name, outcomes in tables.items()
    ]


def report(name: str, outcomes: Sequence[Outcome]) -> Report:
    """A table beside the thesis's."""
    table = TABLES[name]
    title = f"Table {name}" if name[0].isdigit() else "In the text"
    spread = spread_of(outcomes)
    verdicts = [outcome.verdict(spread) for outcome in outcomes]
    expected = len(table.entries)
    agreeing = verdicts.count("agrees")
    counts = ", ".join(
        f"{verdicts.count(each)} {each}"
        for each in ("differs", "died there only", "died here only")
        if each in verdicts
    )
    text = f"{agreeing} of {expected} agree" + (f" ({counts})" if counts else "")
    if len(outcomes) < expected:
        text += f"; {expected - len(outcomes)} are missing"
    several = any(len(each.living) > 1 for each in outcomes)
    text += f"; seeds {'differ' if several else 'may differ'} by {spread:.1%}"
    judged = list(zip(outcomes, verdicts, strict=True))
    headings, rows = _as_grid(name, judged) if name in GRIDS else _as_list(judged)
    return Report(
        f"{title}: {table.title}",
        headings,
        rows,
        [_values(*pair) for pair in judged],
        text + (GRID_NOTE if name in GRIDS else ""),
        is_complete=len(outcomes) == expected,
        reproduced=agreeing == expected,
        heat_map=heat_map(name, outcomes),
    )


Judged = Sequence[tuple[Outcome, str]]
Rows = tuple[tuple[str, ...], list[tuple[str, ...]]]


def _as_grid(name: str, judged: Judged) -> Rows:
    """Learning rates below each other, targets side by side, as in the thesis."""
    grid = GRIDS[name]
    found = {
        (each.entry.network.alpha, each.entry.network.target): (each, verdict)
        for each, verdict in judged
    }
    rows = []
    for alpha, wins in grid.wins.items():
        ours = [_cell(*found.get((alpha, target), (None, ""))) for target in grid.targets]
        rows.append((short(alpha), "ours", *ours))
        rows.append(("", "thesis", *(f"{100 * each / TESTS:.1f}" for each in wins)))
    return ("rate", "target", *map(str, grid.targets)), rows


GRID_NOTE = (
    "; wins in per cent, the mean of those that live; + died, with several seeds how many; "
    "! does not agree"
)


def _cell(outcome: Outcome | None, verdict: str) -> str:
    if outcome is None:
        return "--"
    dead = sum(outcome.dead)
    text = f"{100 * outcome.mean:.1f}"
    if dead:
        text += "+" if dead == len(outcome.dead) else f"+{dead}"
    return text + ("" if verdict == "agrees" else "!")


def _as_list(judged: Judged) -> Rows:
    headings = ("network", "opponent", "thesis", "ours", "spread", "dead", "verdict")
    return headings, [_row(*pair) for pair in judged]


def spread_of(outcomes: Sequence[Outcome]) -> float:
    """The standard deviation between seeds, from all cells with several that live."""
    variances = [
        (statistics.variance(each.living), len(each.living) - 1)
        for each in outcomes
        if len(each.living) > 1
    ]
    freedom = sum(weight for _, weight in variances)
    if not freedom:
        return USUAL_SPREAD
    return math.sqrt(sum(variance * weight for variance, weight in variances) / freedom)


def short(number: float) -> str:
    """2e-5, 3.7e-6."""
    return f"{number:.1e}".replace(".0e", "e").replace("e-0", "e-")


def describe(network: Network) -> str:
    """In a few words."""
    nodes = "+".join(map(str, network.hidden))
    text = f"{network.board}, {nodes} nodes, rate {short(network.alpha)}, target {network.target:g}"
    if network.tau:
        text += f", tau {network.tau:g}"
    if network.games > 1_000_000:
        text += f", {network.games // 1_000_000} million games"
    return text + (", leaky" if network.slope else "")


def _row(outcome: Outcome, verdict: str) -> tuple[str, ...]:
    living = outcome.living
    spread = f"{statistics.stdev(living):.1%}" if len(living) > 1 else "--"
    return (
        *(describe(outcome.entry.network), outcome.entry.opponent),
        *(f"{outcome.paper:.1%}" + (" dead" if outcome.paper_is_dead else ""),),
        *(f"{outcome.mean:.1%}", spread, f"{sum(outcome.dead)} of {len(outcome.dead)}", verdict),
    )


def _values(outcome: Outcome, verdict: str) -> Record:
    return {
        **outcome.entry.network._asdict(),
        "opponent": outcome.entry.opponent,
        "paper": outcome.paper,
        "paper_is_dead": outcome.paper_is_dead,
        "ours": outcome.mean,
        "scores": outcome.scores,
        "dead": sum(outcome.dead),
        "seeds": len(outcome.scores),
        "difference": outcome.mean - outcome.paper,
        "verdict": verdict,
    }


def heat_map(name: str, outcomes: Sequence[Outcome]) -> HeatMap | None:
    """Learning rates against targets, for the tables that have them."""
    if name not in GRIDS:
        return None
    grid = GRIDS[name]
    found = {(each.entry.network.alpha, each.entry.network.target): each for each in outcomes}
    cells = [[found.get((alpha, target)) for target in grid.targets] for alpha in grid.wins]
    return HeatMap(
        rows=tuple(map(short, grid.wins)),
        columns=tuple(map(str, grid.targets)),
        axes=("learning rate", "target"),
        paper=tuple(tuple(wins / TESTS for wins in row) for row in grid.wins.values()),
        ours=tuple(tuple(cell and cell.mean for cell in row) for row in cells),
        marks=tuple(tuple(_mark(cell) for cell in row) for row in cells),
    )


def _mark(outcome: Outcome | None) -> str:
    if outcome is None or not any(outcome.dead):
        return ""
    dead = sum(outcome.dead)
    return "dead" if dead == len(outcome.dead) else f"{dead} of {len(outcome.dead)} dead"
