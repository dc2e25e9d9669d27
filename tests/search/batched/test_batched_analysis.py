import pytest

from tests.search.evaluators import uniform
from zerolab.games.base import step
from zerolab.games.boards.stones import initial_state
from zerolab.games.clobber import Clobber
from zerolab.games.notation import legal_list, parse_position
from zerolab.kernels.rng import stream
from zerolab.search.batched.batched_analysis import TreeReader
from zerolab.search.batched.batched_search import BatchedSearch, SearchConfig
from zerolab.solver.exact_leaves import NO_ORACLE, make_oracle

GAME = Clobber(3, 4)


def searched(state, simulations, slots=2, oracle=NO_ORACLE, times=1):
    """The same position in every tree of a batch; the last is looked into."""
    config = SearchConfig(max_simulations=simulations)
    search = BatchedSearch(GAME, config, slots, uniform(GAME), oracle=oracle)
    for _ in range(times):
        for slot in range(slots):
            search.start(slot, state, explores=False)
        search.run()
    return search, TreeReader(search, slots - 1)


def test_it_is_what_the_search_found():
    state = initial_state(GAME, stream(0))
    search, reader = searched(state, 60)
    analysis, result = reader.analyse(), search.result(1)
    assert analysis.simulations == 60
    assert analysis.value == pytest.approx(result.value)
    assert not analysis.proven
    assert sorted(each.action for each in analysis.candidates) == legal_list(GAME, state)
    assert analysis.candidates[0].action == search.choose(1)
    for each in analysis.candidates:
        assert each.visits == result.visits[each.action]
        assert each.share == pytest.approx(each.visits / 59)
        assert each.prior == pytest.approx(1 / len(analysis.candidates))
    means = sum(each.visits * each.value for each in analysis.candidates)
    assert analysis.value == pytest.approx(means / 60)  # the root's own evaluation is 0


@pytest.mark.parametrize("stones", [0, 6])
def test_lines_can_be_played(stones):
    """With exact leaves too: settled nodes have no edges but those of earlier searches."""
    state = initial_state(GAME, stream(0))
    _, reader = searched(state, 200, oracle=make_oracle(GAME, stones), times=2)
    longest = 0
    for each in reader.analyse().candidates:
        after = state.copy()
        for action in each.line:
            assert action in legal_list(GAME, after)
            step(GAME, after, action)
        assert each.line[0] == each.action
        longest = max(longest, len(each.line))
    assert longest >= 3


def test_proofs_are_for_the_player_who_moves():
    """x takes on c1 and o cannot move any more; anything else lets o answer."""
    state = parse_position(GAME, "....|....|xxox")
    analysis = searched(state, 100)[1].analyse()
    assert analysis.proven
    assert analysis.value == 1
    assert analysis.candidates[0].proven
    assert analysis.candidates[0].value == 1
    lost = parse_position(GAME, "xo..|....|xo..")  # two stars: whoever moves first moves no more
    analysis = searched(lost, 100)[1].analyse()
    assert analysis.value == -1
    assert all(each.value == -1 for each in analysis.candidates if each.proven)


def test_outlines():
    _, reader = searched(initial_state(GAME, stream(0)), 200)
    outline = reader.outline(2, 3)
    assert outline.visits == 200
    assert len(outline.children) == 3
    visits = [child.visits for child in outline.children]
    assert visits == sorted(visits, reverse=True)
    assert all(not leaf.children for child in outline.children for leaf in child.children)
    for child in outline.children:
        assert sum(leaf.visits for leaf in child.children) < child.visits
    priors = {each.action: each.prior for each in reader.analyse().candidates}
    assert all(child.prior == priors[child.action] for child in outline.children)
    assert reader.outline(0, 3).children == ()


def test_a_game_that_is_over():
    over = parse_position(GAME, "x...|....|...o")
    assert searched(over, 5)[1].analyse().candidates == []
