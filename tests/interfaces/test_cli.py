"""The command line as programs and people meet it."""

import json
import subprocess
import sys
from xml.etree import ElementTree

import numpy as np
import onnxruntime
import pytest

from tests.clocks import ticking
from zerolab.benchmarks.selfplay_speed import PeerSpeed, SelfPlayBench
from zerolab.games.clobber import Clobber
from zerolab.interfaces import cli
from zerolab.interfaces.cli import main
from zerolab.networks.architectures import NetworkConfig
from zerolab.training.online_learning import OnlineConfig
from zerolab.training.settings.continuous_config import TrainingConfig


def run_json(capsys, *arguments):
    """The one JSON object on standard output."""
    main([*arguments, "--json"])
    return json.loads(capsys.readouterr().out)


def test_match(capsys):
    result = run_json(
        capsys,
        *("match", "clobber", "--size", "6x6", "--black", "first", "--white", "random"),
        *("--games", "1000", "--seed", "1"),
    )
    assert result["games"] == 1000 == result["black_wins"] + result["white_wins"] + result["draws"]
    assert (result["black"], result["white"], result["seed"]) == ("first", "random", 1)
    assert result["game"] == "clobber 6x6"
    assert result["mean_plies"] == pytest.approx(22, abs=1.5)
    low, high = result["interval"]
    assert low < result["black_score"] < high


def test_perft(capsys):
    result = run_json(capsys, "perft", "clobber", "--size", "4x4", "--depth", "4")
    assert result["counts"] == [24, 448, 6380, 67296]


def test_games(capsys):
    result = run_json(capsys, "games")
    assert result["games"]["clobber"]["parameters"]["variant"] == "normal"
    assert "mc:N" in result["players"]


def test_study(capsys):
    result = run_json(capsys, "study", "damhuis-5.3")
    assert len(result["cells"]) == 16
    assert result["complete"]
    assert "damhuis-5.1" in run_json(capsys, "study", "--list")["studies"]


TINY = ("train", "clobber", "--size", "3x3", "--set", "replay_buffer_size=64", "nn_width=4")
TINY += ("nn_depth=1", "max_simulations=8", "batch=4", "train_batch_size=16")
TINY += ("actors=0", "evaluators=0")  # several processes are tried in tests/training/test_kill.py


def test_train_and_resume(capsys, tmp_path):
    run = ("--run", str(tmp_path / "run"))
    first = run_json(capsys, *TINY, *run, "--steps", "2", "--games", "2")
    assert (first["steps"], first["stopped"]) == (2, False)
    assert set(first["ladder"]) == {"with exact leaves", "network and search"}
    assert [level["simulations"] for level in first["ladder"]["with exact leaves"]][:2] == [8, 25]
    again = run_json(capsys, *TINY[:4], *run, "--steps", "3", "--games", "0", "--resume")
    assert (again["steps"], again["ladder"]) == (3, {})
    exam = first["perfect"]["with exact leaves"]
    assert exam["keeps"] == 1  # leaves of 16 stones: all of 3x3 is solved exactly
    assert (exam["mistakes"], again["perfect"]) == (0, {})
    assert (tmp_path / "run" / "plots.png").exists()
    assert again["states"] > first["states"]
    result = run_json(capsys, "export", str(tmp_path / "run"), str(tmp_path / "net.onnx"))
    assert result["game"] == "clobber 3x3"


def test_train_says_what_it_chose_and_how_it_did(capsys, tmp_path):
    main([*TINY, "--run", str(tmp_path / "run"), "--steps", "1", "--games", "2"])
    text = " ".join(capsys.readouterr().out.split())
    assert (
        "network zerolab 4x1, in 8 bits for speed; 8 simulations a move; leaves as hard as" in text
    )
    assert "The ladder" in text


