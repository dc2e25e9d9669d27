"""Games at all stages."""

import numpy as np
import pytest

from tests.search.evaluators import scrambled
from zerolab.experiments.calibration.staggered import (
    as_unfinished,
    batches_in,
    samples_of,
    stagger,
)
from zerolab.games.base import Game
from zerolab.games.clobber import Clobber
from zerolab.games.othello import Othello
from zerolab.search.batched.batched_search import SearchConfig
from zerolab.search.batched.searching_network import SearchingNetwork
from zerolab.training.samples.value_targets import TargetConfig
from zerolab.training.selfplay.selfplay import SelfPlay

TARGETS = TargetConfig(search_share=0.0, exact_targets=False)


@pytest.mark.parametrize("game", [Clobber(4, 4), Othello(4, 4)])
def test_positions_are_spread_over_a_game(game: Game) -> None:
    found = stagger(game, 12, seed=1)
    plies = [len(position.actions) for position in found.positions]
    assert plies[0] == 0
    assert max(plies) >= found.length / 2
    assert all(ply <= number * found.length / 12 for number, ply in enumerate(plies))
    assert not any(position.is_over for position in found.positions)
    assert 1 <= found.branching <= len(found.positions[0].legal_actions) * 2


@pytest.mark.parametrize("opening", [0, 2])
def test_self_play_goes_on_with_them(opening: int) -> None:
    game = Clobber(3, 4)
    positions = stagger(game, 6, seed=2).positions
    network = SearchingNetwork(game, scrambled(game), SearchConfig(max_simulations=4))
    unfinished = [as_unfinished(each, opening) for each in positions]
    games = SelfPlay(network, 6, seed=1, games=6, unfinished=unfinished)
    for record, position in zip(games.unfinished(), positions, strict=True):
        np.testing.assert_array_equal(record.states[-1], position.words)
        assert record.plies == len(position.actions) + 1
        assert record.opening == min(opening, len(position.actions))
    records = []
    while len(records) < 6:
        records += games.round()
    played = sum(record.plies for record in records) - sum(len(each.actions) for each in positions)
    assert games.moves == played
    samples = samples_of(TARGETS, records, batch=16)
    assert samples.size >= 8 * 16
    assert samples.size % played == 0  # what was searched, and nothing else, several times
    assert batches_in(records, batch=5, epochs=3) == 3 * played / 5
