import contextlib
import json
import signal
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.training.test_continuous import TINY as CONTINUOUS
from tests.training.test_loop import FIELDS
from tests.training.test_staged import GAME, TINY, same, weights
from zerolab.errors import UsageError
from zerolab.games.base import step
from zerolab.games.boards.stones import initial_state
from zerolab.games.notation import legal_list
from zerolab.games.playing.openings import PLIES
from zerolab.kernels.rng import stream
from zerolab.networks.checkpoints import load_network
from zerolab.training import loop
from zerolab.training.arena import NAMES
from zerolab.training.loop import Limits, make_trainer, train
from zerolab.training.runs.kept_games import ARENA, SELF_PLAY, KeptGame, read_games
from zerolab.training.runs.run_directory import CHECKPOINT, CONFIG, PAUSED, Run, loop_of
from zerolab.training.selfplay.selfplay import GameRecord
from zerolab.training.settings.staged_config import StagedConfig
from zerolab.training.shares import OnRound, Work
from zerolab.training.staged import StagedTrainer
from zerolab.training.steps import (
    COMPARING,
    LEARNING,
    PLAYING,
    Event,
    OnPhase,
    PhaseEvent,
    StepEvent,
)
from zerolab.training.stopping import TimeIsUp


def go_on(
    directory: Path,
    limits: Limits,
    on_phase: OnPhase = lambda phase, share: None,
    config: StagedConfig = TINY,
) -> tuple[Run, StagedTrainer, list[dict[str, Any]]]:
    """Begin a run, or resume it."""
    if directory.exists():
        run = Run.open(directory, GAME)
    else:
        run = Run.create(directory, GAME, config, seed=1)
    trainer = make_trainer(run)
    assert isinstance(trainer, StagedTrainer)
    lines: list[dict[str, Any]] = []

    def on_event(event: Event) -> None:
        if isinstance(event, PhaseEvent):
            on_phase(event.phase, event.share)
        else:
            lines.append(event.line)

    train(run, trainer, limits, on_event)
    return run, trainer, lines


class StopAt:
    """Stops a run when a stage of its second iteration has come so far."""

    def __init__(self, phase: str, share: float, reason: type[BaseException] = TimeIsUp) -> None:
        self._where = phase, share
        self._reason = reason
        self._iteration, self._before = 0, ""

    def __call__(self, phase: str, share: float) -> None:
        self._iteration += phase == PLAYING != self._before
        self._before = phase
        if self._iteration == 2 and phase == self._where[0] and share >= self._where[1]:
            raise self._reason


def test_the_log_has_the_words_of_open_spiel_and_of_stages(tmp_path: Path) -> None:
    run, _, lines = go_on(tmp_path / "run", Limits())
    assert run.read_log() == lines
    assert [line["step"] for line in lines] == [1, 2, 3]  # all iterations that were asked for
    for line in lines:
        assert set(line) >= FIELDS
        assert sum(line["outcomes"]["counts"]) == 6
        assert line["arena"]["wins"] + line["arena"]["draws"] + line["arena"]["losses"] == 4
        assert line["accepted"] in (True, False)
        assert line["loss"]["sum"] == line["epoch_losses"][-1]["total"]
        assert len(line["window"]) == min(2, line["step"])
        for clock in ("stage_seconds", "stage_processor_seconds"):
            assert list(line[clock]) == ["play", "train", "arena"]
            assert all(seconds > 0 for seconds in line[clock].values())
        assert line["stage_processor_seconds"]["train"] == line["learn_processor_seconds"]
        spent, seconds = line["time"], line["stage_seconds"]
        assert spent["selfplay"]["moves"] == line["window"][-1]
        assert (spent["learning"]["seconds"], spent["arena"]["seconds"]) == (
            seconds["train"],
            seconds["arena"],
        )
        assert spent["arena"]["simulations"] > 0
    about = json.loads((run.directory / CONFIG).read_text())
    assert (about["loop"], about["retrain_window"]) == ("staged", 2)


def kept_in(directory: Path) -> list[KeptGame]:
    """The games of a run that can be replayed, those of the arena among them."""
    kept = read_games(directory, GAME)
    assert ARENA in {each.kind for each in kept}
    return kept


