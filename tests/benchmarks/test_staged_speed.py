"""The staged loop and its peer, shrunken; the peer is a stand-in with the same interface."""

import importlib
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from tests.clocks import ticking
from zerolab.benchmarks import staged_speed
from zerolab.benchmarks.inference_speed import random_batch
from zerolab.benchmarks.peers import alpha_zero_general
from zerolab.benchmarks.peers.alpha_zero_general import Driver, PeerProcess, serve
from zerolab.benchmarks.staged_speed import Contest, PeerCommand, bench_staged
from zerolab.errors import UsageError
from zerolab.games.othello import Othello
from zerolab.interfaces.cli import main
from zerolab.training.settings.staged_config import StagedConfig
from zerolab.training.steps import COMPARING, LEARNING, PLAYING

TICK = 1 / 64  # seconds; sums of it are exact
GAME = Othello(4, 4)
TINY = StagedConfig(
    nn_model="zerolab",
    nn_width=4,
    nn_depth=1,
    max_simulations=6,
    episodes=12,
    epochs=1,
    arena_games=2,
)

# A game of counting: each move adds 1 to 3, and who reaches `n` has won.
RULES = """
import numpy as np
from utils import LOG

class OthelloGame:
    def __init__(self, n):
        self.n = n
    def getInitBoard(self):
        LOG.append("begin")
        return np.zeros(1, int)
    def getActionSize(self):
        return 4
    def getNextState(self, board, player, action):
        LOG.append(int(action))
        return board + action + 1, -player
    def getValidMoves(self, board, player):
        return np.array([1, 1, 1, 0])
    def getGameEnded(self, board, player):
        return -1 if abs(board[0]) >= self.n else 0
    def getCanonicalForm(self, board, player):
        return board
"""
NETWORK = """
from types import SimpleNamespace
args = SimpleNamespace(num_channels=512, cuda=True)

class NNetWrapper:
    def __init__(self, game):
        print("made of", args.num_channels, "channels")
        self.channels, self.cuda = args.num_channels, args.cuda
"""
SEARCH = """
from utils import LOG

class MCTS:
    def __init__(self, game, nnet, args):
        self.game, self.nnet, self.args = game, nnet, args
    def getActionProb(self, board, temp=1):
        LOG.append((self.args.numMCTSSims, self.args.cpuct, temp, self.nnet.channels))
        assert not self.nnet.cuda
        return [0.5, 0.0, 0.5, 0.0] if temp else [1, 0, 0, 0]
"""
TORCH = """
def set_num_threads(count):
    assert count == 1
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    files = {
        "MCTS.py": SEARCH,
        "utils.py": "LOG = []",
        "torch.py": TORCH,
        "othello/__init__.py": "",
        "othello/OthelloGame.py": RULES,
        "othello/pytorch/__init__.py": "",
        "othello/pytorch/NNet.py": NETWORK,
    }
    for name, text in files.items():
        path = tmp_path / "checkout" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return tmp_path / "checkout"


def order(checkout: Path) -> dict[str, object]:
    settings = {"size": 9, "channels": 16, "simulations": 5, "exploration": 0.5}
    return {"checkout": str(checkout), "threshold": 3, "opening": 2, **settings}


@pytest.fixture
def log(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[object]]:
    """What the stand-in was asked for, in this process."""
    monkeypatch.syspath_prepend(str(checkout))
    torch = SimpleNamespace(set_num_threads=lambda count: None)
    monkeypatch.setitem(sys.modules, "torch", torch)  # threads of other tests stay as they are
    yield importlib.import_module("utils").LOG
    for name in ("MCTS", "utils"):
        sys.modules.pop(name, None)
    for name in [name for name in sys.modules if name.split(".")[0] == "othello"]:
        del sys.modules[name]


def test_the_peer_plays_games_like_its_own_trainer(checkout: Path, log: list[object]) -> None:
    driver = Driver(**order(checkout))
    assert sum(driver.move() for _ in range(60)) == 60 * 5
    searches = [each for each in log if isinstance(each, tuple)]
    assert {(each[0], each[1], each[3]) for each in searches} == {(5, 0.5, 16)}
    games: list[list[object]] = []
    for each in log:
        if each == "begin":
            games.append([])
        else:
            games[-1].append(each)
    assert len(games) > 10
    openings = []
    for game in games[:-1]:
        steps = [each for each in game if isinstance(each, int)]
        assert sum(step + 1 for step in steps) >= 9 > sum(step + 1 for step in steps[:-1])
        first = next((place for place, each in enumerate(game) if isinstance(each, tuple)), None)
        openings.append(first)
        if first is not None:
            temperatures = [each[2] for each in game if isinstance(each, tuple)]
            assert temperatures == ([1, 1] + [0] * 9)[: len(temperatures)]
    assert set(openings) == {0, 1, 2}


def test_a_slice_lasts_as_long_as_asked(
    checkout: Path, log: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(alpha_zero_general.time, "process_time", ticking(TICK))
    answers = io.StringIO()
    serve(order(checkout), io.StringIO(f"0.0\n{3 * TICK}\n"), answers)
    found = [json.loads(line) for line in answers.getvalue().splitlines()]
    assert found == [[5, TICK], [15, 3 * TICK]]
    assert len([each for each in log if isinstance(each, tuple)]) == 4


def test_the_peer_in_a_process_of_its_own(checkout: Path) -> None:
    settings = order(checkout)
    settings.pop("checkout")
    with PeerProcess(checkout, Path(sys.executable), settings) as peer:
        assert (peer.simulations, peer.seconds) == (0, 0.0)
        peer.play(0.0)
        peer.play(0.0)
        assert peer.simulations == 10
        peer.seconds = 4.0
        assert peer.speed == 2.5
        process = peer._process
    assert process.returncode is not None


def test_simulations_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without proofs, as in the first moves of 6x6, every move takes as many as it was given."""
    monkeypatch.setattr(staged_speed, "OPENING", 0)
    contest = Contest(TINY.changed(episodes=10, max_simulations=5))
    (one, two) = contest._shares
    while min(one.moves, two.moves) < 1:
        one.round()
        two.round()
    for share in (one, two):
        under_way = int(share.search.trees.visits[:, 0].sum())
        assert share.simulations == 5 * share.moves + under_way


