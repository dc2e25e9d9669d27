import json
import shutil
import subprocess
import sys

import numpy as np
import pytest

from tests.clocks import ticking
from tests.networks.making import CONFIGS, make_network, random_planes
from zerolab.errors import UsageError
from zerolab.evaluation.matches.pairs import Seats, plan_pair
from zerolab.evaluation.matches.series import play_series
from zerolab.evaluation.matches.threads import deal
from zerolab.evaluation.perfect.accuracy import player_share
from zerolab.evaluation.perfect.exam_positions import draw_exam
from zerolab.evaluation.players.az import TimedAzPlayer
from zerolab.evaluation.players.names import pinned
from zerolab.evaluation.players.network_file import find_network, load_evaluator
from zerolab.evaluation.players.players import make_player, search_for
from zerolab.evaluation.players.protocol import (
    CanChooseMany,
    PlayerError,
    check_player,
    choose_all,
)
from zerolab.games.base import step
from zerolab.games.boards.stones import OWN, encode, initial_state
from zerolab.games.clobber import Clobber
from zerolab.games.notation import format_move, legal_list, parse_position
from zerolab.games.othello import Othello
from zerolab.games.position import Position
from zerolab.kernels.rng import random_below, random_float, stream
from zerolab.networks.checkpoints import load_network, save_network
from zerolab.networks.header import KEY, Header
from zerolab.networks.onnx_evaluator import OnnxEvaluator
from zerolab.networks.signature import signature_of
from zerolab.networks.torch_evaluator import TorchEvaluator
from zerolab.networks.torch_network import Network

GAME = Clobber(4, 4)
ONE_SIZE, ANY_SIZE = CONFIGS["dense heads"], CONFIGS["resnet none"]


@pytest.fixture(scope="module", name="run")
def _run(tmp_path_factory):
    """A run with networks of steps 10 and 20, a model, and one network that fits any size."""
    directory = tmp_path_factory.mktemp("runs") / "demo"
    directory.mkdir()
    for step_number in (10, 20):
        network = make_network(ONE_SIZE, GAME, seed=step_number)
        header = Header.of(GAME, ONE_SIZE, "own", step=step_number)
        save_network(directory / f"network-{step_number:06}.safetensors", network, header)
    (directory / "model.onnx").write_bytes(network.to_onnx({KEY: header.model_dump_json()}))
    header = Header.of(GAME, ANY_SIZE, "own")
    network = make_network(ANY_SIZE, GAME)
    save_network(directory / "any.safetensors", network, header)
    (directory / "any.onnx").write_bytes(network.to_onnx({KEY: header.model_dump_json()}))
    (directory / "config.json").write_text(json.dumps({"uct_c": 1.25, "urgency": 0.2, "batch": 7}))
    return directory


@pytest.fixture(scope="module", name="states")
def _states():
    """Positions of all stages in which there is a move."""
    found, rng = [], stream(3)
    while len(found) < 70:
        state = initial_state(GAME, rng)
        while legal := legal_list(GAME, state):
            found.append(state.copy())
            step(GAME, state, legal[random_below(rng, len(legal))])
    return found


def many_games():
    """Positions after four random moves, more than fit in a batch."""
    for number in range(70):
        rng = stream(9, number)
        state = initial_state(GAME, rng)
        for _ in range(4):
            legal = legal_list(GAME, state)
            step(GAME, state, legal[random_below(rng, len(legal))])
        yield state


def moves_of(name, states):
    rngs = [stream(5, i) for i in range(len(states))]
    return choose_all(make_player(name), [Position(GAME, state) for state in states], rngs)


@pytest.mark.parametrize("game", [GAME, Clobber(3, 5)])
def test_a_model_for_any_size_rates_the_actions_of_the_board(tmp_path, game):
    network, path = make_network(ANY_SIZE, GAME), tmp_path / "any.onnx"
    header = Header.of(GAME, ANY_SIZE, "own").model_dump_json()
    path.write_bytes(network.to_onnx({KEY: header}, any_size=True))
    evaluate, _ = load_evaluator(path, game)
    resized = Network(ANY_SIZE, signature_of(game))
    resized.load_state_dict(network.state_dict())
    planes = random_planes(game, 8)
    for ours, expected in zip(
        evaluate(planes), TorchEvaluator(resized.eval())(planes), strict=True
    ):
        np.testing.assert_allclose(ours, expected, atol=1e-4)


