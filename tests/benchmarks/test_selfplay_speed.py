import pytest

from tests.clocks import ticking
from zerolab.benchmarks import selfplay_speed as bench_module
from zerolab.benchmarks.peers import open_spiel_selfplay
from zerolab.benchmarks.peers.open_spiel_selfplay import STAND_IN, make_peer
from zerolab.benchmarks.selfplay_speed import EIGHT_BITS, MIXED, Contest, bench_selfplay, settings
from zerolab.games.clobber import Clobber
from zerolab.networks.signature import Floats
from zerolab.training.settings.continuous_config import TrainingConfig

GAME = Clobber(3, 3)
TICK = 1 / 64  # seconds; sums of it are exact
TINY = TrainingConfig(
    nn_width=4, nn_depth=1, max_simulations=6, batch=3, replay_buffer_size=8, replay_buffer_reuse=1
)


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """So much passes at each look, and all machines are equally fast."""
    monkeypatch.setattr(bench_module, "process_time", ticking(TICK))


@pytest.fixture
def shrunken(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = TINY.changed(exact_stones=4, int8=True, encoding="own")
    monkeypatch.setattr(bench_module, "GAME", GAME)
    monkeypatch.setattr(bench_module, "BATCHES", (2, 3))
    monkeypatch.setattr(bench_module, "CALIBRATION", 8)
    shrunken = {"zerolab": exact, "jans": TINY, EIGHT_BITS: TINY, MIXED: exact}
    monkeypatch.setattr(bench_module, "settings", lambda game: shrunken)


def without_jax(*_: object) -> None:
    raise ImportError("no jax")


def test_counts_what_the_network_is_asked() -> None:
    contest = Contest(GAME, TINY)
    asked: list[int] = []
    network = contest.counting.evaluate

    class Spy:
        def __call__(self, planes: Floats) -> tuple[Floats, Floats]:
            asked.append(len(planes))
            return network(planes)

    contest.counting.evaluate = Spy()
    contest.play(1.0)
    assert (contest.counting.rows, contest.counting.calls) == (sum(asked), len(asked))
    assert contest.mean_batch == sum(asked) / len(asked) <= TINY.batch
    assert contest.counting.seconds == TICK * len(asked)
    assert 1 <= contest.play_seconds <= 1 + 3 * TICK
    contest.rate_alone(10 * TICK)
    assert contest.counting.rows == sum(asked[: contest.counting.calls])
    assert contest.raw_rows == 10 * round(contest.mean_batch)
    assert contest.raw_seconds == 10 * TICK


def test_half_a_search_is_half_a_state() -> None:
    contest = Contest(GAME, TINY)
    assert contest.states() >= contest.selfplay.moves >= TINY.batch
    before = contest.selfplay.moves
    contest.play(1.0)
    made = contest.selfplay.moves - before
    assert abs(contest.states_per_second * contest.play_seconds - made) <= TINY.batch


@pytest.mark.usefixtures("shrunken")
def test_all_settings_are_measured() -> None:
    seen: list[tuple[int, int]] = []
    bench = bench_selfplay(False, 2.0, lambda done, total: seen.append((done, total)))
    assert [(speed.name, speed.batch) for speed in bench.speeds] == [
        (name, batch) for name in ("zerolab", "jans", EIGHT_BITS, MIXED) for batch in (2, 3)
    ]
    for speed in bench.speeds:
        # The network alone is looked at once a batch, in self-play twice, and once more a round.
        assert 1 / TICK <= speed.raw <= speed.batch / TICK
        assert 0 < speed.in_network <= 1 / 3
        assert speed.evaluations == pytest.approx(speed.in_network * speed.mean_batch / TICK)
        assert speed.share == speed.evaluations / speed.raw
        assert 1 <= speed.mean_batch <= speed.batch
        assert speed.states > speed.games > 0
        assert 0 <= speed.hit_rate <= 1
    assert bench.peer is None
    assert seen == [(done, 8) for done in range(1, 9)]


@pytest.mark.usefixtures("shrunken")
def test_the_stand_in_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspiel")
    monkeypatch.setattr(open_spiel_selfplay, "_original", without_jax)
    bench = bench_selfplay(True, 0.01, lambda done, total: None)
    assert bench.peer is not None
    assert bench.peer.name == STAND_IN
    assert bench.peer.is_stand_in
    assert set(bench.peer.ours) == {"jans", EIGHT_BITS, MIXED, "zerolab"}
    assert bench.peer.moves > 0
    assert all(states > 0 for states in (bench.peer.states, *bench.peer.ours.values()))


def test_the_peer_searches_with_our_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspiel")
    monkeypatch.setattr(open_spiel_selfplay, "_original", without_jax)
    peer = make_peer(GAME, TINY)
    bot = peer._bot
    root = bot.mcts_search(peer._state)
    assert root.explore_count == TINY.search.max_simulations
    assert sum(child.prior for child in root.children) == pytest.approx(1)
    for _ in range(20):  # into another game
        peer.move()
    assert not peer._state.is_terminal()


def test_settings_are_the_presets() -> None:
    configs = settings(Clobber(5, 5))
    assert configs["zerolab"].int8
    assert configs["zerolab"].exact_stones > 0
    assert not configs["zerolab, float, no exact leaves"].int8
    assert configs["zerolab, float, no exact leaves"].exact_stones == 0
    jans = configs["jans"]
    network = jans.network
    assert (network.nn_model, network.nn_width, network.nn_depth) == ("resnet", 128, 6)
    assert jans.search.max_simulations == 100
    mixed = configs[MIXED].flat()
    changed = {key for key, value in jans.flat().items() if mixed[key] != value}
    assert changed == {"int8", "exact_stones", "cache_symmetric"}