def test_train_in_stages(capsys, tmp_path):
    run = ("--run", str(tmp_path / "run"))
    small = ("nn_model=zerolab", "nn_width=4", "nn_depth=1", "max_simulations=4", "episodes=2")
    settings = ("--set", *small, "epochs=1", "arena_games=2", "iterations=2")
    command = ("train", "clobber", "--size", "3x3", *run)
    first = run_json(capsys, *command, "--preset", "wang", *settings, "--steps", "1")
    assert (first["loop"], first["iterations"]) == ("staged", 1)
    again = run_json(capsys, *command, "--resume")
    assert again["iterations"] == 2
    with pytest.raises(SystemExit):
        main([*command, "--preset", "wang", "--tensorboard"])
    assert "for the continuous loop" in capsys.readouterr().err


def test_event_files(capsys, tmp_path):
    run_json(capsys, *TINY, "--run", str(tmp_path), "--steps", "1", "--games", "0", "--tensorboard")
    assert list((tmp_path / "events").iterdir())


def test_plot(capsys, tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        lines = '{"step": 1, "proven": 0.5}\n{"step": 2, "proven": 0.6}\n{"ste'
        (tmp_path / name / "learner.jsonl").write_text(lines)
    result = run_json(capsys, "plot", str(tmp_path / "one"))
    assert result["runs"] == [str(tmp_path / "one")]
    assert result["graphs"] == 20
    png, svg = (tmp_path / "one" / name for name in ("plots.png", "plots.svg"))
    assert result["files"] == [str(png), str(svg)]
    assert png.read_bytes().startswith(b"\x89PNG")
    assert "<svg" in svg.read_text()
    main(["plot", str(tmp_path / "one"), str(tmp_path / "two"), "--out", f"{tmp_path}/both.pdf"])
    assert (tmp_path / "both.pdf").read_bytes().startswith(b"%PDF")
    assert "1 graphs are in" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["plot", str(tmp_path / "one"), "--x", "time"])
    assert "has no time" in capsys.readouterr().err


def test_network(capsys):
    result = run_json(capsys, "network", "mobile.small.conv.bin", "--game", "go")
    assert result["parameters"] == 970_477
    assert result["trainable"] == 939_725
    assert result["loss"]["value"] == "bce"
    small = run_json(capsys, "network", "resnet", "--size", "4x5", "--width", "8", "--depth", "1")
    assert small["actions"] == 80
    assert sum(layer["parameters"] for layer in small["layers"]) == small["parameters"]


def test_network_that_sees_components(capsys, tmp_path):
    network, model = str(tmp_path / "net.safetensors"), str(tmp_path / "net.onnx")
    small = ("zerolab", "--width", "4", "--depth", "1", "--encoding", "components")
    assert run_json(capsys, "network", *small, "--save", network)["planes"] == 7
    assert run_json(capsys, "export", network, model)["encoding"] == "components"
    with pytest.raises(SystemExit) as stopped:
        main(["network", *small, "--game", "othello"])
    assert stopped.value.code == 2
    assert "components is for ordinary clobber" in capsys.readouterr().err


def test_network_that_sees_ladders(capsys, tmp_path):
    network = str(tmp_path / "net.safetensors")
    small = ("resnet", "--width", "4", "--depth", "1", "--game", "go", "--size", "5x5")
    shown = run_json(capsys, "network", *small, "--encoding", "golois", "--save", network)
    assert (shown["planes"], shown["actions"]) == (21, 26)
    assert run_json(capsys, "export", network, str(tmp_path / "a.onnx"))["encoding"] == "golois"
    # It is the default for Go. Without options either, the network is one of cazenave's.
    assert run_json(capsys, "network", *small, "--options", "komi=0.5")["planes"] == 21
    assert run_json(capsys, "network", *small)["actions"] == 25
    with pytest.raises(SystemExit) as stopped:
        main(["network", *small, "--options", "history=1"])
    assert stopped.value.code == 2
    assert "expected history=4 or more" in capsys.readouterr().err


def test_network_as_a_table(capsys):
    main(["network", "mobile.small", "--game", "go", "--size", "9x9"])
    table = capsys.readouterr().out
    assert "trunk.1-25.expand" in table
    assert "25 x 12,800" in table


