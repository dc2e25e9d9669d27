"""The staged loop of wang on 6x6 Othello: self-play on one core, and the seconds of its stages.

Self-play has the settings of the loop: the network of wang, in shares (training/shares.py), which
take turns here on one core. Its games begin after up to OPENING random moves, so that a short
measurement sees games at all stages. The peer is alpha-zero-general, which wang used: its own
search, rules and network with as many channels, and games that begin alike. The two take turns in
short slices, and a second is one of processor time, because machines are busy and noisy.

Networks have random weights. A simulation is a leaf that was looked at and backed up, whoever
rated it: the network, the cache (of the peer: its tree), or the rules at the end of a game.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from time import process_time
from typing import NamedTuple

from zerolab.benchmarks.inference_speed import CALIBRATION, random_batch
from zerolab.benchmarks.peers.alpha_zero_general import PeerProcess
from zerolab.benchmarks.selfplay_speed import one_core
from zerolab.errors import UsageError
from zerolab.games.base import Game, shape
from zerolab.games.othello import Othello
from zerolab.networks.machine import one_thread, seed_weights
from zerolab.networks.onnx_evaluator import OnnxEvaluator
from zerolab.networks.quantisation import quantise
from zerolab.networks.signature import signature_of
from zerolab.networks.torch_network import Network
from zerolab.search.batched.searching_network import SearchingNetwork
from zerolab.search.proofs import ROOT
from zerolab.training.loop import prepare
from zerolab.training.selfplay.selfplay import SelfPlay
from zerolab.training.selfplay.sources import together
from zerolab.training.settings.staged_config import StagedConfig
from zerolab.training.shares import count_shares, deal
from zerolab.training.staged import StagedTrainer

GAME: Game = Othello(6, 6)
CHANNELS = (64, 512)  # wang has 512
CONFIG = StagedConfig()
SMALL = CONFIG.changed(episodes=40, max_simulations=10, epochs=1, arena_games=40)
"""An iteration whose stages are timed; one of wang takes minutes."""
OPENING = 14  # of the 32 moves of a game: positions of all stages count about alike
SLICE = 0.5  # seconds


class PeerCommand(NamedTuple):
    """Where alpha-zero-general is, and what runs it."""

    checkout: Path
    python: Path


class StagedSpeed(NamedTuple):
    """A network at work."""

    channels: int
    simulations: float
    """A second, of self-play on one core."""
    rounded: float
    """The same with the network rounded to 8 bits (int8 in the settings)."""
    hit_rate: float
    """Of the cache."""
    one_core: dict[str, float]
    """Seconds of each stage of a small iteration."""
    all_cores: dict[str, float]
    peer: float | None
    """Simulations a second of the peer."""

    @property
    def ratio(self) -> float | None:
        """Our simulations a second divided by the peer's."""
        return None if self.peer is None else self.simulations / self.peer

    @property
    def rounded_ratio(self) -> float | None:
        """The same in 8 bits."""
        return None if self.peer is None else self.rounded / self.peer


def bench_staged(
    command: PeerCommand | None, seconds: float, on_progress: Callable[[int, int], None]
) -> list[StagedSpeed]:
    """`seconds` of self-play for each network, and as many of the peer."""
    if command is not None:  # what is missing is said at once
        with _start(command, CHANNELS[0]):
            pass
    speeds = []
    total = 3 * len(CHANNELS)
    for number, channels in enumerate(CHANNELS):
        with one_core(), one_thread():
            config = CONFIG.changed(nn_width=channels)
            contest, rounded = Contest(config), Contest(config.changed(int8=True))
            peer = _by_turns((contest, rounded), command, channels, seconds)
            on_progress(3 * number + 1, total)
            alone = stage_seconds(SMALL.changed(nn_width=channels))
            on_progress(3 * number + 2, total)
        wide = stage_seconds(SMALL.changed(nn_width=channels))
        on_progress(3 * number + 3, total)
        own = contest.speed, rounded.speed, contest.hit_rate
        speeds.append(StagedSpeed(channels, *own, alone, wide, peer))
    return speeds


class Contest:
    """Self-play without end, in the shares of an iteration, one round of each after the other."""

    def __init__(self, config: StagedConfig) -> None:
        seed_weights(1)
        network = Network(config.recipe.network, signature_of(GAME, config.encoding)).eval()
        search = config.search.model_copy(update={"opening_plies": OPENING})
        model = network.to_onnx()
        if config.int8:
            model = quantise(model, random_batch(GAME, CALIBRATION, config.encoding).planes)
        searching = SearchingNetwork(GAME, OnnxEvaluator(model), search)
        count = count_shares(config.episodes, config.batch, config.shares)
        self._shares = [
            CountingSelfPlay(searching, len(games), seed)
            for seed, games in enumerate(deal(range(config.episodes), count))
        ]
        self.seconds = 0.0
        self._round()  # compiles
        self._first = self._simulations

    def play(self, seconds: float) -> None:
        """Self-play for at least so long, at least a round."""
        started = process_time()
        while True:
            self._round()
            if (elapsed := process_time() - started) >= seconds:
                break
        self.seconds += elapsed

    def _round(self) -> None:
        for share in self._shares:
            share.round()

    @property
    def _simulations(self) -> int:
        return sum(share.simulations for share in self._shares)

    @property
    def speed(self) -> float:
        """Simulations a second."""
        return (self._simulations - self._first) / self.seconds

    @property
    def hit_rate(self) -> float:
        """Of the caches of all shares."""
        return together([share.search.cache_statistics() for share in self._shares]).hit_rate


class CountingSelfPlay(SelfPlay):
    """Self-play that counts simulations; a search that proves its position makes fewer."""

    def __init__(self, network: SearchingNetwork, batch: int, seed: int) -> None:
        super().__init__(network, batch, seed)
        self.simulations = 0
        search_on = self.search.round

        def counted() -> list[int]:
            """Between its rounds a search begins anew with every move, so they are seen here."""
            before = self.search.trees.visits[:, ROOT].sum()
            finished = search_on()
            self.simulations += int(self.search.trees.visits[:, ROOT].sum() - before)
            return finished

        # Counted here, since the search itself keeps no such number.
        self.search.round = counted  # type: ignore[method-assign]


def _by_turns(
    contests: Sequence[Contest], command: PeerCommand | None, channels: int, seconds: float
) -> float | None:
    """A while of each of ours, a while of the peer, and again; return the speed of the peer."""
    if command is None:
        while min(contest.seconds for contest in contests) < seconds:
            for contest in contests:
                contest.play(min(SLICE, seconds))
        return None
    with _start(command, channels) as peer:
        while min(peer.seconds, *(contest.seconds for contest in contests)) < seconds:
            for contest in contests:
                contest.play(min(SLICE, seconds))
            peer.play(min(SLICE, seconds))
        return peer.speed


def _start(command: PeerCommand, channels: int) -> PeerProcess:
    """The peer with our settings, ready to play."""
    rows, _ = shape(GAME)
    settings = {
        "size": rows,
        "channels": channels,
        "simulations": CONFIG.search.max_simulations,
        "exploration": CONFIG.search.uct_c,
        "threshold": CONFIG.temperature_threshold,
        "opening": OPENING,
    }
    try:
        return PeerProcess(command.checkout, command.python, settings)
    except ValueError as error:
        raise UsageError(str(error)) from None


def stage_seconds(config: StagedConfig) -> dict[str, float]:
    """How long each stage of an iteration takes, on the cores that this thread may use."""
    prepare(GAME, config)
    step = next(StagedTrainer(GAME, config, seed=1).steps())
    assert step.stages is not None
    return step.stages.seconds
