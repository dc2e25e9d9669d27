import pytest

from tests.evaluation.guests import guests  # noqa: F401
from zerolab.evaluation.matches import threads as threads_module
from zerolab.evaluation.matches.duel import Duel, play_duel, prepare_duel
from zerolab.evaluation.players.protocol import PlayerError
from zerolab.evaluation.ratings.sprt import Sprt
from zerolab.games.clobber import Clobber

pytestmark = pytest.mark.usefixtures("guests")

DUEL = Duel(Clobber(4, 4), ("mcts:60", "mcts:10"), 40, 2, 1)


def essence(result):
    return [tuple(each._replace(seconds=(0.0, 0.0)) for each in pair) for pair in result.pairs]


def test_pairs_are_in_order_and_the_first_named_begins():
    result = play_duel(DUEL)
    assert [pair[0].pair for pair in result.pairs] == list(range(40))
    for one, other in result.pairs:
        assert (one.first, one.second) == DUEL.players
        assert (other.first, other.second) == DUEL.players[::-1]
        assert one.opening == other.opening
    won = sum((one.result == 1) + (other.result == -1) for one, other in result.pairs)
    assert result.score.wins == won
    assert result.score.games == 80 == result.colours.games
    assert result.colours.wins == sum(each.result == 1 for pair in result.pairs for each in pair)
    assert result.rated.rating > 0
    assert result.rated.games == 80


@pytest.mark.parametrize("claims", [(0, 100), (-100, 0), (300, 400)])
def test_a_test_ends_at_the_same_pair_whatever_the_threads(claims):
    """And where a plain loop over the pairs, one by one, would end."""
    duel = DUEL._replace(pairs=200)
    twin, seen = Sprt(*claims), 0
    for one, other in play_duel(duel).pairs:
        twin.add((1 + one.result) / 2, (1 - other.result) / 2)
        seen += 1
        if twin.verdict:
            break
    played = set()
    for threads in (1, 2, 4):
        sprt = Sprt(*claims)
        result = play_duel(duel, sprt, threads)
        assert len(result.pairs) == seen < 200
        assert sprt.counts == twin.counts
        assert sprt.verdict == twin.verdict is not None
        played.add(str(essence(result)))
    assert len(played) == 1


def test_a_player_may_play_itself():
    result = play_duel(DUEL._replace(players=("mcts:20", "mcts:20")))
    assert len({each.seed for pair in result.pairs for each in pair}) == 80
    assert abs(result.rated.rating) < 4 * result.rated.error
    assert 0 < result.score.wins < 80


def test_failed_games_count_for_nobody():
    sprt = Sprt(-1000, 1000)
    result = play_duel(DUEL._replace(players=("weak", "random")), sprt)
    assert len(result.failures) > 0
    assert result.score.games == 2 * len(result.pairs) - len(result.failures)
    whole = [pair for pair in result.pairs if not any(each.failed for each in pair)]
    assert sprt.games == 2 * len(whole)


def test_it_ends_when_a_player_fails_again_and_again(monkeypatch):
    monkeypatch.setattr(threads_module, "MOST_FAILURES", 3)
    for names in (("dead", "random"), ("random", "dead")):
        result = play_duel(DUEL._replace(players=names), threads=1)
        assert not result.is_complete
        assert result.given_up == f"dead: {threads_module.GIVEN_UP}"
        assert {each.failed for each in result.failures} == {"dead: it never lived"}
        assert len(result.failures) == 2  # of the pair that is complete


def test_how_likely_the_first_is_stronger():
    result = play_duel(DUEL)
    assert 0.5 < result.superiority <= 1
    even = play_duel(DUEL._replace(players=("mcts:20", "mcts:20")))
    assert (even.superiority > 0.5) == (even.rated.rating > 0)


def test_it_is_told_what_is_wrong_before():
    prepare_duel(DUEL)
    with pytest.raises(PlayerError, match="knows chess only"):
        prepare_duel(DUEL._replace(players=("random", "elsewhere")))