def test_simulations_of_proven_positions_are_fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(staged_speed, "GAME", GAME)
    contest = Contest(TINY.changed(max_simulations=50, episodes=5))
    (share,) = contest._shares
    while share.moves < 40:
        share.round()
    assert 0 < share.simulations < 50 * share.moves


def test_time_is_that_of_self_play(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(staged_speed, "GAME", GAME)
    contest = Contest(TINY)
    monkeypatch.setattr(staged_speed, "process_time", ticking(TICK))
    contest.play(3 * TICK)
    contest.play(2 * TICK)
    assert contest.seconds == 5 * TICK
    assert contest.speed == (contest._simulations - contest._first) / (5 * TICK) > 0
    assert 0 <= contest.hit_rate < 1


def test_the_rounded_network_is_another_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(staged_speed, "GAME", GAME)
    planes = random_batch(GAME, 8, TINY.encoding).planes
    plain, rounded = (
        Contest(TINY.changed(int8=int8))._shares[0].search.evaluate(planes)
        for int8 in (False, True)
    )
    assert not np.array_equal(plain[0], rounded[0])
    np.testing.assert_allclose(plain[0], rounded[0], atol=0.2)


@pytest.fixture
def shrunken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(staged_speed, "GAME", GAME)
    monkeypatch.setattr(staged_speed, "CHANNELS", (4, 8))
    monkeypatch.setattr(staged_speed, "CONFIG", TINY)
    monkeypatch.setattr(staged_speed, "SMALL", TINY)
    monkeypatch.setattr(staged_speed, "process_time", ticking(TICK))


@pytest.mark.usefixtures("shrunken")
def test_ours_alone() -> None:
    seen: list[tuple[int, int]] = []
    speeds = bench_staged(None, 4 * TICK, lambda done, total: seen.append((done, total)))
    assert [speed.channels for speed in speeds] == [4, 8]
    assert seen == [(done, 6) for done in range(1, 7)]
    for speed in speeds:
        assert speed.simulations > 0
        assert speed.rounded > 0
        assert (speed.peer, speed.ratio, speed.rounded_ratio) == (None, None, None)
        for stages in (speed.one_core, speed.all_cores):
            assert list(stages) == [PLAYING, LEARNING, COMPARING]


@pytest.mark.usefixtures("shrunken")
def test_ours_beside_the_peer(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float] = []

    def play(self: PeerProcess, seconds: float) -> None:
        asked.append(seconds)
        self.simulations += 32
        self.seconds += 1.0

    monkeypatch.setattr(PeerProcess, "play", play)
    command = PeerCommand(checkout, Path(sys.executable))
    speeds = bench_staged(command, 1.0, lambda done, total: None)
    assert asked == [0.5, 0.5] * 2  # by turns with ours, until both have had a second
    for speed in speeds:
        assert speed.peer == 32
        assert speed.ratio == speed.simulations / 32
        assert speed.rounded_ratio == speed.rounded / 32


@pytest.mark.usefixtures("shrunken")
def test_the_command(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    peer = ["--alpha-zero-general", str(checkout), "--alpha-zero-general-python", sys.executable]
    main(["bench", "staged", *peer, "--seconds", "0.001", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert set(found["ratios"]) == {
        f"simulations per second against alpha-zero-general, {channels} channels{form}"
        for channels in (4, 8)
        for form in ("", ", 8 bits")
    }
    plain, rounded, *_ = found["ratios"].values()
    first = found["speeds"][0]
    assert plain == first["simulations"] / first["peer"]
    assert rounded == first["rounded"] / first["peer"]
    main(["bench", "staged", "--seconds", "0.001"])
    text = capsys.readouterr().out
    assert "othello 4x4" in text
    assert "comparing" in text


@pytest.mark.usefixtures("shrunken")
def test_what_is_wrong_with_the_peer_is_said(checkout: Path, tmp_path: Path) -> None:
    def run(checkout: Path, python: Path = Path(sys.executable)) -> None:
        bench_staged(PeerCommand(checkout, python), 1.0, lambda done, total: None)

    with pytest.raises(UsageError, match=r"nowhere is no checkout of alpha-zero-general: no MCTS"):
        run(tmp_path / "nowhere")
    with pytest.raises(UsageError, match=r"nothing cannot be started: No such file"):
        run(checkout, tmp_path / "nothing")
    (checkout / "MCTS.py").write_text("raise AttributeError('no tostring')", "utf-8")
    with pytest.raises(UsageError, match=r"does not play with .*: AttributeError: no tostring$"):
        run(checkout)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["staged", "--alpha-zero-general", "/nowhere"], "no checkout of alpha-zero-general"),
        (["staged", "--peers"], "--alpha-zero-general CHECKOUT, which is not given"),
        (["cold", "--alpha-zero-general", "/nowhere"], "is for zerolab bench staged"),
    ],
)
def test_exit_code(arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["bench", *arguments])
    assert stop.value.code == 2
    assert sentence in capsys.readouterr().err