def test_the_network_of_a_path(run):
    assert find_network(str(run)).name == "network-000020.safetensors"
    assert find_network(f"{run}#10").name == "network-000010.safetensors"
    assert find_network(f"{run}/model.onnx").name == "model.onnx"


def test_all_kinds_of_files_play_alike(run, states):
    newest = moves_of(f"net:{run}", states)
    assert newest == moves_of(f"net:{run}/model.onnx", states)
    assert newest == moves_of(f"net:{run}/network-000020.safetensors", states)
    assert newest == moves_of(f"net:{run}#20", states)
    assert newest != moves_of(f"net:{run}#10", states)


def test_a_network_alone_takes_the_legal_move_with_the_highest_logit(run, states):
    evaluate = TorchEvaluator(make_network(ONE_SIZE, GAME, seed=20))
    for state, move in zip(states, moves_of(f"net:{run}", states), strict=True):
        planes = np.zeros((1, 3, 4, 4), np.float32)
        encode(GAME, state, OWN, planes[0])
        logits = evaluate(planes)[0][0]
        assert move == max(legal_list(GAME, state), key=lambda action: logits[action])


@pytest.mark.parametrize(
    "options", ["", ",exact=8", ",gumbel", ",temperature=1", ",c=0.5", ",vary"]
)
def test_many_positions_at_once_give_the_moves_of_each_alone(run, options):
    # Of one ply: a root that was rated is no leaf of another tree, which might solve it instead.
    states = [state for state in many_games() if len(legal_list(GAME, state)) > 1]
    name = f"az:{run}@12{options}"
    player = make_player(name)
    alone = [player.choose(Position(GAME, state), stream(5, i)) for i, state in enumerate(states)]
    assert moves_of(name, states) == alone
    assert all(move in legal_list(GAME, state) for move, state in zip(alone, states, strict=True))


def test_a_search_of_one_simulation_is_the_network(run, states):
    """Only the root is rated, and nothing is visited: the best prior is the first by visits."""
    assert moves_of(f"az:{run}@2", states[:1]) == moves_of(f"net:{run}", states[:1])


def test_only_a_temperature_draws_lots(run, states):
    state = initial_state(GAME, stream(0))
    seen = {}
    for name in (f"az:{run}@30", f"az:{run}@30,temperature=1"):
        player = make_player(name)
        seen[name] = {player.choose(Position(GAME, state), stream(0, i)) for i in range(30)}
        rng = stream(0)
        player.choose(Position(GAME, state), rng)
        assert (rng[0] != stream(0)[0]) == ("temperature" in name)
    best, drawn = seen.values()
    assert len(best) == 1
    assert len(drawn) > 1


def test_vary_draws_only_between_two_close_moves(run, states):
    name = f"az:{run}@30,vary"
    best, varied = make_player(f"az:{run}@30"), make_player(name)
    both, alone = 0, 0
    for position in (Position(GAME, state) for state in states):
        analysis = search_for(varied, position, stream(0)).analyse()
        if analysis.proven:
            continue
        ranked = [each for each in analysis.candidates if each.value > -1 or not each.proven]
        is_close = len(ranked) > 1 and 2 * ranked[1].visits > ranked[0].visits
        for seed in range(4):
            rng = stream(seed)
            move = varied.choose(position, rng)
            assert (rng[0] != stream(seed)[0]) == is_close
            if not is_close:
                assert move == best.choose(position, stream(seed))
                alone += 1
            else:
                assert move == ranked[random_float(stream(seed)) < 0.5].action
                both += 1
    assert min(both, alone) > 20


def timed(run, limit, tick, options=""):
    """A player whose clock goes on by `tick` whenever it is read."""
    player = make_player(f"az:{run}@{limit}{options}")
    return TimedAzPlayer(player.name, player.path, player.options, ticking(tick))


def test_by_time_a_network_searches_as_much_as_the_time_allows(run, states):
    """In 125 ms there are seven rounds: the clock is read before the first and before each."""
    position = Position(GAME, states[0])
    fixed = make_player(f"az:{run}@7")
    expected = search_for(fixed, position, stream(0)).analyse()
    analysis = search_for(timed(run, "125ms", 1 / 64), position, stream(0)).analyse()
    assert (analysis, analysis.simulations) == (expected, 7)
    chosen = timed(run, "125ms", 1 / 64).choose(position, stream(0))
    assert chosen == fixed.choose(position, stream(0))


