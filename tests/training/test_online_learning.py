import numpy as np
import pytest
from pydantic import ValidationError

from tests.games.processes import run
from tests.training.online_twin import train
from zerolab.errors import UsageError
from zerolab.games.clobber import Clobber
from zerolab.games.connect_four import ConnectFour
from zerolab.games.othello import Othello
from zerolab.games.solitaire import Solitaire
from zerolab.kernels.rng import stream
from zerolab.networks.mlp.mlp import make_mlp
from zerolab.training import online_learning as online
from zerolab.training.online_learning import OnlineConfig, train_online

FAST = {"alpha": 1e-3, "target": 20.0}


@pytest.mark.parametrize(
    ("game", "settings", "games"),
    [
        (Clobber(2, 3), {"hidden": (4,), **FAST}, 60),
        (Clobber(4, 4), {"hidden": (20,), "alpha": 2e-5}, 60),
        (Clobber(4, 5), {"hidden": (7, 5), "slope": 0.01, **FAST}, 40),
        (Clobber(3, 3), {"hidden": (3, 4, 2), "slope": 0.01, "tau": 0.3, **FAST}, 60),
        (Clobber(3, 4), {"hidden": (), "slope": 0.2, **FAST, "alpha": 1e-2}, 40),
        (Clobber(10, 10), {"hidden": (8,), "slope": 0.01, "alpha": 1e-5}, 2),  # two words
        (Clobber(3, 4, setup="xo.o|ooxx|x.ox"), {"hidden": (5,), "slope": 0.01, **FAST}, 40),
        (Othello(4, 4), {"hidden": (6,), "slope": 0.01, **FAST}, 20),  # moves change many squares
        (ConnectFour(3, 4), {"hidden": (6,), "slope": 0.01, **FAST}, 20),  # or one
    ],
)
def test_learns_what_the_twin_learns(game, settings, games):
    config = OnlineConfig(**settings)
    learnt = False
    for seed in (1, 2):
        draw = np.random.default_rng(seed)
        mlp = make_mlp(game.rows * game.cols, config.hidden, config.slope, stream(seed))
        mlp.weights[:] -= draw.uniform(0, 0.8, mlp.weights.shape)  # so that some nodes are dead
        before = mlp.weights.copy()
        expected, _ = train(game, mlp, config, games, seed)
        ours = train_online(game, config, games, seed, start=mlp)
        np.testing.assert_allclose(ours.weights, expected, rtol=1e-9, atol=1e-9)
        assert np.array_equal(mlp.weights, before)
        learnt |= not np.array_equal(ours.weights, before)
    assert learnt


def test_one_seed_one_network_whatever_the_chunks():
    game, config = Clobber(3, 4), OnlineConfig(hidden=(6,), **FAST)
    done = []
    one = train_online(game, config, 500, 7, lambda games, mlp: done.append(games))
    assert done == sorted(set(done))
    assert done[-1] == 500
    again = train_online(game, config, 500, 7)
    other = train_online(game, config, 500, 8)
    assert np.array_equal(one.weights, again.weights)
    assert not np.array_equal(one.weights, other.weights)


def test_random_starts_are_drawn_for_each_game():
    config = OnlineConfig(hidden=(6,), **FAST)
    one = train_online(Clobber(3, 4, setup="random"), config, 200, 7)
    again = train_online(Clobber(3, 4, setup="random"), config, 200, 7)
    chequered = train_online(Clobber(3, 4), config, 200, 7)
    assert np.array_equal(one.weights, again.weights)
    assert not np.array_equal(one.weights, chequered.weights)


def test_no_games_leave_the_network_as_it_was_made():
    mlp = train_online(Clobber(3, 4), OnlineConfig(hidden=(6, 2)), 0, 7)
    assert mlp.hidden == (6, 2)
    assert (mlp.matrices[0][-1] == 0.1).all()


def test_what_progress_raises_ends_the_training():
    def stop(done, mlp):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_online(Clobber(3, 4), OnlineConfig(), 10**9, 7, stop)


def test_a_network_that_diverges_is_told_and_ends():
    config = OnlineConfig(hidden=(6,), slope=0.01, alpha=10.0, target=1000.0)
    mlp = train_online(Clobber(4, 4), config, 300, 1)
    assert mlp.has_diverged
    assert not train_online(Clobber(4, 4), OnlineConfig(), 300, 1).has_diverged


@pytest.mark.parametrize(
    "wrong",
    [
        {"hidden": (0,)},
        {"slope": 1.0},
        {"slope": -0.1},
        {"alpha": 0.0},
        {"alpha": float("inf")},
        {"target": -1.0},
        {"tau": -1.0},
        {"rate": 1.0},
    ],
)
def test_impossible_settings_are_refused(wrong):
    with pytest.raises(ValidationError):
        OnlineConfig(**wrong)


def test_games_of_a_chunk_that_was_interrupted_are_counted(monkeypatch):
    """Ctrl-C comes when the kernel is over: what it learnt is in the weights."""
    kernel, told = online._train, []

    def interrupted(*arguments):
        kernel(*arguments)
        if len(told) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(online, "_train", interrupted)
    config = OnlineConfig(hidden=(6,))
    with pytest.raises(KeyboardInterrupt):
        train_online(Clobber(3, 3), config, 100, 1, lambda done, mlp: told.append((done, mlp)))
    monkeypatch.undo()
    done, mlp = told[-1]
    assert np.array_equal(mlp.weights, train_online(Clobber(3, 3), config, done, 1).weights)


def test_going_on_needs_a_network_of_that_kind():
    mlp = make_mlp(12, (6,), 0.0, stream(1))
    with pytest.raises(UsageError, match="12 squares"):
        train_online(Clobber(4, 4), OnlineConfig(hidden=(6,)), 1, 1, start=mlp)
    with pytest.raises(UsageError, match=r"hidden=\(6,\)"):
        train_online(Clobber(3, 4), OnlineConfig(hidden=(7,)), 1, 1, start=mlp)
    with pytest.raises(UsageError, match=r"slope=0\.0"):
        train_online(Clobber(3, 4), OnlineConfig(hidden=(6,), slope=0.01), 1, 1, start=mlp)
    with pytest.raises(UsageError, match="two-player games"):
        train_online(Solitaire(3, 4), OnlineConfig(hidden=(6,)), 1, 1)
    with pytest.raises(UsageError, match="-1 games"):
        train_online(Clobber(3, 4), OnlineConfig(hidden=(6,)), -1, 1)


SCRIPT = """
from zerolab.games.clobber import Clobber
from zerolab.training.online_learning import OnlineConfig, train_online

config = OnlineConfig(hidden=(5, 3), slope=0.01, alpha=1e-3, target=20.0)
print(sum(train_online(Clobber(3, 3), config, 20, 4).weights.tolist()))
"""


def test_plain_python_gives_the_same_network(tmp_path):
    compiled, plain = (
        float(run(SCRIPT, cache=tmp_path, **variables))
        for variables in ({}, {"NUMBA_DISABLE_JIT": "1"})
    )
    assert plain == pytest.approx(compiled, rel=1e-12)
