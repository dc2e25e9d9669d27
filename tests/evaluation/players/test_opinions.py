"""What a bare network says."""

import pytest

from tests.evaluation.runs import make_run
from zerolab.evaluation.players.opinions import network_opinion
from zerolab.evaluation.players.players import make_player
from zerolab.evaluation.players.protocol import PlayerError
from zerolab.games.clobber import Clobber
from zerolab.games.position import Position


def test_probabilities_of_legal_moves_and_a_value(tmp_path):
    run = make_run(tmp_path / "run", Clobber(3, 3), (1,))
    player = make_player(f"net:{run}")
    position = Position.start(Clobber(3, 3))
    value, policy = network_opinion(player, position)
    assert set(policy) == set(position.legal_actions)
    assert sum(policy.values()) == pytest.approx(1)
    assert max(policy, key=policy.get) == player.choose(position, None)
    assert value == pytest.approx(float(player.network_values([position])[0]))
    over = Position.parse(Clobber(3, 3), "x..|...|..o")
    assert network_opinion(player, over)[1] == {}


def test_other_players_have_no_such_opinion():
    with pytest.raises(PlayerError, match="no network"):
        network_opinion(make_player("random"), Position.start(Clobber(3, 3)))
