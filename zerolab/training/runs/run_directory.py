"""The directory of a run: its configuration, its log, and everything needed to resume it.

    config.json               OpenSpiel's names and ours
    learner.jsonl             a line for each step, OpenSpiel's fields and ours
    games.jsonl               a few games of each step (kept_games.py)
    checkpoint.safetensors    weights, optimizer, counters, random numbers, names of segments
    replay-000012.safetensors    a segment: samples that came in one step
    network-000010.safetensors   the network after step 10, alone
    iteration.safetensors     an iteration of the staged loop that was stopped in the middle
    model.onnx                the network that actors play with

Files are replaced atomically. Lines of learner.jsonl for steps after the checkpoint are
dropped when the run is resumed, so that curves do not fork.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from zerolab import __version__
from zerolab.errors import UsageError
from zerolab.files import lock, replacing
from zerolab.games.base import Game
from zerolab.games.catalogue import describe, name_of
from zerolab.games.notation import num_actions
from zerolab.networks.checkpoints import save_network
from zerolab.networks.header import Header, read_metadata
from zerolab.networks.signature import signature_of
from zerolab.search.batched.searching_network import KEPT
from zerolab.training.learner import Arrays
from zerolab.training.runs.evaluations import Measured
from zerolab.training.runs.kept_games import (
    GAMES,
    MOST_A_STEP,
    drop_games,
    keep_games,
    played_game,
)
from zerolab.training.runs.logs import CONFIG, LOG, NETWORK, read_log
from zerolab.training.samples.replay import Replay
from zerolab.training.samples.segments import (
    Segment,
    read_all,
    read_whole,
    remove_others,
    write_new,
)
from zerolab.training.samples.window import Window
from zerolab.training.selfplay.selfplay import GameRecord
from zerolab.training.settings.flat_names import parse_settings
from zerolab.training.settings.loops import CONTINUOUS, LOOPS, RunConfig, loop_name
from zerolab.training.trainer import Trainer
from zerolab.training.weights.starting_weights import load_starting_network

CHECKPOINT = "checkpoint.safetensors"
PAUSED = "iteration.safetensors"
MODEL = "model.onnx"
KEY, PAUSED_KEY = "zerolab-run", "zerolab-iteration"  # of what is no array
REPLAY = "replay."  # began the names of its arrays when they were in the checkpoint
# Settings that were added later, with the values that older runs imply.
LATER: dict[str, object] = {
    "opening_plies": 0,
    "shares": 1,
    "int8": False,
    "nn_weights": None,
    "precision": "float32",
}


class Progress(BaseModel):
    """The numbers of a checkpoint; its tensors are beside them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: int = 2
    game: str
    step: int
    added: int
    """Samples ever added to the buffer."""
    segments: list[Segment] = []
    """The segments whose samples are still in it."""
    total_trajectories: int
    seconds: float
    """Time spent so far."""
    draw: dict[str, Any]
    """State of the generator that draws batches."""
    evaluations: dict[str, list[list[float]]] = {}
    """The last results against each level of the ladder."""
    evaluation_counts: dict[str, int] = {}
    """Games ever played against the ladder."""
    perfect: dict[str, float] | None = None
    """The last comparison with perfect play."""


