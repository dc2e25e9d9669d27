"""Sampling: positions agree with a replay, every game is used equally often, runs can resume."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from tests.records.making import GAME, random_recorded, replay
from zerolab.errors import UsageError
from zerolab.games.base import Game
from zerolab.games.clobber import Clobber
from zerolab.games.gobang import Gobang
from zerolab.games.notation import num_actions
from zerolab.games.othello import Othello
from zerolab.records.dataset import Dataset
from zerolab.records.packing import pack
from zerolab.records.samples import Samples
from zerolab.records.sampling import Sampler, validation_positions


def make_dataset(path: Path, game: Game = GAME, games: int = 50, share: float = 0.2) -> Dataset:
    return pack(random_recorded(game, games), game, path, share)


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return make_dataset(tmp_path_factory.mktemp("games") / "data")


def keys(samples: Samples) -> list[bytes]:
    """Each sample as a value that can be counted and compared."""
    rows = zip(samples.states, samples.policy, samples.value, samples.weight, strict=True)
    return [b"".join(each.tobytes() for each in row) for row in rows]


def known(dataset: Dataset, validation: bool) -> Counter[bytes]:
    """All samples of a set of games, rebuilt one by one with Position."""
    game, found = dataset.game, Counter[bytes]()
    for number in dataset.games_for(validation):
        moves = dataset.moves[dataset.offsets[number] : dataset.offsets[number + 1]]
        for position, move in zip(replay(game, tuple(moves.tolist())), moves, strict=False):
            policy = np.zeros(num_actions(game), np.float32)
            policy[move] = 1
            sign = 1 if position.turn == "black" else -1
            numbers = [sign * int(dataset.results[number]), 1]
            found[position.state.tobytes() + policy.tobytes() + np.float32(numbers).tobytes()] += 1
    return found


@pytest.mark.parametrize("game", [GAME, Gobang(9, 9), Othello(4, 4), Clobber(3, 4)], ids=str)
def test_positions_agree_with_a_replay(game: Game, tmp_path: Path) -> None:
    """With more positions a game than any has, a pass takes every position once."""
    dataset = make_dataset(tmp_path / "games", game, 30)
    sampler = Sampler(dataset, seed=1, per_game=1000, chunk_games=7, threads=2)
    assert sampler.positions == known(dataset, validation=False).total()
    samples = sampler.batch(0, sampler.positions)
    assert Counter(keys(samples)) == known(dataset, validation=False)


def test_values_are_for_the_player_to_move(dataset: Dataset) -> None:
    samples = Sampler(dataset, seed=1).batch(0, 200)
    assert set(samples.value.tolist()) == {-1.0, 0.0, 1.0}
    assert not np.signbit(samples.value[samples.value == 0]).any()


def test_every_game_is_used_equally_often(dataset: Dataset) -> None:
    """In each pass, `per_game` positions of every game, no position twice."""
    sampler = Sampler(dataset, seed=1, per_game=3, chunk_games=8)
    assert sampler.chunks > 3
    lengths = np.diff(dataset.offsets)[sampler.games]
    assert sampler.positions == np.minimum(lengths, 3).sum()
    everything, passes = known(dataset, validation=False), []
    for turn in range(3):
        used = Counter(keys(sampler.batch(turn, sampler.positions)))
        assert used <= everything
        passes.append(used)
    assert passes[0] != passes[1] != passes[2]


def test_each_chunk_takes_its_own_games(tmp_path: Path) -> None:
    games = [each for each in random_recorded(GAME, 400) if len(each.actions) >= 8]
    dataset = pack(games, GAME, tmp_path / "games", share=0.0)
    sampler = Sampler(dataset, seed=3, per_game=1, chunk_games=16)
    dealt = [sampler._deal(turn).games for turn in range(3)]
    for order in dealt:
        assert sorted(order) == list(range(len(games)))
    assert not np.array_equal(dealt[0], dealt[1])
    sizes = np.diff(sampler._bounds)
    assert sizes.max() - sizes.min() <= 1
    assert sizes.sum() == len(games)


def test_all_plies_are_equally_likely(tmp_path: Path) -> None:
    """One game of ten moves, three positions in each of 2,000 passes."""
    game = Gobang(5, 5, 5)
    games = random_recorded(game, 60, longest=10)
    recorded = next(each for each in games if len(each.actions) == 10)
    dataset = pack([recorded], game, tmp_path / "games", share=0.0)
    samples = Sampler(dataset, seed=1, per_game=3).batch(0, 3 * 2000)
    stones = np.bitwise_count(samples.states[:, 1:]).sum(axis=1)
    counts = np.bincount(stones, minlength=10)
    assert len(counts) == 10
    assert abs(counts - 600).max() < 5 * 600**0.5
    triples = stones.reshape(2000, 3)
    assert all(len(set(triple)) == 3 for triple in triples.tolist())
    assert len({tuple(triple) for triple in triples.tolist()}) > 300  # shuffled: of 720


def test_validation_games_are_not_learnt_from(dataset: Dataset) -> None:
    hidden = set(known(dataset, validation=True)) - set(known(dataset, validation=False))
    samples = Sampler(dataset, seed=1, per_game=1000).batch(0, 3000)
    assert len(hidden) > 20
    assert not hidden & set(keys(samples))


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_batches_are_the_same_whatever_was_asked_before(dataset: Dataset, threads: int) -> None:
    sampler = Sampler(dataset, seed=1, chunk_games=8, threads=1)
    expected = [keys(sampler.batch(number, 37)) for number in range(20)]
    other = Sampler(dataset, seed=1, chunk_games=8, threads=threads)
    for number in (13, 2, 3, 19, 0, 19):
        assert keys(other.batch(number, 37)) == expected[number]
    assert len({tuple(each) for each in expected}) == 20


def test_batches_follow_each_other(dataset: Dataset) -> None:
    """The size of batches only cuts one sequence."""
    small, large = Sampler(dataset, seed=1, chunk_games=8), Sampler(dataset, seed=1, chunk_games=8)
    parts = [key for number in range(10) for key in keys(small.batch(number, 30))]
    assert parts == keys(large.batch(0, 300))


def test_another_seed_gives_other_batches(dataset: Dataset) -> None:
    first, second = (keys(Sampler(dataset, seed).batch(0, 64)) for seed in (1, 2))
    assert first != second


def test_another_seed_takes_other_positions_of_the_same_game(tmp_path: Path) -> None:
    recorded = max(random_recorded(GAME, 20), key=lambda each: len(each.actions))
    dataset = pack([recorded], GAME, tmp_path / "games", share=0.0)
    batches = [keys(Sampler(dataset, seed, per_game=4).batch(0, 4)) for seed in range(4)]
    assert len({frozenset(batch) for batch in batches}) > 1


def test_only_two_chunks_are_kept(dataset: Dataset) -> None:
    sampler = Sampler(dataset, seed=1, chunk_games=8)
    for number in range(30):
        sampler.batch(number, 16)
        assert len(sampler._prepared) == 2


def test_the_chunk_under_way_is_not_made_again(
    dataset: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = []
    begin = Sampler._begin

    def count(self: Sampler, number: int) -> object:
        begun.append(number)
        return begin(self, number)

    monkeypatch.setattr(Sampler, "_begin", count)
    sampler = Sampler(dataset, seed=1, chunk_games=8)
    for number in range(40):
        sampler.batch(number, 16)
    assert begun == list(range(len(begun)))
    assert len(begun) > 3


def test_validation_positions(dataset: Dataset) -> None:
    everything = known(dataset, validation=True)
    samples = validation_positions(dataset, 40)
    assert samples.size == 40
    assert Counter(keys(samples)) <= everything
    assert keys(samples) == keys(validation_positions(dataset, 40))
    assert keys(samples) != keys(validation_positions(dataset, 40, seed=1))
    assert Counter(keys(validation_positions(dataset, 10**6))) == everything


def test_validation_positions_are_spread_over_games(tmp_path: Path) -> None:
    games = [each for each in random_recorded(GAME, 300) if len(each.actions) >= 12]
    dataset = pack(games, GAME, tmp_path / "games", share=0.5)
    expected = dataset.results[dataset.games_for(validation=True)].tolist()
    for per_game in (1, 2):  # results are as frequent as in the games
        samples = validation_positions(dataset, per_game * len(expected))
        is_black = (samples.states[:, 0] & np.uint64(1)) == 0
        results = np.where(is_black, samples.value, -samples.value).astype(int)
        assert Counter(results.tolist()) == Counter(per_game * expected)


def test_nothing_to_learn_from(tmp_path: Path) -> None:
    dataset = pack([], GAME, tmp_path / "games")
    with pytest.raises(UsageError, match="has no games to learn from"):
        Sampler(dataset, seed=1)
    assert validation_positions(dataset, 10).size == 0


def test_an_error_in_a_thread_is_not_lost(
    dataset: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: object) -> None:
        raise RuntimeError("no memory")

    monkeypatch.setattr("zerolab.records.sampling.take_positions", fail)
    with pytest.raises(RuntimeError, match="no memory"):
        Sampler(dataset, seed=1).batch(0, 8)