def test_by_time_every_position_gets_all_of_it(run):
    positions = [Position(GAME, state) for state in list(many_games())[:3]]
    rngs = [stream(5, i) for i in range(3)]
    fixed = make_player(f"az:{run}@7")
    values = np.concatenate([fixed.rate([each])["search"] for each in positions])
    assert timed(run, "125ms", 1 / 64).rate(positions)["search"] == pytest.approx(values)
    moves = [fixed.choose(each, rngs[0]) for each in positions]
    assert choose_all(timed(run, "125ms", 1 / 64), positions, rngs) == moves


@pytest.mark.parametrize("use", ["choose", "look", "rate"])
def test_by_time_the_clock_runs_only_after_loading_and_compiling(run, monkeypatch, use):
    calls, seen = [], []
    evaluate = OnnxEvaluator.__call__

    def counting(self, planes):
        calls.append(len(planes))
        return evaluate(self, planes)

    def clock():
        seen.append(len(calls))
        return len(seen) / 64

    monkeypatch.setattr(OnnxEvaluator, "__call__", counting)
    named = make_player(f"az:{run}@125ms")
    player = TimedAzPlayer(named.name, named.path, named.options, clock)
    position = Position.start(GAME)
    if use == "rate":
        player.rate([position])
    else:
        getattr(player, use)(position, stream(0))
    assert 0 < seen[0] < seen[-1]
    over = Position.parse(GAME, "x...|....|....|....")
    assert timed(run, "125ms", 1 / 64).look(over, stream(0)).analyse().candidates == []


@pytest.mark.parametrize("other", ["mcts:5", "az:{run}@9,c=2"])
def test_by_time_positions_of_several_games_are_never_searched_together(run, other):
    names = [f"az:{run}@20ms", other.format(run=run)]
    planned = [
        each for pair in range(20) for each in plan_pair(names, 0, 1, pair, Position.start(GAME), 0)
    ]
    assert not isinstance(make_player(names[0]), CanChooseMany)
    if other == "mcts:5":
        assert [len(chunk) for chunk in deal(names, planned)] == [2] * 20
        assert not Seats(GAME, names).plays_side_by_side(planned[0])
    assert play_series(GAME, (names[0], names[1]), 2, seed=1).result.games == 2


def test_by_time_the_tree_has_room_and_the_search_is_puct(run, tmp_path):
    player = make_player(f"az:{run}@20ms")
    config = player.search_in(GAME, 8).network.config
    assert (config.max_simulations, player.search_in(GAME, 8).batch) == (4_000, 1)
    assert (config.uct_c, config.gumbel) == (1.25, False)
    header = Header.of(GAME, ONE_SIZE, "own", 20, {"gumbel": True})
    network, _ = load_network(run / "network-000020.safetensors")
    save_network(tmp_path / "gumbel.safetensors", network, header)
    for limit, gumbel in [("9", True), ("20ms", False), ("9,vary", False)]:
        player = make_player(f"az:{tmp_path}/gumbel.safetensors@{limit}")
        assert player.search_in(GAME, 1).network.config.gumbel is gumbel
    assert make_player(f"az:{run}@1000000ms").options.simulations_in(GAME) == 2**21


def test_names_are_pinned_to_the_network_that_they_mean_now(run, tmp_path):
    copied = tmp_path / "run"
    shutil.copytree(run, copied)
    for name, expected in [
        (f"az:{copied}@9,c=2", f"az:{copied}#20@9,c=2"),
        (f"az:{copied}@50ms,vary", f"az:{copied}#20@50ms,vary"),
        (f"net:{copied}", f"net:{copied}#20"),
        (f"az:{copied}#10@9", f"az:{copied}#10@9"),
        (f"net:{copied}/any.onnx", f"net:{copied}/any.onnx"),
    ]:
        assert pinned(name) == expected
        assert pinned(expected) == expected
        assert make_player(name).path == make_player(expected).path
    for name in ("mcts:100", "uci:x@5ms", "az:", "az:@9", f"az:{copied}", "net:" + "x" * 5000):
        assert pinned(name) == name
    newer = copied / "network-000030.safetensors"
    shutil.copy(copied / "network-000010.safetensors", newer)
    assert make_player(f"az:{copied}#20@9").path != newer
    assert pinned(f"net:{copied}") == f"net:{copied}#30"