class Run:
    """A run of either loop in its directory."""

    def __init__(self, directory: Path, game: Game, config: RunConfig, seed: int) -> None:
        self.directory = directory
        self.game = game
        self.config = config
        self.seed = seed
        self.trajectories = 0
        self.seconds = 0.0
        self.compiling: float | None = None
        """Seconds of compiling before it goes on, for the log."""
        self._segments: list[Segment] = []  # those on disk that are needed

    @classmethod
    def create(cls, directory: Path, game: Game, config: RunConfig, seed: int) -> Self:
        """Create a run; a directory that already holds one is an error."""
        check_free(directory)
        load_starting_network(game, config)  # an error must come before there is a directory
        try:
            directory.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"{directory} cannot be created: {error.strerror}") from None
        run = cls(directory, game, config, seed)
        signature = signature_of(game, config.encoding)
        about = {
            "game": describe(game),
            "rules": name_of(game),
            "path": str(directory),
            "seed": seed,
            "loop": loop_name(config),
            "version": __version__,
            "observation_shape": list(signature.input_shape),
            "output_size": signature.actions,
            **config.flat(),
        }
        with replacing(directory / CONFIG) as file:
            file.write(json.dumps(about, indent=2).encode() + b"\n")
        return run

    @classmethod
    def open(cls, directory: Path, game: Game) -> Self:
        """Open the run in a directory; it must be a run of this game."""
        try:
            about = json.loads((directory / CONFIG).read_text("utf-8"))
            name, seed = about["game"], int(about["seed"])
            loop = about.get("loop", CONTINUOUS)  # runs that do not say are continuous
            kind = LOOPS[loop]
            about = LATER | about
            fields = {key: about[key] for key in kind.names()}
        except OSError as error:
            raise UsageError(f"{directory} holds no run: {error.strerror}") from None
        except (ValueError, KeyError, TypeError):
            raise UsageError(f"{directory / CONFIG} is damaged or of another version") from None
        if name != describe(game):
            raise UsageError(f"{directory} holds a run of {name}, not of {describe(game)}")
        return cls(directory, game, parse_settings(kind, fields), seed)

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Lock the run against other processes while the block runs."""
        with (self.directory / "lock").open("wb") as file:
            if not lock(file):
                raise UsageError(f"another process is using {self.directory}")
            yield

    def log(self, fields: dict[str, Any]) -> None:
        """Add a line to the log."""
        try:
            with (self.directory / LOG).open("ab") as file:
                file.write(json.dumps(fields).encode() + b"\n")
        except OSError as error:
            raise UsageError(f"{self.directory / LOG}: {error.strerror}") from None

    def keep_games(self, trainer: Trainer, records: Sequence[GameRecord]) -> None:
        """Keep some games of a step to be replayed: of self-play, and those that judge it."""
        played = [played_game(self.game, each) for each in records[:MOST_A_STEP]]
        judged = list(trainer.judged)
        keep_games(self.directory, trainer.step, played, judged, trainer.judged_by)
        trainer.judged.clear()

    def read_log(self) -> list[dict[str, Any]]:
        """The lines of the log; a truncated last line is left out."""
        return read_log(self.directory)

    def save(self, trainer: Trainer) -> None:
        """Write a checkpoint, and every checkpoint_freq steps the network alone."""
        from safetensors.numpy import save

        self._segments = write_new(self.directory, trainer.replay, self._segments)
        progress = Progress(
            game=describe(self.game),
            step=trainer.step,
            added=trainer.replay.added,
            segments=self._segments,
            total_trajectories=self.trajectories,
            seconds=self.seconds,
            draw=dict(trainer.draw.bit_generator.state),
            evaluations={kind: each.as_lists() for kind, each in trainer.evaluations.items()},
            evaluation_counts={kind: each.count for kind, each in trainer.evaluations.items()},
            perfect=None if trainer.measured is None else trainer.measured.fields,
        )
        with replacing(self.directory / CHECKPOINT) as file:
            file.write(save(trainer.learner.arrays(), {KEY: progress.model_dump_json()}))
        remove_others(self.directory, self._segments)
        (self.directory / PAUSED).unlink(missing_ok=True)
        if trainer.step % self.config.checkpoint_freq == 0:
            self.save_network(trainer)

    def save_paused(self, trainer: Trainer) -> None:
        """Write the unfinished step; the checkpoint before it stays."""
        from safetensors.numpy import save

        arrays, text = trainer.pause(self.seconds)
        with replacing(self.directory / PAUSED) as file:
            file.write(save(arrays, {PAUSED_KEY: text}))

    def save_network(self, trainer: Trainer) -> Path:
        """Write the network alone, as players and `zerolab export` read it."""
        path = self.directory / NETWORK.format(step=trainer.step)
        config = self.config
        search = {name: getattr(config.search, name) for name in KEPT}
        header = Header.of(self.game, config.recipe.network, config.encoding, trainer.step, search)
        save_network(path, trainer.learner.network, header)
        return path

    def restore(self, trainer: Trainer) -> None:
        """Restore a trainer from the checkpoint; without a checkpoint it starts from the
        beginning, with the weights that its settings name.
        """
        for name in (CHECKPOINT, PAUSED, MODEL, LOG, GAMES, "network-*.safetensors"):
            for unfinished in self.directory.glob(f"{name}.*"):  # its writer was killed
                unfinished.unlink()
        if (self.directory / CHECKPOINT).exists():
            self._restore_checkpoint(trainer)
        elif network := load_starting_network(self.game, self.config):
            trainer.begin_with(network)
        if trainer.can_pause and (self.directory / PAUSED).exists():
            self._restore_paused(trainer)
        kept = [entry for entry in self.read_log() if entry["step"] <= trainer.step]
        with replacing(self.directory / LOG) as file:
            file.writelines(json.dumps(entry).encode() + b"\n" for entry in kept)
        drop_games(self.directory, after=trainer.step)

    def _restore_checkpoint(self, trainer: Trainer) -> None:
        from safetensors import SafetensorError
        from safetensors.numpy import load

        path = self.directory / CHECKPOINT
        data = path.read_bytes()
        text = read_metadata(path, data).get(KEY)
        try:
            progress = Progress.model_validate_json(text or "")
            arrays = load(data)
            trainer.learner.restore(arrays)
            self._restore_samples(trainer.replay, progress, arrays)
            trainer.draw.bit_generator.state = progress.draw
            for kind, windows in progress.evaluations.items():
                count = progress.evaluation_counts[kind]
                trainer.evaluations[kind].restore(windows, count)
            trainer.measured = None if progress.perfect is None else Measured(progress.perfect)
        except UsageError:  # a segment
            raise
        except (ValidationError, SafetensorError, KeyError, ValueError, RuntimeError):
            raise UsageError(f"{path} is damaged or of another version") from None
        self.trajectories, self.seconds = progress.total_trajectories, progress.seconds
        self._segments = progress.segments
        remove_others(self.directory, progress.segments)
        trainer.resume(progress.step)

    def _restore_samples(self, replay: Replay | Window, progress: Progress, arrays: Arrays) -> None:
        if REPLAY + "states" in arrays:  # from before there were segments
            whole = {name.removeprefix(REPLAY): array for name, array in arrays.items()}
            parts = read_whole(whole, progress.added)
            replay.restore(parts, progress.added - sum(part.size for part in parts))
            return
        segments = progress.segments
        first = segments[0].first if segments else progress.added
        replay.restore(read_all(self.directory, segments, num_actions(self.game)), first)
        if replay.added != progress.added:
            raise ValueError(f"{replay.added} samples are not the {progress.added} ever added")

    def _restore_paused(self, trainer: Trainer) -> None:
        from safetensors import SafetensorError
        from safetensors.numpy import load

        path = self.directory / PAUSED
        data = path.read_bytes()
        text = read_metadata(path, data).get(PAUSED_KEY)
        try:
            seconds = trainer.go_on(load(data), text or "")
        except (ValidationError, SafetensorError, KeyError, ValueError, RuntimeError, TypeError):
            raise UsageError(
                f"{path} is damaged or of another version; without it the run continues from the "
                "previous iteration"
            ) from None
        if seconds is not None:
            self.seconds = seconds


def check_free(directory: Path) -> None:
    """Raise a UsageError if a run cannot be created there, without creating anything."""
    if directory.exists() and not directory.is_dir():
        raise UsageError(f"{directory} cannot be created: it is a file")
    if (directory / CONFIG).exists():
        raise UsageError(
            f"{directory} already holds a run; continue with --resume, or name another directory"
        )


def loop_of(directory: Path) -> str:
    """The loop of the run in a directory; errors in the run are left to `open`."""
    try:
        about = json.loads((directory / CONFIG).read_text("utf-8"))
        return str(about.get("loop", CONTINUOUS))
    except (OSError, ValueError, AttributeError):
        return CONTINUOUS