def test_export(capsys, tmp_path):
    network, model = tmp_path / "net.safetensors", tmp_path / "net.onnx"
    run_json(capsys, "network", "conv2d", "--size", "3x4", "--width", "4", "--save", str(network))
    result = run_json(capsys, "export", str(network), str(model))
    assert result["input_shape"] == [3, 3, 4]
    session = onnxruntime.InferenceSession(model.read_bytes())
    logits, values = session.run(None, {"planes": np.zeros((2, 3, 3, 4), np.float32)})
    assert (logits.shape, values.shape) == ((2, 48), (2,))


def test_export_for_another_size_or_rules(capsys, tmp_path):
    network, model = str(tmp_path / "net.safetensors"), str(tmp_path / "net.onnx")
    small = ("--width", "4", "--depth", "1", "--save", network)
    run_json(capsys, "network", "zerolab", "--size", "3x4", *small)
    assert run_json(capsys, "export", network, model, "--size", "5x6")["actions"] == 120
    rules = "examples/snort.py"
    run_json(capsys, "network", "mlp", "--game", rules, *small)
    with pytest.raises(SystemExit):
        main(["export", network, model])
    assert "snort.py; name it as game" in " ".join(capsys.readouterr().err.split())
    assert run_json(capsys, "export", network, model, "--game", rules)["game"].startswith("snort")


@pytest.mark.parametrize("rounded", [(), ("--int8",)])
def test_export_for_any_size(capsys, tmp_path, rounded):
    network, model = str(tmp_path / "net.safetensors"), str(tmp_path / "net.onnx")
    run_json(capsys, "network", "zerolab", "--size", "4x4", "--width", "4", "--save", network)
    result = run_json(capsys, "export", network, model, "--any-size", *rounded)
    assert result["input_shape"] == [3, None, None]
    assert result["int8"] == bool(rounded)
    for size in ("3x3", "5x4"):
        moves = ("--black", f"net:{model}", "--white", f"az:{model}@4", "--games", "2")
        assert run_json(capsys, "match", "clobber", "--size", size, *moves)["games"] == 2


def test_a_network_of_one_size_has_no_model_for_any(capsys, tmp_path):
    network, model = tmp_path / "net.safetensors", tmp_path / "net.onnx"
    run_json(capsys, "network", "conv2d", "--size", "4x4", "--width", "4", "--save", str(network))
    with pytest.raises(SystemExit):
        main(["export", str(network), str(model), "--any-size"])
    assert "fits any size" in " ".join(capsys.readouterr().err.split())
    assert not model.exists()


def test_what_needs_pytorch_says_so(monkeypatch, capsys):
    def missing(*_):
        raise ModuleNotFoundError("No module named 'torch'", name="torch")

    monkeypatch.setattr("zerolab.interfaces.views.network_view.show_network", missing)
    with pytest.raises(SystemExit) as stop:
        main(["network", "mlp"])
    assert stop.value.code == 2
    assert "this needs torch; install it with pip install" in capsys.readouterr().err


def test_ctrl_c_is_told_to_the_shell(monkeypatch, capsys):
    """130 is what shells expect of a program that SIGINT has ended."""

    def stop():
        raise KeyboardInterrupt

    monkeypatch.setitem(cli.COMMANDS, "games", stop)
    with pytest.raises(SystemExit) as ended:
        main(["games"])
    assert ended.value.code == 130
    assert capsys.readouterr().err == "zerolab: stopped\n"


def test_a_missing_module_of_our_own_is_a_bug_and_shown_as_one(monkeypatch):
    def fail():
        raise ModuleNotFoundError("No module named 'zerolab.nothing'", name="zerolab.nothing")

    monkeypatch.setitem(cli.COMMANDS, "games", fail)
    with pytest.raises(ModuleNotFoundError):
        main(["games"])


