import numpy as np
import pytest

from tests.networks.making import GAMES
from zerolab.encodings.views import make_view
from zerolab.games.base import Game, random_action, step
from zerolab.games.boards.stones import encode, initial_state, num_planes
from zerolab.games.boards.symmetry import symmetries, turn_planes, turn_policy
from zerolab.games.clobber import Clobber
from zerolab.games.notation import legal_list, num_actions
from zerolab.kernels.rng import stream
from zerolab.records.batches import BatchMaker, make_batch
from zerolab.records.samples import Batch, Samples


def random_samples(game: Game, count: int) -> Samples:
    rng, scratch, states = stream(1), np.empty(num_actions(game), np.int64), []
    state = initial_state(game, rng)
    while len(states) < count:
        action = random_action(game, state, scratch, rng)
        if action < 0:
            state = initial_state(game, rng)
        else:
            states.append(state.copy())
            step(game, state, action)
    policy = np.random.default_rng(1).dirichlet(np.ones(num_actions(game)), count)
    value = np.linspace(-1, 1, count)
    return Samples(
        np.array(states),
        policy.astype(np.float32),
        value.astype(np.float32),
        np.ones(count, np.float32),
    )


@pytest.mark.parametrize("game", GAMES)
def test_planes_and_legal_actions(game: Game) -> None:
    samples = random_samples(game, 20)
    batch = make_batch(game, make_view(game, "colours"), samples)
    for row, state in enumerate(samples.states):
        planes = np.zeros((num_planes(game, 0), game.rows, game.cols), np.float32)
        encode(game, state, 0, planes)
        np.testing.assert_array_equal(batch.planes[row], planes)
        assert list(np.flatnonzero(batch.legal[row])) == legal_list(game, state)


@pytest.mark.parametrize("game", GAMES)
def test_each_position_is_turned_as_a_whole(game: Game) -> None:
    samples, view = random_samples(game, 60), make_view(game, "own")
    batch = make_batch(game, view, samples)
    turned = make_batch(game, view, samples, np.random.default_rng(1))
    ways = symmetries(game)
    used = set()
    for row in range(60):
        fitting = [
            number
            for number, way in enumerate(ways)
            if np.array_equal(turn_policy(batch.policy[row], way), turned.policy[row])
        ]
        (number,) = fitting  # random policies have no symmetry of their own
        used.add(number)
        np.testing.assert_array_equal(
            turn_planes(batch.planes[row], ways[number]), turned.planes[row]
        )
        np.testing.assert_array_equal(
            turn_policy(batch.legal[row], ways[number]), turned.legal[row]
        )
    assert used == set(range(len(ways)))
    np.testing.assert_array_equal(turned.value, batch.value)


def turn_at_random(game: Game, batch: Batch, draw: np.random.Generator) -> Batch:
    """The slow twin, which earlier versions learnt with."""
    ways = symmetries(game)
    chosen = draw.integers(len(ways), size=len(batch.planes))
    turned = [np.empty_like(each) for each in (batch.planes, batch.legal, batch.policy)]
    for row, number in enumerate(chosen):
        turned[0][row] = turn_planes(batch.planes[row], ways[number])
        turned[1][row] = turn_policy(batch.legal[row], ways[number])
        turned[2][row] = turn_policy(batch.policy[row], ways[number])
    planes, legal, policy = turned
    return batch._replace(planes=planes, legal=legal, policy=policy)


def assert_same(first: Batch, second: Batch) -> None:
    for name, one, other in zip(Batch._fields, first, second, strict=True):
        np.testing.assert_array_equal(one, other, err_msg=name)


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("game", GAMES)
def test_all_cores_make_the_batch_of_the_twin(game: Game, threads: int) -> None:
    samples, view = random_samples(game, 50), make_view(game, "own")
    expected = turn_at_random(game, make_batch(game, view, samples), np.random.default_rng(3))
    maker = BatchMaker.on_all_cores(game, "own", threads)
    assert_same(maker.make(samples, np.random.default_rng(3)), expected)
    assert_same(maker.make(samples), make_batch(game, view, samples))


def test_views_with_scratch_are_not_shared() -> None:
    game = Clobber(4, 4)
    samples = random_samples(game, 40)
    maker = BatchMaker.on_all_cores(game, "components", threads=2)
    assert maker.views[0].components is not maker.views[1].components
    assert_same(maker.make(samples), make_batch(game, make_view(game, "components"), samples))


def test_legal_actions_may_be_left_out() -> None:
    game, samples = GAMES[0], random_samples(GAMES[0], 9)
    full, batch = (
        BatchMaker.on_all_cores(game, "own", 2, with_legal).make(samples)
        for with_legal in (True, False)
    )
    assert batch.legal.all()
    assert not full.legal.all()
    assert_same(batch._replace(legal=full.legal), full)


def test_legal_actions_that_are_left_out_are_not_looked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In Go that would take longer than all the rest."""
    monkeypatch.delattr("zerolab.records.batches.mark_legal")
    game, samples = GAMES[0], random_samples(GAMES[0], 4)
    assert BatchMaker.on_all_cores(game, "own", 1, with_legal=False).make(samples).legal.all()
    with pytest.raises(NameError, match="mark_legal"):
        BatchMaker.on_all_cores(game, "own", 1).make(samples)


def test_fewer_samples_than_threads() -> None:
    game = GAMES[0]
    maker = BatchMaker.on_all_cores(game, "own", threads=4)
    for count in (0, 1, 3):
        samples = random_samples(game, 5).take(slice(count))
        assert_same(maker.make(samples), make_batch(game, make_view(game, "own"), samples))


def test_samples_in_another_layout() -> None:
    """Every second row of an array, as `take` returns it, and states that lie backwards."""
    game, samples = GAMES[0], random_samples(GAMES[0], 20)
    spread = samples.take(slice(0, 20, 2))._replace(states=samples.states[::-2])
    packed = Samples(*(np.ascontiguousarray(each) for each in spread))
    batches = [
        make_batch(game, make_view(game, "own"), each, np.random.default_rng(1))
        for each in (spread, packed)
    ]
    assert_same(*batches)
