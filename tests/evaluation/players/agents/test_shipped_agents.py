import inspect
import subprocess
import sys
from typing import get_args

import pytest

from zerolab.errors import UsageError
from zerolab.evaluation.players.agents.shipped_agents import (
    AGENTS,
    FALLBACK,
    LEVELS,
    agent_for,
    default_opponent,
)
from zerolab.evaluation.players.names import pinned
from zerolab.evaluation.players.network_file import find_network, load_evaluator
from zerolab.evaluation.players.players import make_player
from zerolab.evaluation.players.protocol import check_player
from zerolab.games.catalogue import GAMES, make_game
from zerolab.games.clobber import CANNIBAL, Clobber
from zerolab.games.graph_clobber import GraphClobber
from zerolab.games.position import Position
from zerolab.interfaces.cli import main
from zerolab.interfaces.commands.play import play
from zerolab.kernels.rng import stream

MOST_BYTES = 8_000_000  # of all agents together


def test_agents_are_small():
    assert sum(agent.path.stat().st_size for agent in AGENTS.values()) < MOST_BYTES


@pytest.mark.parametrize("name", AGENTS)
def test_every_agent_has_a_player_at_every_level(name):
    agent = AGENTS[name]
    assert agent.game in GAMES
    assert len(agent.levels) == len(LEVELS)
    assert agent.levels[-1] == f"az:{name}@{agent.strength}"
    for level in agent.levels:
        player = make_player(level)
        position = Position.start(make_game(agent.game))
        check_player(player, position.game)
        assert player.choose(position, stream(1)) in position.legal_actions


@pytest.mark.parametrize("size", [(2, 3), (4, 4), (6, 5), (10, 10)])
def test_the_agent_for_clobber_plays_boards_of_any_size(size):
    game = Clobber(*size)
    position = Position.start(game)
    for name in ("az:clobber@4", "net:clobber"):
        assert make_player(name).choose(position, stream(1)) in position.legal_actions


@pytest.mark.parametrize(("size", "is_won"), [((4, 4), True), ((5, 5), False)])
def test_it_knows_who_wins_small_boards(size, is_won):
    """4x4 is won by whoever moves first, which it was never told, and 5x5 by the other."""
    position = Position.start(Clobber(*size))
    evaluate, header = load_evaluator(find_network("clobber"), position.game)
    _, values = evaluate(position.planes(header.encoding)[None])
    assert (values[0] > 0) == is_won


def test_without_a_strength_it_plays_its_best():
    best = make_player(AGENTS["clobber"].levels[-1])
    assert make_player("az:clobber").options == best.options
    assert pinned("az:clobber@100") == "az:clobber@100"
    assert pinned("az:clobber") == "az:clobber"


def test_default_opponents():
    assert default_opponent(Clobber(6, 6)) == "az:clobber@8,temperature=1"
    assert default_opponent(Clobber(6, 6), "best") == "az:clobber@400,exact=18"
    assert agent_for(Clobber(6, 6, CANNIBAL)) is None
    assert default_opponent(Clobber(6, 6, CANNIBAL)) == FALLBACK
    assert default_opponent(GraphClobber()) == FALLBACK
    with pytest.raises(UsageError, match="no agent for graph-clobber"):
        default_opponent(GraphClobber(), "best")


def test_the_command_knows_all_levels():
    level, _ = get_args(inspect.signature(play).parameters["level"].annotation)
    assert get_args(level) == LEVELS


def test_a_level_is_for_the_default_opponent(capsys):
    moves = ("--black", "first", "--size", "2x2")
    main(["play", "clobber", *moves, "--level", "beginner", "--json"])
    assert "mc:1" in capsys.readouterr().out
    for wrong in (["clobber", "--white", "random"], ["tic-tac-toe"]):
        with pytest.raises(SystemExit) as ended:
            main(["play", *wrong, "--level", "best"])
        assert ended.value.code == 2


def test_an_unknown_name_names_the_agents():
    with pytest.raises(UsageError, match="clobber"):
        find_network("clober")


def test_agents_need_no_pytorch():
    program = (
        "import sys\n"
        "from zerolab.games.clobber import Clobber\n"
        "from zerolab.games.position import Position\n"
        "from zerolab.evaluation.players.players import make_player\n"
        "from zerolab.kernels.rng import stream\n"
        "make_player('az:clobber@2').choose(Position.start(Clobber(3, 3)), stream(1))\n"
        "sys.exit('torch' in sys.modules or 'onnx' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