def test_bench_cold(monkeypatch, capsys):
    from zerolab.benchmarks import cold_starts as bench_cold
    from zerolab.benchmarks.cold_starts import ColdStart

    monkeypatch.setattr(bench_cold, "bench_cold", lambda told: [ColdStart("solve", 15.25, 14, 1)])
    main(["bench", "cold"])
    assert "│ solve   │      15.2 │           14.0 │        1.0 │" in capsys.readouterr().out
    main(["bench", "cold", "--json"])
    start = json.loads(capsys.readouterr().out)["starts"]["solve"]
    assert (start["cold"], start["cold_processor"], start["warm"]) == (15.25, 14, 1)


def test_bench_learning(monkeypatch, capsys):
    from zerolab.benchmarks.learning import kept_memory_speed, precision_speed
    from zerolab.benchmarks.learning import learning_speed as bench_learning
    from zerolab.benchmarks.learning.kept_memory_speed import KeptMemorySpeed
    from zerolab.benchmarks.learning.learning_speed import BRIEFLY, LONG, LearningSpeed
    from zerolab.benchmarks.learning.precision_speed import PrecisionSpeed

    speeds = [LearningSpeed(LONG, 200.0, 4.0), LearningSpeed(BRIEFLY, 150.0, 60.0)]
    asked = []

    def bench(seconds, told):
        asked.append(seconds)
        return 2, speeds

    kept = [KeptMemorySpeed("a0.tiny", 90.0, 60.0)]
    halves = [PrecisionSpeed("jans, 5x5", 20.0, 25.0)]
    monkeypatch.setattr(bench_learning, "bench_learning", bench)
    monkeypatch.setattr(kept_memory_speed, "bench_kept_memory", lambda seconds, told: kept)
    monkeypatch.setattr(precision_speed, "bench_precision", lambda seconds, told: halves)
    main(["bench", "learning"])
    shown = capsys.readouterr().out
    assert "│ spin briefly │  150 │   60 │  40% │" in shown
    assert "│ a0.tiny │          90 │              60 │  1.50 │" in shown
    assert "│ jans, 5x5 │      20 │       25 │  1.25 │" in shown
    main(["bench", "learning", "--seconds", "1.5", "--json"])
    result = json.loads(capsys.readouterr().out)
    further = {"memory kept, a0.tiny": 1.5, "bfloat16, jans, 5x5": 1.25}
    assert result["ratios"] == {"idle": 0.75, "busy": 15.0, **further}
    assert result["busy_processes"] == 2
    assert asked == [4.0, 1.5]