def test_games_of_the_arena_are_kept(tmp_path: Path) -> None:
    run, _, lines = go_on(tmp_path / "run", Limits(steps=2))
    kept = read_games(run.directory, GAME)
    assert {each.kind for each in kept} == {SELF_PLAY, ARENA}
    for line in lines:
        played = [e.recorded for e in kept if (e.step, e.kind) == (line["step"], ARENA)]
        assert len(played) == TINY.arena_games == 4
        assert [each.names for each in played] == [NAMES, NAMES[::-1]] * 2
        for one, other in (played[:2], played[2:]):  # an opening, played once with each colour
            assert one.actions[:PLIES] == other.actions[:PLIES]
        assert all(each.position().is_over for each in played)
        won = [each.result == (1.0 if each.names == NAMES else -1.0) for each in played]
        assert sum(won) == line["arena"]["wins"]


def test_a_resumed_run_is_the_run_that_was_not_stopped(tmp_path: Path) -> None:
    _, whole, lines = go_on(tmp_path / "whole", Limits())
    go_on(tmp_path / "parts", Limits(steps=1))
    _, middle, _ = go_on(tmp_path / "parts", Limits(steps=2))
    assert (middle.step, len(middle.replay.sizes)) == (2, 2)
    run, parts, _ = go_on(tmp_path / "parts", Limits())
    assert parts.step == whole.step == 3
    assert same(weights(whole), weights(parts))
    for one, other in zip(whole.replay.samples, parts.replay.samples, strict=True):
        np.testing.assert_array_equal(one, other)
    assert whole.replay.added == parts.replay.added
    assert whole.draw.bit_generator.state == parts.draw.bit_generator.state
    for line, other in zip(lines, run.read_log(), strict=True):
        for field in ("step", "epoch_losses", "arena", "accepted", "window", "total_trajectories"):
            assert line[field] == other[field]
    assert kept_in(tmp_path / "whole") == kept_in(tmp_path / "parts")
    _, _, nothing = go_on(tmp_path / "parts", Limits())
    assert nothing == []


def test_a_run_that_was_killed_repeats_the_iteration(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "run", GAME, TINY, seed=1)
    trainer = StagedTrainer(GAME, TINY, seed=1)

    def stop(event: Event) -> None:
        if isinstance(event, StepEvent):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(run, trainer, Limits(), stop)
    run.log({"step": 2})  # killed between log and checkpoint
    trainer.play()  # or in the middle of the next games
    again, other, lines = go_on(tmp_path / "run", Limits(steps=2))
    assert [line["step"] for line in again.read_log()] == [1, 2]
    assert {each.step for each in kept_in(tmp_path / "run")} == {1, 2}
    _, whole, _ = go_on(tmp_path / "whole", Limits(steps=2))
    assert same(weights(whole), weights(other))
    assert len(lines) == 1


@pytest.mark.parametrize("share", [0.0, 0.4])
@pytest.mark.parametrize("phase", [LEARNING, COMPARING])
def test_a_run_stopped_in_an_iteration_goes_on_to_the_bit(
    tmp_path: Path, phase: str, share: float
) -> None:
    _, whole, lines = go_on(tmp_path / "whole", Limits())
    run, stopped, first = go_on(tmp_path / "parts", Limits(), StopAt(phase, share))
    assert (stopped.step, len(first)) == (1, 1)  # what is half-done does not count
    assert len(run.read_log()) == 1
    assert (run.directory / PAUSED).exists()
    run, parts, _ = go_on(tmp_path / "parts", Limits())
    assert not (run.directory / PAUSED).exists()
    assert same(weights(whole), weights(parts))
    for line, other in zip(lines, run.read_log(), strict=True):
        for field in ("step", "epoch_losses", "arena", "accepted", "window", "total_trajectories"):
            assert line[field] == other[field]
        # What was searched before it stopped counts too.
        counted, again = line["time"], other["time"]
        assert counted["selfplay"]["simulations"] == again["selfplay"]["simulations"]
        assert counted["arena"]["simulations"] == again["arena"]["simulations"]
    assert kept_in(tmp_path / "whole") == kept_in(tmp_path / "parts")
    assert whole.draw.bit_generator.state == parts.draw.bit_generator.state


