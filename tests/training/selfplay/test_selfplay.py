import numpy as np
import pytest

from tests.search.evaluators import scrambled, uniform
from zerolab.errors import UsageError
from zerolab.games.base import Game, player_to_move, step, terminal_value
from zerolab.games.boards.stones import initial_state
from zerolab.games.clobber import Clobber
from zerolab.games.connect_four import ConnectFour
from zerolab.games.notation import legal_list
from zerolab.games.othello import Othello
from zerolab.games.solitaire import Solitaire
from zerolab.kernels.rng import stream
from zerolab.search.batched.batched_search import SearchConfig
from zerolab.search.batched.searching_network import SearchingNetwork
from zerolab.solver.alphabeta import Solver
from zerolab.solver.exact_leaves import NO_ORACLE, make_exact_leaves
from zerolab.training.selfplay.selfplay import GameRecord, SelfPlay

CONFIG = SearchConfig(max_simulations=12, temperature_drop=3)


def play(game: Game, games: int, config: SearchConfig = CONFIG, seed: int = 1) -> list[GameRecord]:
    selfplay = SelfPlay(SearchingNetwork(game, scrambled(game), config), 5, seed)
    records: list[GameRecord] = []
    while len(records) < games:
        records.extend(selfplay.round())
    return records


@pytest.mark.parametrize("game", [Clobber(3, 4), Othello(4, 4), ConnectFour(4, 4)])
def test_records_are_games(game: Game) -> None:
    for record in play(game, 12):
        state = initial_state(game, stream(0))
        for kept, policy, action in zip(
            record.states, record.policies, record.actions, strict=True
        ):
            np.testing.assert_array_equal(kept, state)
            legal = legal_list(game, state)
            assert action in legal
            assert set(np.flatnonzero(policy)) <= set(legal)
            assert policy.sum() == pytest.approx(1)
            step(game, state, action)
        assert legal_list(game, state) == []
        value = terminal_value(game, state)
        for kept, result in zip(record.states, record.results, strict=True):
            same = player_to_move(kept) == player_to_move(state)
            assert result == (value if same else -value)
        assert record.full.all()


def test_proven_values_are_exact() -> None:
    game = Clobber(3, 3)
    solver = Solver(game)
    proven = 0
    for record in play(game, 10, SearchConfig(max_simulations=60)):
        for state, value, is_proven in zip(
            record.states, record.values, record.proven, strict=True
        ):
            if is_proven:
                proven += 1
                assert solver.value(state) == value
    assert proven > 10


def test_the_same_seed_gives_the_same_games() -> None:
    game = Clobber(3, 4, setup="random")
    first, again, other = (play(game, 8, seed=seed) for seed in (1, 1, 2))
    for one, two in zip(first, again, strict=True):
        np.testing.assert_array_equal(one.actions, two.actions)
        np.testing.assert_array_equal(one.states, two.states)
        np.testing.assert_array_equal(one.policies, two.policies)
    assert any(
        len(one.actions) != len(two.actions) or (one.actions != two.actions).any()
        for one, two in zip(first, other, strict=True)
    )


def test_games_differ_from_one_another() -> None:
    game = Clobber(4, 4)
    selfplay = SelfPlay(SearchingNetwork(game, uniform(game), CONFIG), 8, seed=1)
    records: list[GameRecord] = []
    while len(records) < 16:
        records.extend(selfplay.round())
    assert len({tuple(record.actions) for record in records}) == len(records)


def test_one_player_has_one_result() -> None:
    for record in play(Solitaire(3, 3), 6):
        assert len(set(record.results)) == 1
        assert record.results[0] > 0


def test_a_start_without_moves_gets_a_sentence() -> None:
    with pytest.raises(UsageError, match="is over before it begins"):
        play(Clobber(2, 2, setup="xx|.."), 1)


def test_exact_leaves_prove_more() -> None:
    game, shares = Clobber(3, 4), []
    for oracle in (NO_ORACLE, make_exact_leaves(game, 8)):
        selfplay = SelfPlay(SearchingNetwork(game, uniform(game), CONFIG, oracle), 5, 1)
        records: list[GameRecord] = []
        while len(records) < 10:
            records.extend(selfplay.round())
        shares.append(np.concatenate([record.proven for record in records]).mean())
    assert shares[1] > shares[0]


def test_cut_short_searches_are_marked() -> None:
    config = SearchConfig(max_simulations=12, fast_simulations=3, full_share=0.3)
    full = np.concatenate([record.full for record in play(Clobber(3, 4), 30, config)])
    assert 0.15 < full.mean() < 0.5


@pytest.mark.parametrize("games", [1, 5, 13])
def test_so_many_games_and_no_more(games: int) -> None:
    game = Clobber(3, 4)
    selfplay = SelfPlay(SearchingNetwork(game, scrambled(game), CONFIG), 5, seed=1, games=games)
    records: list[GameRecord] = []
    for _ in range(12 * 13 * 12):  # more rounds than one slot would need for all
        records.extend(selfplay.round())
    assert len(records) == games


def test_games_begin_after_random_moves() -> None:
    """They are not learnt, but the result, the players and the length know of them."""
    game = Clobber(3, 4)
    config = CONFIG.model_copy(update={"opening_plies": 3})
    records = play(game, 60, config)
    assert {record.opening for record in records} == {0, 1, 2, 3}
    assert len({record.states[0].tobytes() for record in records}) > 20
    for record in records:
        stones = sum(int(word).bit_count() for word in record.states[0][1:3])
        assert stones == 12 - record.opening
        assert player_to_move(record.states[0]) == record.opening % 2
        assert record.plies == record.opening + len(record.actions)
        state = record.states[0].copy()
        for action in record.actions:
            step(game, state, action)
        assert legal_list(game, state) == []
        assert record.results[-1] == 1  # whoever moves last has won
    assert {record.opening for record in play(game, 20)} == {0}  # none unless they are asked for


def test_games_with_the_same_seed_have_the_same_openings() -> None:
    config = CONFIG.model_copy(update={"opening_plies": 3})
    one, two = (play(Clobber(3, 4), 12, config, seed=4) for _ in range(2))
    for first, second in zip(one, two, strict=True):
        np.testing.assert_array_equal(first.states, second.states)
    other = play(Clobber(3, 4), 12, config, seed=5)
    assert [record.opening for record in one] != [record.opening for record in other]
