"""Simulations a second on one core: UCT beside OpenSpiel's C++ bot, PUCT with a free evaluator.

The peer is pyspiel.MCTSBot with `solve` on: the same algorithm, the same number of simulations and
of rollouts. Positions are the start and, for both programs, random ones half-way through a game.
"""

import math
import random
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zerolab.benchmarks.measuring import ROUNDS, measure, open_spiel, random_position
from zerolab.evaluation.matches.series import play_series
from zerolab.evaluation.players.players import choose_once, make_buffers
from zerolab.games.base import Game, State
from zerolab.games.boards.stones import initial_state
from zerolab.games.catalogue import describe
from zerolab.games.clobber import Clobber
from zerolab.games.connect_four import ConnectFour
from zerolab.games.go import Go
from zerolab.games.notation import num_actions
from zerolab.games.othello import Othello
from zerolab.kernels.compiling import lean
from zerolab.kernels.rng import stream
from zerolab.search.batched.batched_search import BatchedSearch, SearchConfig
from zerolab.search.proofs import ROOT
from zerolab.search.uct import UctSettings
from zerolab.search.uct_search import UctSearch

SIMULATIONS = 1000
POSITIONS = 8
UCT_C = 2.0
BATCH = 64

GAMES: tuple[tuple[Game, str], ...] = (
    (Clobber(5, 5), "clobber(rows=5,columns=5)"),
    (Clobber(10, 10), "clobber(rows=10,columns=10)"),
    (Othello(8, 8), "othello"),
    (ConnectFour(6, 7), "connect_four"),
    (Go(9, 9), "go(board_size=9)"),
)
TREE_SIZES = (100, 316, 1_000, 3_162, 10_000, 31_623, 100_000, 316_228)


class SearchSpeed(NamedTuple):
    """Simulations a second in one kind of position."""

    name: str
    ours: float
    peer: float | None


class SearchBench(NamedTuple):
    """All that is measured."""

    uct: list[SearchSpeed]
    puct: float
    """Batched PUCT on Clobber 5x5 with an evaluator that costs nothing."""
    growth: list[tuple[int, float]]
    """UCT on Clobber 5x5: simulations, and microseconds for each of them."""


def bench_search(
    peers: bool, seconds: float, on_progress: Callable[[int, int], None]
) -> SearchBench:
    """`seconds` for each contestant in each position."""
    total = 2 * len(GAMES) + 1 + len(TREE_SIZES)
    uct = []
    for game, peer_name in GAMES:
        for half_way in (False, True):
            name = f"{describe(game)}, {'half-way' if half_way else 'start'}"
            uct.append(_bench_uct(name, game, peer_name, half_way, peers, seconds))
            on_progress(len(uct), total)
    puct = _bench_puct(seconds)
    on_progress(len(uct) + 1, total)
    growth = []
    for size in TREE_SIZES:
        growth.append((size, _seconds_per_simulation(size) * 1e6))
        on_progress(len(uct) + 1 + len(growth), total)
    return SearchBench(uct, puct, growth)


def _bench_uct(
    name: str, game: Game, peer_name: str, half_way: bool, peers: bool, seconds: float
) -> SearchSpeed:
    random_games = play_series(game, ("random", "random"), 200).result
    plies = round(random_games.mean_plies / 2) if half_way else 0
    counts = {"ours": 0, "peer": 0}
    settings = UctSettings(SIMULATIONS, UCT_C)
    states = [_half_way(game, plies, number) for number in range(POSITIONS)]
    buffers, rng, record = make_buffers(game, states[0], settings), stream(1), lean(game)

    def ours(runs: int) -> None:
        for run in range(runs):
            choose_once(settings, record, states[run % POSITIONS], rng, buffers)
            counts["ours"] += int(buffers.tree.visits[ROOT])

    contestants: dict[str, Callable[[int], Any]] = {"ours": ours}
    if peers:
        bot, peer_states = _peer(peer_name, plies)

        def peer(runs: int) -> None:
            for run in range(runs):
                root = bot.mcts_search(peer_states[run % POSITIONS])
                counts["peer"] += root.explore_count

        contestants["peer"] = peer
    # A search may end early, with a proof, so simulations are counted and not assumed.
    rates = {}
    for contestant, run in contestants.items():
        run(POSITIONS)
        rates[contestant] = counts[contestant] / POSITIONS
    speeds = measure(contestants, seconds)
    ours_speed = speeds["ours"] * rates["ours"]
    return SearchSpeed(name, ours_speed, speeds["peer"] * rates["peer"] if peers else None)


def _half_way(game: Game, plies: int, number: int) -> State:
    """Shorter games are thrown away."""
    rng = stream(1, number)
    while True:
        state = random_position(game, plies, rng)
        if state is not None:
            return state


def _peer(name: str, plies: int) -> tuple[Any, list[Any]]:
    """OpenSpiel's bot and positions for it."""
    pyspiel = open_spiel()
    game = pyspiel.load_game(name)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(game, evaluator, UCT_C, SIMULATIONS, 1000, True, 1, False)
    draw = random.Random(1)
    states: list[Any] = []
    while len(states) < POSITIONS:
        state = game.new_initial_state()
        for _ in range(plies):
            if not state.is_terminal():
                state.apply_action(draw.choice(state.legal_actions()))
        if not state.is_terminal():
            states.append(state)
    return bot, states


def _bench_puct(seconds: float) -> float:
    """Simulations a second of BATCH trees in self-play, the cache off so that all are real."""
    game = Clobber(5, 5)
    size = num_actions(game)
    logits, values = np.zeros((BATCH, size), np.float32), np.zeros(BATCH, np.float32)

    def evaluate(
        planes: npt.NDArray[np.float32],
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        return logits[: len(planes)], values[: len(planes)]

    config = SearchConfig(max_simulations=100, cache_size=0)
    search = BatchedSearch(game, config, BATCH, evaluate)
    start = initial_state(game, stream(0))

    def play(rounds: int) -> None:
        for slot in range(BATCH):
            search.start(slot, start)
        for _ in range(rounds):
            for slot in search.round():
                search.advance(slot, search.choose(slot, temperature=1.0))
                if search.is_over(slot):
                    search.start(slot, start)

    return measure({"ours": play}, seconds)["ours"] * BATCH


def _seconds_per_simulation(simulations: int) -> float:
    """The best of some runs; the first touches memory that nobody used yet."""
    game = Clobber(5, 5)
    search = UctSearch(game, UCT_C)
    start = initial_state(game, stream(0))
    best = math.inf
    for _ in range(1 + ROUNDS):
        search.set_position(start, reuse=False)
        started = time.perf_counter()
        done = search.run(stream(1), simulations=simulations)
        best = min(best, (time.perf_counter() - started) / done)
    return best