def test_bench_inference(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr("zerolab.benchmarks.inference_speed.BATCHES", (1, 2))
    monkeypatch.setattr("zerolab.benchmarks.inference_speed.DEEP", ())
    networks = {"tiny": NetworkConfig(width=4, depth=1)}
    monkeypatch.setattr("zerolab.benchmarks.inference_speed.NETWORKS", networks)
    plot = tmp_path / "speed.svg"
    result = run_json(capsys, "bench", "inference", "--seconds", "0.01", "--plot", str(plot))
    assert set(result["ratios"]) == {"tiny, batch 1", "tiny, batch 2"}
    assert all(speed["share_of_peak"] > 0 for speed in result["speeds"])
    assert result["refresh_milliseconds"]["tiny"] > 0
    assert result["changes_by_int8"]["tiny"]["policy"] < 0.1
    assert "<svg" in plot.read_text()


def test_bench_selfplay(capsys, monkeypatch):
    tiny = TrainingConfig(nn_width=4, nn_depth=1, max_simulations=4)
    monkeypatch.setattr("zerolab.benchmarks.selfplay_speed.GAME", Clobber(3, 3))
    monkeypatch.setattr("zerolab.benchmarks.selfplay_speed.BATCHES", (2,))
    monkeypatch.setattr("zerolab.benchmarks.selfplay_speed.settings", lambda game: {"jans": tiny})
    monkeypatch.setattr("zerolab.benchmarks.selfplay_speed.process_time", ticking(0.01))
    result = run_json(capsys, "bench", "selfplay", "--seconds", "1")
    assert set(result) == {"ratios", "limits", "speeds", "peer"}
    assert set(result["limits"]) == {"jans, 2 games at once"}
    assert (result["ratios"], result["peer"]) == ({}, None)
    assert result["speeds"][0]["share"] == result["limits"]["jans, 2 games at once"] > 0


def test_bench_selfplay_with_peers(capsys, monkeypatch):
    peer = PeerSpeed("OpenSpiel's Python AlphaZero", 0.5, 3, {"jans": 20.0, "zerolab": 100.0})
    bench = SelfPlayBench([], peer)
    monkeypatch.setattr("zerolab.benchmarks.selfplay_speed.bench_selfplay", lambda *_: bench)
    result = run_json(capsys, "bench", "selfplay", "--peers")
    assert result["ratios"] == {
        "states per second against OpenSpiel, jans": 40.0,
        "states per second against OpenSpiel, zerolab": 200.0,
    }
    assert result["peer"]["is_stand_in"] is False
    main(["bench", "selfplay", "--peers"])
    assert "40x" in capsys.readouterr().out


def test_bench_online(capsys, monkeypatch):
    tiny = ((Clobber(2, 3), OnlineConfig(hidden=(3,))),)
    monkeypatch.setattr("zerolab.benchmarks.learning.online_speed.SETTINGS", tiny)
    asked = []

    def measure(contestants, seconds):
        asked.append(seconds)
        for play in contestants.values():
            play(2)
        return {"ours": 60.0, "peer": 20.0}

    monkeypatch.setattr("zerolab.benchmarks.learning.online_speed.measure", measure)
    result = run_json(capsys, "bench", "online", "--seconds", "0.25")
    assert result["ratios"] == {"clobber 2x3, 3 nodes": 3.0}
    speed = result["games_per_second"]["clobber 2x3, 3 nodes"]
    assert (speed["ours"], speed["peer"]) == (60.0, 20.0)
    assert asked == [0.25]


def test_bench(capsys):
    result = run_json(capsys, "bench", "playouts", "--seconds", "0.05")
    assert set(result["limits"]) == {"clobber 5x5"}
    assert result["ratios"] == {}
    assert all(speed["ours"] > 0 for speed in result["games_per_second"].values())


def test_bench_with_peers(capsys):
    pytest.importorskip("pyspiel")
    result = run_json(capsys, "bench", "playouts", "--peers", "--seconds", "0.05")
    assert len(result["ratios"]) == 6


def test_bench_search(capsys, tmp_path, monkeypatch):
    pytest.importorskip("pyspiel")
    monkeypatch.setattr("zerolab.benchmarks.search_speed.TREE_SIZES", (10, 100))
    plot = tmp_path / "growth.png"
    result = run_json(
        capsys, "bench", "search", "--peers", "--seconds", "0.02", "--plot", str(plot)
    )
    assert len(result["ratios"]) == 10
    assert result["puct_simulations_per_second"] > 0
    assert plot.read_bytes().startswith(b"\x89PNG")


def test_analyze(capsys, tmp_path):
    picture = tmp_path / "tree.svg"
    result = run_json(
        capsys,
        *("analyze", "clobber", "--position", "xoxo|oxox|xo..", "--player", "mcts:2000"),
        *("--tree", str(picture)),
    )
    assert result["proven"]
    assert result["value"] == 1.0
    best = result["candidates"][0]
    assert best["proven"]
    assert best["line"][0] == best["move"]
    assert sum(each["visits"] for each in result["candidates"]) >= 100
    drawing = ElementTree.parse(picture).getroot()
    texts = [element.text for element in drawing.iter("{http://www.w3.org/2000/svg}text")]
    assert "root" in texts
    assert best["move"] in texts


def test_networks_play_and_are_looked_into(capsys, tmp_path):
    network = str(tmp_path / "net.safetensors")
    run_json(capsys, "network", "conv2d", "--size", "3x4", "--width", "4", "--save", network)
    board, name = ("clobber", "--size", "3x4"), f"az:{network}@20"
    result = run_json(
        capsys, "match", *board, "--black", name, "--white", f"net:{network}", "--games", "2"
    )
    assert (result["games"], result["unplayed"], result["black"]) == (2, 0, name)
    result = run_json(capsys, "play", *board, "--black", name, "--white", "random")
    assert result["result"] in ("black wins", "white wins")
    result = run_json(capsys, "analyze", *board, "--player", name)
    assert sum(each["visits"] for each in result["candidates"]) == 19
    with pytest.raises(SystemExit) as ended:
        main(["match", "clobber", "--size", "4x4", "--black", name])
    assert ended.value.code == 2
    assert "a network for clobber 3x4, not for clobber 4x4" in capsys.readouterr().err


def test_an_engine_that_fails_is_one_sentence(capsys):
    engine = f"uci:'{sys.executable}' tests/evaluation/engines/fake_uci.py"
    board = ("clobber", "--size", "3x4")
    result = run_json(
        capsys, "match", *board, "--black", f"{engine}@5ms", "--white", "random", "--games", "2"
    )
    assert result["games"] == 2
    for command in ("play", "match"):
        for name, complaint in [
            (f"{engine} cheat@5ms", "which is not a legal move in xoxo|oxox|xoxo"),
            ("gtp:no-such-engine", "there is no program 'no-such-engine'"),
        ]:
            with pytest.raises(SystemExit) as ended:
                main([command, *board, "--black", name, "--white", "random"])
            assert ended.value.code == 2
            assert complaint in capsys.readouterr().err


def test_tables_for_people(capsys):
    main(["match", "tic-tac-toe", "--games", "10"])
    assert "95 % interval" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["match", "chess"], "'chess' is not a game; expected clobber,"),
        (["match", "clobber", "--size", "5"], "'5' is not a size: expected ROWSxCOLS"),
        (["match", "clobber", "--size", "0x5"], "0x5 is not possible"),
        (["match", "othello", "--size", "4x6"], "Othello boards are square"),
        (["match", "clobber", "--black", "x"], "'x' is not a player; expected random"),
        (["match", "clobber", "--games", "none"], "expected a whole number, 1 or"),
        (["match", "clobber", "--seed", "-1"], "expected a whole number, 0 or"),
        (["match", "clobber", "--options", "k=4"], "'k=4' is not an option of clobber"),
        (["match", "solitaire"], "two-player game"),
        (["play", "clobber", "--position", "xo|oz"], "'z' in row 'oz' is not a cell"),
        (["solve", "clobber", "--memory", "0"], "expected a whole number, 1 or"),
        (["solve", "tic-tac-toe", "--value"], "--value is for clobber"),
        (["solve", "tic-tac-toe", "--threads", "2"], "--threads is for clobber"),
        (["solve", "clobber", "--proof", "p", "--moves"], "cannot be combined with --moves"),
        (["solve", "clobber", "--position", "XQ"], "is not a position of MCGS"),
        (["solve", "clobber", "--size", "5x5", "--value", "--first", "black"], "at most 16 stones"),
        (["solve", "clobber", "--proof", "/nowhere/proof"], "is not a directory"),
        (["solve", "clobber", "--table", "/nowhere/table"], "is not a directory"),
        (["solve", "clobber", "--proof", "p", "--minutes", "-1"], "--minutes -1.0 is not possible"),
        (["solve", "clobber", "--budget", "9"], "--budget is for a --proof"),
        (["verify", "nothing"], "nothing cannot be read: No such file"),
        (["verify", "README.md"], "README.md is not a file of settled positions"),
        (["verify", "proofs/clobber-6x6.txt", "--minutes", "0"], "--minutes 0.0 is not possible"),
        (["verify", "proofs/clobber-6x6.txt", "--seed", "0"], "expected a whole number, 1 or"),
        (["verify", "proofs/clobber-6x6.txt", "--position", "xo"], "has 1 rows, expected 6"),
        (["verify", "proofs/clobber-6x6.txt", "--out", "x"], "open, so there is no proof to write"),
        (["study", "damhuis-9"], "is not a study"),
        (["train", "clobber", "--minutes", "0"], "--minutes 0.0 is not possible"),
        (["train", "solitaire"], "a two-player game"),
        (
            ["train", "clobber", "--set", "speed=1"],
            "'speed=1' is not a setting; expected KEY=VALUE",
        ),
        (["train", "clobber", "--set", "uct_c=fast"], "uct_c: Input should be a valid number"),
        (["train", "clobber", "--resume", "--set", "uct_c=1"], "keeps the settings of the run"),
        (["train", "clobber", "--resume", "--run", "nowhere"], "nowhere holds no run"),
        (["train", "clobber", "--run", "README.md"], "README.md cannot be created"),
        (["network", "nope"], "'nope' is not a network; expected mlp"),
        (["network", "resnet", "--width", "0"], "expected a whole number, 1 or more"),
        (["network", "resnet", "--width", "99999"], "parameters is not possible"),
        (["network", "resnet", "--width", "1000000"], "less than or equal to 100000"),
        (["network", "wang", "--depth", "1"], "wang: 2 unpadded convolutions of 1"),
        (["network", "mlp", "--save", "x.md"], "expected a name that ends in .safetensors"),
        (["network", "mlp", "--game", "go", "--options", "a=1"], "'a=1' is not an option of go"),
        (["export", "docs", "x.onnx"], "docs holds no network"),
        (["network", "wang", "--size", "4x4"], "expected 5x5 or more"),
        (["network", "a0.small", "--game", "go", "--size", "0x3"], "expected 1x1 to 26x26"),
        (["network", "a0.small", "--game", "go", "--save", "x"], "no pass and are not saved"),
        (["network", "mobile.small.conv.bin", "--game", "graph-clobber"], "needs a board of rows"),
        (["export", "nowhere.safetensors", "x.onnx"], "nowhere.safetensors cannot be read"),
        (["export", "pyproject.toml", "x.onnx"], "is not a network or checkpoint of zerolab"),
        (["export", "nowhere.safetensors", "x.txt"], "expected a name that ends in .onnx"),
        (["study"], "no study is named"),
        (["plot"], "no run is named; name its directory"),
        (["plot", "nowhere"], "there is no directory 'nowhere'"),
        (["plot", "docs"], "docs holds no run: there is no learner.jsonl"),
        (["plot", "docs", "--x", "moves"], "invalid choice 'moves'"),
        (["perft", "nothing.py"], "there is no file of rules"),
        (["bench", "playouts", "--seconds", "0"], "expected more than 0"),
        (["bench", "search", "--plot", "x.txt"], "expected a name that ends in .png"),
        (
            ["analyze", "clobber", "--player", "mc:10"],
            "has no search tree to show",
        ),
        (["analyze", "clobber", "--position", "x.|.."], "the game is over in this position"),
        (["analyze", "clobber", "--tree", "x.gif"], "expected a name that ends in .svg or .dot"),
        (["analyze", "clobber", "--tree", "no/x.svg"], "there is no directory 'no'"),
        (["nonsense"], "nonsense"),
    ],
)
def test_a_wrong_argument_gets_a_sentence_and_code_2(capsys, arguments, complaint):
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    error = capsys.readouterr().err
    assert complaint in " ".join(error.replace("│", " ").split())
    assert "Traceback" not in error


def test_version_and_help(capsys):
    main(["--version"])
    assert capsys.readouterr().out.startswith("zerolab 0.")
    with pytest.raises(SystemExit) as stop:
        main(["match", "--help"])
    assert stop.value.code == 0
    assert "Example: zerolab match" in capsys.readouterr().out


def test_help_loads_nothing_heavy():
    code = (
        "import sys\n"
        "from zerolab.interfaces.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'numba', 'numpy', 'torch', 'matplotlib', 'pyspiel'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def test_a_closed_pipe_is_no_error():
    command = f"{sys.executable} -m zerolab games --json | head -c 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)
    assert "Traceback" not in done.stderr