@pytest.mark.parametrize(
    "name", ["net:{}", "az:{}@9", "az:{}@9,gumbel", "az:{}@9,temperature=1", "az:{}@9,vary"]
)
def test_warming_up_changes_nothing(run, name):
    fresh, warm = make_player(name.format(run)), make_player(name.format(run))
    position = Position.start(GAME)
    warm.warm_up(position, 8)
    while not position.is_over:
        moves = [
            player.choose_many([position] * 8, [stream(1, i) for i in range(8)])
            for player in (fresh, warm)
        ]
        assert moves[0] == moves[1]
        position = position.play(moves[0][0])


def test_trees_are_made_once_for_all_positions(run):
    player = make_player(f"az:{run}@9")
    position = Position.start(GAME)
    player.warm_up(position, 8)
    search = player.search_in(GAME, 1)
    player.choose_many([position] * 8, [stream(1, i) for i in range(8)])
    assert player.search_in(GAME, 8) is search


def test_settings_come_from_the_run(run):
    player = make_player(f"az:{run}@9")
    config = player.search_in(GAME, 1).network.config
    assert (config.uct_c, config.urgency, config.max_simulations) == (1.25, 0.2, 9)
    assert (config.policy_epsilon, config.encoding, config.gumbel) == (0, "own", False)
    config = make_player(f"az:{run}@9,c=3,gumbel").search_in(GAME, 1).network.config
    assert (config.uct_c, config.urgency, config.gumbel) == (3, 0.2, True)


def test_a_network_moved_elsewhere_plays_the_same(run, tmp_path):
    """Its header says how it searches, whatever lies beside it."""
    search = {"uct_c": 0.7, "urgency": None, "gumbel": True, "gumbel_considered": 3}
    header = Header.of(GAME, ONE_SIZE, "own", 20, search)
    network, _ = load_network(run / "network-000020.safetensors")
    (tmp_path / "config.json").write_text(json.dumps({"uct_c": 9, "urgency": 0.5}))
    save_network(tmp_path / "moved.safetensors", network, header)
    name = f"az:{tmp_path}/moved.safetensors@12"
    config = make_player(name).search_in(GAME, 1).network.config
    assert {key: getattr(config, key) for key in search} == search
    assert (config.max_simulations, config.policy_epsilon) == (12, 0)
    drawn = make_player(f"{name},temperature=1").search_in(GAME, 1).network.config
    assert (drawn.gumbel, drawn.uct_c) == (False, 0.7)


def test_exact_leaves_play_perfectly(run):
    """4x4 is won for Black."""
    name = f"az:{run}@60,exact=16"
    assert play_series(GAME, (name, "mcts:20"), 6, seed=2).result.black_wins == 6
    positions = draw_exam(GAME, 20, 0, seed=1).critical
    assert player_share(positions, make_player(name)).keeps == 1


def test_exact_leaves_follow_from_the_simulations(run):
    """400 nodes are about 1.5^14."""
    player = make_player(f"az:{run}@400,exact")
    assert player.options.exact == (22, 2_000, 0)
    assert player.search_in(GAME, 1).search.oracle.limits.tolist()[:2] == [22, 2_000]


def test_exact_leaves_follow_from_the_time(run):
    """As for mcts:100ms: a twentieth of 40,000 nodes is about 1.5^18."""
    player = make_player(f"az:{run}@100ms,exact")
    assert player.options.exact == make_player("mcts:100ms,exact").limits.exact == (26, 10_000, 0)
    assert player.search_in(GAME, 1).search.oracle.limits.tolist()[:2] == [26, 10_000]


def test_other_sizes_where_the_network_serves_them(run):
    larger = Clobber(5, 3)
    player = make_player(f"az:{run}/any.safetensors@5")
    for game in (larger, GAME, larger):
        check_player(player, game)
        state = initial_state(game, stream(0))
        assert player.choose(Position(game, state), stream(0)) in legal_list(game, state)
    start = Clobber(4, 4, setup="xo..|ox..|....|....")
    check_player(make_player(f"az:{run}@5"), start)


