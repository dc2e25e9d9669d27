import pytest

from zerolab.errors import UsageError
from zerolab.interfaces.web.opponents import BY_NAME, MCTS, STRENGTHS, opponents, player_name
from zerolab.interfaces.web.safety import Rules


@pytest.mark.parametrize(
    ("kind", "strength", "typed", "name"),
    [
        (MCTS, "1000", "", "mcts:1000"),
        (MCTS, "200ms", "", "mcts:200ms"),
        ("az:demo", "100", "", "az:demo@100"),
        ("az:demo", "200ms", "", "az:demo@200ms"),
        ("first", "100", "", "first"),
        (BY_NAME, "100", " mcts:9,exact ", "mcts:9,exact"),
    ],
)
def test_a_choice_becomes_a_name(kind, strength, typed, name):
    assert player_name(kind, strength, typed) == name


def test_a_player_by_name_needs_one():
    with pytest.raises(UsageError, match="type the name of a player"):
        player_name(BY_NAME, "100", "  ")


def test_what_is_offered_is_allowed(tmp_path):
    rules = Rules(tmp_path)
    for kind in opponents(rules):
        for strength in STRENGTHS:
            name = player_name(kind, strength, "random")
            assert rules.player(name) == name


def test_a_run_of_the_name_of_an_agent_is_the_run(tmp_path):
    rules = Rules(tmp_path)
    assert rules.player("az:clobber") == "az:clobber"
    assert rules.player("net:clobber") == "net:clobber"
    (tmp_path / "clobber").mkdir()
    assert rules.player("az:clobber@100") == f"az:{tmp_path}/clobber@100"


def test_agents_are_offered_for_their_game(tmp_path):
    assert "az:clobber" in opponents(Rules(tmp_path), "clobber")
    assert "az:clobber" not in opponents(Rules(tmp_path), "othello")


def test_networks_of_sweeps_are_left_out(tmp_path):
    for name in ("demo", "tried/trials/0000-0"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "config.json").write_text('{"game": "clobber 4x4"}')
        (tmp_path / name / "network-000001.safetensors").touch()
    assert {"az:demo", "az:tried/trials/0000-0"} <= set(opponents(Rules(tmp_path)))
    (tmp_path / "tried" / "sweep.json").touch()
    offered = opponents(Rules(tmp_path))
    assert "az:demo" in offered
    assert "az:tried/trials/0000-0" not in offered