@pytest.mark.parametrize("share", [0.0, 0.8])
def test_games_that_were_stopped_are_played_to_their_end(tmp_path: Path, share: float) -> None:
    _, stopped, _ = go_on(tmp_path / "run", Limits(), StopAt(PLAYING, share))
    over, under_way = len(stopped.iteration.records), len(stopped.iteration.unfinished)
    assert over == 0 if share == 0 else 0 < over < TINY.episodes
    assert under_way == min(TINY.batch, TINY.episodes - over)
    under_way_games = [record.states[:-1].tobytes() for record in stopped.iteration.unfinished]
    seen: list[GameRecord] = []

    def listen(event: Event) -> None:
        if event[0] == LEARNING and not seen:
            seen.extend(trainer.iteration.records)

    run = Run.open(tmp_path / "run", GAME)
    trainer = make_trainer(run)
    train(run, trainer, Limits(), listen)
    assert len(seen) == TINY.episodes
    for kept, record in zip(stopped.iteration.records, seen, strict=False):
        np.testing.assert_array_equal(kept.policies, record.policies)
    after = [record.states.tobytes() for record in seen[over:]]
    assert all(any(game.startswith(part) for game in after) for part in under_way_games)
    for record in seen:
        state = initial_state(GAME, stream(0))
        for kept, action in zip(record.states, record.actions, strict=True):
            np.testing.assert_array_equal(kept, state)
            step(GAME, state, action)
        assert legal_list(GAME, state) == []
        assert record.results[-1] == 1.0  # in Clobber whoever moves last has won
    lines = run.read_log()
    assert [line["game_length"]["num"] for line in lines] == [6, 6, 6]
    assert sum(line["batch_size"]["num"] for line in lines) > 0


def a_few_rounds(works: Sequence[Work], on_round: OnRound) -> None:
    """Stop shares at different moments, as threads are."""
    for number, work in enumerate(works):
        rounds = iter(range(14 + 4 * number))
        with contextlib.suppress(StopIteration):
            work(lambda left=rounds: next(left))
    raise TimeIsUp


def test_games_of_several_shares_are_played_to_their_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = TINY.changed(episodes=20, batch=17, shares=3, iterations=1)
    with monkeypatch.context() as patch:
        patch.setattr("zerolab.training.staged.work_side_by_side", a_few_rounds)
        _, stopped, lines = go_on(tmp_path / "run", Limits(), config=config)
        first = stopped.iteration
        # Twice: a run that goes on deals out anew what is under way.
        _, stopped, _ = go_on(tmp_path / "run", Limits())
    second = stopped.iteration
    assert lines == []
    assert 0 < len(first.records) <= len(second.records) < 20
    begun = len(first.records) + len(first.unfinished)
    assert 17 <= begun <= 20  # at once, and in all
    seen: list[GameRecord] = []

    def listen(phase: str, share: float) -> None:
        if phase == LEARNING and not seen:
            seen.extend(trainers[0].iteration.records)

    trainers: list[StagedTrainer] = []
    monkeypatch.setattr(loop, "StagedTrainer", keeping(trainers))
    _, _, (line,) = go_on(tmp_path / "run", Limits(), listen)
    assert line["game_length"]["num"] == len(seen) == 20
    for kept, record in zip(second.records, seen, strict=False):
        np.testing.assert_array_equal(kept.policies, record.policies)
    after = [record.states.tobytes() for record in seen[len(second.records) :]]
    for part in second.unfinished:
        assert any(game.startswith(part.states[:-1].tobytes()) for game in after)
    for record in seen:
        assert record.results[-1] == 1.0


def keeping(trainers: list[StagedTrainer]) -> Callable[..., StagedTrainer]:
    """Makes trainers, and keeps them."""

    def make(*arguments: Any) -> StagedTrainer:
        trainers.append(StagedTrainer(*arguments))
        return trainers[-1]

    return make


def test_an_arena_of_several_shares_goes_on_to_the_bit(tmp_path: Path) -> None:
    config = TINY.changed(episodes=20, batch=17, shares=3, arena_games=16, iterations=2)
    _, whole, lines = go_on(tmp_path / "whole", Limits(), config=config)
    stop = StopAt(COMPARING, 0.0)
    _, stopped, _ = go_on(tmp_path / "parts", Limits(), stop, config)
    assert stopped.step == 1
    run, parts, _ = go_on(tmp_path / "parts", Limits())
    assert same(weights(whole), weights(parts))
    assert [line["arena"] for line in lines] == [line["arena"] for line in run.read_log()]


