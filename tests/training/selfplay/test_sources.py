"""Who plays, and with which network: an actor, and the learner that plays itself."""

import numpy as np
import pytest

from tests.training.opinions import CONFIG, GAME, NEW, OLD, opinion, opinions
from tests.training.samples.test_value_targets import RECORD
from zerolab.games.clobber import Clobber
from zerolab.search.batched.cache import CacheStatistics
from zerolab.training.selfplay.selfplay import GameRecord
from zerolab.training.selfplay.sources import Actor, LocalSource, SelfPlayBatch, between, together


def play(actor: Actor, games: int) -> list[GameRecord]:
    records: list[GameRecord] = []
    while len(records) < games:
        records += actor.round()
    return records


@pytest.mark.parametrize("rounds", range(1, 6))
def test_an_actor_rates_with_the_new_network_from_that_moment_on(rounds: int) -> None:
    """Of the first games a move takes two rounds: ask about the position, then use the answer.

    An answer that was given but not used yet is asked for again.
    """
    actor = Actor(GAME, CONFIG, opinion(OLD), seed=1)
    for _ in range(rounds):
        assert actor.round() == []
    actor.refresh(opinion(NEW))
    records = play(actor, 8)
    moves = rounds // 2
    for record in records[:4]:
        found = opinions(record)
        assert found == [OLD] * moves + [NEW] * (len(found) - moves)
    for record in records[4:]:
        assert set(opinions(record)) == {NEW}


def test_an_actor_forgets_what_the_old_network_said() -> None:
    """All games are alike, so the old network has rated every position that comes later."""
    actor = Actor(GAME, CONFIG, opinion(OLD), seed=1)
    before = play(actor, 4)
    assert {tuple(record.actions) for record in before} == {tuple(before[0].actions)}
    assert all(set(opinions(record)) == {OLD} for record in before)
    actor.report([])
    actor.refresh(opinion(NEW))
    after = play(actor, 8)
    assert tuple(after[-1].actions) == tuple(before[0].actions)
    assert all(set(opinions(record)) == {NEW} for record in after)


def test_the_learner_that_plays_itself_takes_up_new_weights() -> None:
    source = LocalSource(GAME, CONFIG)
    source.start(opinion(OLD), seed=1)
    for value in (OLD, NEW, OLD):
        source.refresh(opinion(value))
        games = source.gather(50, lambda states: None)
        assert {each for record in games.records for each in opinions(record)} == {value}


def test_games_until_there_are_enough_states() -> None:
    """Seven plies a game, four games at once."""
    source, seen = LocalSource(GAME, CONFIG), []
    source.start(opinion(OLD), seed=1)
    games = source.gather(50, seen.append)
    assert [len(record.states) for record in games.records] == [7] * 8
    assert (seen, games.states) == ([28, 56], 56)
    assert len(source.gather(1, seen.append).records) == 4


def test_the_seed_decides_the_games() -> None:
    game = Clobber(3, 3, setup="random")
    starts = []
    for seed in (1, 1, 2):
        source = LocalSource(game, CONFIG)
        source.start(opinion(OLD), seed)
        records = source.gather(50, lambda states: None).records
        starts.append([record.states[0].tolist() for record in records])
    assert starts[0] == starts[1] != starts[2]


def test_actors_solve_leaves_as_far_as_the_settings_say() -> None:
    """30 simulations try each of the 12 first moves, but are too few to play all games out."""
    proven = []
    for stones in (0, 9):
        config = CONFIG.changed(exact_stones=stones, max_simulations=30)
        proven.append(play(Actor(GAME, config, opinion(OLD), seed=1), 4)[0].proven)
    assert not proven[0][0]
    assert proven[1].all()


def test_a_report_tells_what_happened_since_the_last_one() -> None:
    """Four games of seven positions each time; the network is asked what the cache has not."""
    source = LocalSource(GAME, CONFIG)
    source.start(opinion(OLD), seed=1)
    first, second = (source.gather(28, lambda states: None) for _ in range(2))
    assert (first.cache.requests, first.cache.hits, first.cache.misses) == (28, 0, 28)
    assert first.batches.tolist() == [0, 0, 0, 0, 7]
    # The same positions again.
    assert (second.cache.requests, second.cache.hits, second.cache.misses) == (28, 28, 0)
    assert (first.cache.hit_rate, second.cache.hit_rate) == (0, 1)
    assert second.batches.tolist() == [0, 0, 0, 0, 0]


def statistics(size: int, requests: int, hits: int) -> CacheStatistics:
    rate = hits / requests if requests else 0.0
    return CacheStatistics(size, 64, size / 64, requests, hits, requests - hits, rate)


def test_what_a_cache_did_in_between() -> None:
    found = between(statistics(3, 10, 4), statistics(8, 30, 19))
    assert found == statistics(8, 20, 15)
    assert found.hit_rate == 0.75
    assert between(found, found).hit_rate == 0


def test_several_caches_are_counted_as_one() -> None:
    """15 of 20 and 5 of 60: 20 of 80, not the mean of the two rates."""
    found = together([statistics(3, 20, 15), statistics(8, 60, 5)])
    assert found == statistics(8, 80, 20)
    assert found.hit_rate == 0.25


def test_positions_that_are_not_learnt_do_not_count() -> None:
    """Two of the three plies of that game were searched in full."""
    assert SelfPlayBatch([RECORD, RECORD], statistics(0, 0, 0), np.zeros(5, np.int64)).states == 4
