"""Evaluations that were made before: state -> logits, value.

The cache serves transpositions, positions met again in other games and, optionally, symmetric
positions. It is a table of fixed size: sets of four places each, in which a new entry replaces the
oldest. Keys are whole positions, so no two are ever confused.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zerolab.games.base import Game, State, same_state
from zerolab.games.boards.canonical import Forms, key_words, make_forms, make_key, place_of
from zerolab.games.notation import num_actions
from zerolab.kernels.compiling import jitable

WAYS = 4
NO_ENTRY = -1

CLOCK, CLEARED, REQUESTS, HITS, SIZE = range(5)


class Cache(NamedTuple):
    """The table; K places, S symmetries."""

    keys: npt.NDArray[np.uint64]  # [K, words], canonical forms
    logits: npt.NDArray[np.float32]  # [K, A]
    values: npt.NDArray[np.float32]  # [K]
    stamps: npt.NDArray[np.int64]  # [K], when the entry was made; 0 for never
    counters: npt.NDArray[np.int64]  # [5]
    forms: Forms  # which positions are taken for one


class CacheStatistics(NamedTuple):
    """The statistics that OpenSpiel logs for its caches."""

    size: int
    max_size: int
    usage: float
    requests: int
    hits: int
    misses: int
    hit_rate: float


def make_cache(game: Game, entries: int, symmetric: bool = False) -> Cache:
    """Room for at least that many entries; `symmetric` lets symmetric positions share one."""
    places = WAYS if entries > 0 else 0
    while places < entries:
        places *= 2
    return Cache(
        keys=np.zeros((places, key_words(game)), np.uint64),
        logits=np.empty((places, num_actions(game)), np.float32),
        values=np.empty(places, np.float32),
        stamps=np.zeros(places, np.int64),
        counters=np.zeros(5, np.int64),
        forms=make_forms(game, turned=symmetric, swapped=False),
    )


def clear_cache(cache: Cache) -> None:
    """Drop all entries, for use when the network has changed."""
    cache.counters[CLEARED] = cache.counters[CLOCK]
    cache.counters[SIZE] = 0


def cache_statistics(cache: Cache) -> CacheStatistics:
    """Statistics since the cache was made."""
    size, places = int(cache.counters[SIZE]), cache.stamps.shape[0]
    requests, hits = int(cache.counters[REQUESTS]), int(cache.counters[HITS])
    return CacheStatistics(
        size,
        places,
        size / max(1, places),
        requests,
        hits,
        requests - hits,
        hits / max(1, requests),
    )


@jitable
def find_entry(game: Game, cache: Cache, state: State) -> tuple[int, int]:
    """The place of a position, or NO_ENTRY; and the symmetry that leads to what is stored there."""
    cache.counters[REQUESTS] += 1
    if cache.stamps.shape[0] == 0:
        return NO_ENTRY, 0
    symmetry = make_key(game, cache.forms, state)
    first = first_place(cache)
    for place in range(first, first + WAYS):
        is_valid = cache.stamps[place] > cache.counters[CLEARED]
        if is_valid and same_state(cache.keys[place], cache.forms.key[0]):
            cache.counters[HITS] += 1
            return place, symmetry
    return NO_ENTRY, symmetry


@jitable
def new_entry(game: Game, cache: Cache, state: State) -> tuple[int, int]:
    """A place for a position, its own or the oldest of its set; and the symmetry."""
    if cache.stamps.shape[0] == 0:
        return NO_ENTRY, 0
    symmetry = make_key(game, cache.forms, state)
    first = first_place(cache)
    oldest = first
    for place in range(first, first + WAYS):
        is_valid = cache.stamps[place] > cache.counters[CLEARED]
        if is_valid and same_state(cache.keys[place], cache.forms.key[0]):
            return place, symmetry  # another tree was waiting for the same position
        if cache.stamps[place] < cache.stamps[oldest]:
            oldest = place
    if cache.stamps[oldest] <= cache.counters[CLEARED]:
        cache.counters[SIZE] += 1
    cache.counters[CLOCK] += 1
    cache.stamps[oldest] = cache.counters[CLOCK]
    for word in range(cache.keys.shape[1]):
        cache.keys[oldest, word] = cache.forms.key[0, word]
    return oldest, symmetry


@jitable
def first_place(cache: Cache) -> int:
    """The first place of the set of the position whose key was made last."""
    return place_of(cache.forms.key[0], cache.stamps.shape[0] // WAYS) * WAYS