def test_runs_from_before_there_were_shares_have_one(tmp_path: Path) -> None:
    path = Run.create(tmp_path / "run", GAME, TINY, seed=1).directory / CONFIG
    about = json.loads(path.read_text())
    assert about.pop("shares") == 4
    path.write_text(json.dumps(about))
    assert Run.open(tmp_path / "run", GAME).config == TINY.changed(shares=1)


def test_ctrl_c_stops_where_nothing_is_lost(tmp_path: Path) -> None:
    def interrupt(phase: str, share: float) -> None:
        if phase == COMPARING and share > 0:
            signal.raise_signal(signal.SIGINT)

    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        go_on(tmp_path / "run", Limits(), interrupt)
    assert signal.getsignal(signal.SIGINT) is before
    assert (tmp_path / "run" / PAUSED).exists()
    _, whole, _ = go_on(tmp_path / "whole", Limits())
    _, parts, _ = go_on(tmp_path / "run", Limits())
    assert same(weights(whole), weights(parts))


def test_time_that_is_up_stops_any_stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock is the test's: it stands still, and then an hour has passed."""
    clock = iter([0.0] * 12)
    monkeypatch.setattr(loop.time, "monotonic", lambda: next(clock, 3600.0))
    run, trainer, lines = go_on(tmp_path / "run", Limits(seconds=60))
    assert (lines, trainer.step, run.seconds) == ([], 0, 3600.0)
    assert len(trainer.iteration.records) < TINY.episodes
    assert trainer.iteration.unfinished
    again = Run.open(tmp_path / "run", GAME)
    make_trainer(again)
    assert again.seconds == 3600.0  # the time of an iteration that was stopped counts


def test_an_iteration_of_another_step_is_left_alone(tmp_path: Path) -> None:
    """As when a run was killed between the checkpoint and the end of that file."""
    run, trainer, _ = go_on(tmp_path / "run", Limits(), StopAt(LEARNING, 0.4))
    path = run.directory / PAUSED
    old = path.read_bytes()
    path.write_bytes(old[:-8])
    with pytest.raises(UsageError, match=r"only part of one|is damaged"):
        run.restore(trainer)
    path.write_bytes(old)
    go_on(tmp_path / "run", Limits(steps=2))
    path.write_bytes(old)
    trainer = StagedTrainer(GAME, TINY, run.seed)
    run.restore(trainer)
    assert trainer.iteration.candidate is None


def test_the_last_network_is_kept(tmp_path: Path) -> None:
    run, trainer, _ = go_on(tmp_path / "run", Limits(steps=2))
    network, header = load_network(run.directory / "network-000002.safetensors")
    assert header.step == 2
    assert network.config == TINY.recipe.network
    mine = trainer.learner.network.state_dict()
    assert all((mine[name] == each).all() for name, each in network.state_dict().items())


def test_loops_are_not_confused(tmp_path: Path) -> None:
    Run.create(tmp_path / "staged", GAME, TINY, seed=1)
    Run.create(tmp_path / "continuous", GAME, CONTINUOUS, seed=1)
    assert Run.open(tmp_path / "staged", GAME).config == TINY
    assert Run.open(tmp_path / "continuous", GAME).config == CONTINUOUS
    assert loop_of(tmp_path / "staged") == "staged"
    assert loop_of(tmp_path / "continuous") == loop_of(tmp_path / "nowhere") == "continuous"
    path = tmp_path / "continuous" / CONFIG
    about = json.loads(path.read_text())
    del about["loop"]  # as before there were two
    path.write_text(json.dumps(about))
    assert Run.open(tmp_path / "continuous", GAME).config == CONTINUOUS
    path.write_text(json.dumps(about | {"loop": "endless"}))
    with pytest.raises(UsageError, match="damaged or of another version"):
        Run.open(tmp_path / "continuous", GAME)


def test_damaged_files_get_a_sentence(tmp_path: Path) -> None:
    run, _, _ = go_on(tmp_path / "run", Limits(steps=1))
    config, checkpoint = run.directory / CONFIG, run.directory / CHECKPOINT
    about = json.loads(config.read_text())
    config.write_text(json.dumps(about | {"epochs": 0}))
    with pytest.raises(UsageError, match="epochs: Input should be"):
        Run.open(run.directory, GAME)
    checkpoint.write_bytes(checkpoint.read_bytes()[:-1])
    with pytest.raises(UsageError, match=r"only part of one|is damaged"):
        run.restore(StagedTrainer(GAME, TINY, seed=1))