@pytest.mark.parametrize(
    ("path", "game", "complaint"),
    [
        ("", Clobber(5, 5), "a network for clobber 4x4, not for clobber 5x5; only networks with"),
        ("/model.onnx", Clobber(5, 5), "clobber 4x4, not for clobber 5x5; only networks with"),
        ("/any.onnx", Clobber(5, 5), "clobber 4x4, not for clobber 5x5; an .onnx model fits one"),
        ("/any.safetensors", Othello(4, 4), "a network for clobber 4x4, not for othello 4x4"),
        ("/any.onnx", Othello(4, 4), "a network for clobber 4x4, not for othello 4x4"),
        ("/config.json", GAME, "not a network or checkpoint of zerolab"),
    ],
)
@pytest.mark.parametrize("kind", ["az:{}@5", "net:{}"])
def test_a_network_for_something_else_says_so_before_the_game(run, kind, path, game, complaint):
    with pytest.raises(PlayerError, match=complaint):
        check_player(make_player(kind.format(f"{run}{path}")), game)


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("az:{run}", "has no strength: expected az:PATH@N"),
        ("az:{run}@", "'' in .* is not a strength"),
        ("az:{run}@x", "'x' in .* is not a strength"),
        (
            "az:{run}@9,reuse",
            "'reuse' in .* is not an option; expected c=NUMBER, exact, exact=N",
        ),
        ("az:{run}@9,c=-1", "'c=-1' in .* is not an option"),
        ("az:{run}@9,exact=0", "'0' in .* is not a strength"),
        ("az:{run}@9,gumbel,temperature=1", "gumbel cannot be combined with temperature"),
        ("az:{run}@9,gumbel,vary", "vary cannot be combined with gumbel or temperature"),
        ("az:{run}@9,vary,temperature=1", "vary cannot be combined with gumbel or temperature"),
        ("az:{run}@9,vary=1", "'vary=1' in .* is not an option"),
        ("az:{run}@9ms,gumbel", "gumbel divides a number of simulations .* limited by time"),
        ("az:{run}@0ms", "'0' in .* is not a strength"),
        ("az:{run}@ms", "'' in .* is not a strength"),
        ("az:{run}@9s", "'9s' in .* is not a strength"),
        ("az:@9", "there is no network ''; expected the directory of a run"),
        ("az:no/where@9", "there is no network 'no/where'"),
        ("net:", "there is no network ''"),
        ("net:" + "x" * 5000, "there is no network 'xxx"),
        ("net:{run}#30", "holds no network of step 30; there are steps 10, 20"),
        ("net:{run}/..", "holds no network"),
    ],
)
def test_a_wrong_name_says_what_is_allowed(run, name, complaint):
    with pytest.raises(UsageError, match=complaint):
        make_player(name.replace("{run}", str(run)))


def test_a_damaged_model_is_no_traceback(run, tmp_path):
    for name, data in [("cut.onnx", b"ONNX?"), ("cut.safetensors", b"\1\2")]:
        (tmp_path / name).write_bytes(data)
        with pytest.raises(PlayerError, match=name):
            check_player(make_player(f"net:{tmp_path / name}"), GAME)


def test_a_network_that_has_diverged_is_noticed(tmp_path):
    network = make_network(ONE_SIZE, GAME)
    for parameter in network.policy.parameters():
        parameter.data.fill_(float("nan"))
    header = Header.of(GAME, ONE_SIZE, "own")
    save_network(tmp_path / "nan.safetensors", network, header)
    for name in ("net:{}", "az:{}@5"):
        player = make_player(name.format(tmp_path / "nan.safetensors"))
        with pytest.raises(UsageError, match="has diverged"):
            player.choose(Position(GAME, initial_state(GAME, stream(0))), stream(0))


def test_a_model_is_played_without_torch(run):
    program = (
        "import sys; sys.modules['torch'] = None\n"
        "from zerolab.evaluation.matches.series import play_series\n"
        "from zerolab.games.clobber import Clobber\n"
        f"names = 'az:{run}/model.onnx@8', 'net:{run}/model.onnx'\n"
        "print(play_series(Clobber(4, 4), names, 1).result.games)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("1\n", 0), done.stderr


def test_a_forced_move(run):
    game = Clobber(4, 4)
    state = parse_position(game, "xo..|....|....|....", 1)
    for name in (f"az:{run}@3", f"net:{run}"):
        assert (
            format_move(game, make_player(name).choose(Position(game, state), stream(0))) == "b4a4"
        )
