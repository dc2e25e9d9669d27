"""What each part of our training is worth: variants of the preset, trained for the same time.

    ablate(("ours", "own"), Limits(seconds=8 * 60), seed=1)

All variants are judged alike, by the search that our preset plays with: on the ladder and in
critical positions, with exact leaves and without, so that nobody is fooled about what the network
has learnt; and by the network alone.

A study is a sweep over the variants, kept below `runs/ablations`; each run has what was measured in
it. A study that was stopped goes on.
"""

import math
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from zerolab.errors import UsageError
from zerolab.evaluation.perfect.accuracy import measure_network
from zerolab.evaluation.perfect.exam_positions import Exam
from zerolab.experiments.experiment import run_experiment
from zerolab.experiments.judging import EXACT, PLAIN, climb, exam_of, networks_to_judge
from zerolab.experiments.sweeps.asking import GRID
from zerolab.experiments.sweeps.axes import Parameters, Variants
from zerolab.experiments.sweeps.definition import Place, Sweep, open_sweep
from zerolab.experiments.sweeps.findings import summarise
from zerolab.experiments.sweeps.workers import OnProgress, run_to_the_end
from zerolab.files import replacing
from zerolab.games.clobber import Clobber
from zerolab.studies.report import Report
from zerolab.training.loop import Limits
from zerolab.training.runs.run_directory import Run
from zerolab.training.settings.continuous_config import TrainingConfig
from zerolab.training.settings.presets import make_preset
from zerolab.training.trainer import Trainer

OURS = "ours"
VARIANTS: dict[str, Parameters] = {
    OURS: {},
    "own": {"encoding": "own"},
    "no-exact": {"exact_stones": 0},
    "no-exact-own": {"exact_stones": 0, "encoding": "own"},
    "gumbel-32": {"gumbel": True, "max_simulations": 32},
    "playout-caps": {"fast_simulations": 25, "full_share": 0.25},
    "forced-playouts": {"forced_playouts": 2.0},
    "no-exact-targets": {"exact_targets": False},
    "no-symmetries": {"symmetries": False},
    "no-openings": {"opening_plies": 0},
    "half-openings": {"opening_plies": 4},
}
BOARD = Clobber(5, 5)
LEVELS = 5
FULL_SECONDS = 8 * 60
DIRECTORY = Path("runs/ablations")
RESULT = "ablation.json"
VARIANT = "variant"
TRAINING_SHARE = 0.9  # of the work; the rest is judging


class Scale(NamedTuple):
    """How closely a network is looked at."""

    games: int
    """Against each level, with exact leaves and as many without."""
    questions: int
    """Critical positions, and as many for values."""


QUICK, FULL = Scale(20, 200), Scale(100, 500)


class Judged(BaseModel):
    """A network with search, with exact leaves or without."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    scores: list[float]
    """The mean result against each level, from -1 to 1."""
    keeps: float
    """Share of critical positions in which it keeps the win."""
    keeps_error: float
    values: float
    """Share of positions whose value has the right sign."""


class Result(BaseModel):
    """What came of a variant; a file of this is kept in its directory."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    variant: str
    games: int
    questions: int
    steps: int
    states: int
    exact: Judged
    plain: Judged
    network_keeps: float
    """Of the network's first move."""
    network_values: float
    """Of its own values."""

    @property
    def score(self) -> float:
        """The mean over all games."""
        scores = self.exact.scores + self.plain.scores
        return sum(scores) / len(scores)

    @property
    def error(self) -> float:
        """Its standard error, from the games alone: another seed would differ by more."""
        scores = self.exact.scores + self.plain.scores
        return math.sqrt(sum(1 - score**2 for score in scores) / self.games) / len(scores)


class JudgedRun(NamedTuple):
    """A run of a variant, and what was measured in it."""

    result: Result
    directory: Path


def compare(seconds: int | None, seed: int, on_progress: OnProgress) -> Report:
    """All variants."""
    scale = FULL if seconds is None else QUICK
    limits = Limits(seconds or FULL_SECONDS)
    return ablate(tuple(VARIANTS), limits, seed, on_progress, scale)


def ablate(
    variants: Sequence[str],
    limits: Limits,
    seed: int = 1,
    on_progress: OnProgress = lambda done, total: None,
    scale: Scale = FULL,
    game: Clobber = BOARD,
) -> Report:
    """Train these variants up to the same limit each, and judge them."""
    judged = judge_variants(variants, limits, range(seed, seed + 1), on_progress, scale, game)
    results = [found[0].result for found in judged.values() if found]
    directories = [found[0].directory for found in judged.values() if found]
    return _report(game, results, directories, len(variants))


def judge_variants(
    variants: Sequence[str],
    limits: Limits,
    seeds: range,
    on_progress: OnProgress,
    scale: Scale,
    game: Clobber,
) -> dict[str, list[JudgedRun]]:
    """A sweep over variants with each seed, and what was measured in its runs.

    What a stopped study has not measured yet is missing.
    """
    for name in variants:
        if name not in VARIANTS:
            raise UsageError(f"'{name}' is not a variant; expected {', '.join(VARIANTS)}")
    exam = _exam(game, scale.questions)
    sweep = sweep_of(variants, limits, seeds, game)
    place = Place(DIRECTORY / directory_name(variants, limits, seeds, game))

    def on_trained(done: float, total: float) -> None:
        on_progress(TRAINING_SHARE * done / total, 1)

    is_trained = run_to_the_end(sweep, place, on_trained, workers=1)  # a run takes all cores
    found: dict[str, list[JudgedRun]] = {name: [] for name in variants}
    runs = [
        (trial.parameters[VARIANT], Path(run), seed)
        for trial in summarise(sweep, open_sweep(sweep, place)).unless_failed()
        for run, seed in zip(trial.runs, seeds, strict=True)
    ]
    with suppress(KeyboardInterrupt):
        for number, (name, directory, seed) in enumerate(runs):
            result = known_result(directory, name, scale)
            if result is None and is_trained:
                result = _measure(sweep, directory, name, exam, scale, seed)
            if result is not None:
                found[name].append(JudgedRun(result, directory))
            if is_trained:
                share = TRAINING_SHARE + (1 - TRAINING_SHARE) * (number + 1) / len(runs)
                on_progress(share, 1)
    return found


def sweep_of(variants: Sequence[str], limits: Limits, seeds: range, game: Clobber) -> Sweep:
    """Our preset under each variant."""
    axis = Variants(VARIANT, {name: VARIANTS[name] for name in variants})
    return Sweep(
        *(game, settings(OURS, game), (axis,), limits, ("loss",), GRID),
        repeats=len(seeds),
        seed=seeds[0],
    )


def directory_name(variants: Sequence[str], limits: Limits, seeds: range, game: Clobber) -> str:
    """The name of the directory that keeps a study."""
    board = f"{game.rows}x{game.cols}"
    which = "all" if tuple(variants) == tuple(VARIANTS) else "-".join(variants)
    effort = [] if limits.steps is None else [f"{limits.steps}steps"]
    if limits.seconds is not None:
        effort.append(f"{limits.seconds / 60:g}min")
    return "-".join([board, which, *effort, f"seed{seeds[0]}"])


def settings(variant: str, game: Clobber) -> TrainingConfig:
    """Our preset with what the variant changes; nobody looks on while it learns."""
    return make_preset("zerolab", game).changed(evaluators=0, **VARIANTS[variant])


def known_result(directory: Path, variant: str, scale: Scale) -> Result | None:
    """What was measured before in the same way, if anything was."""
    with suppress(OSError, ValidationError):
        known = Result.model_validate_json((directory / RESULT).read_text("utf-8"))
        if (known.variant, known.games, known.questions) == (variant, *scale):
            return known
    return None


def _measure(
    sweep: Sweep, directory: Path, variant: str, exam: Exam, scale: Scale, seed: int
) -> Result:
    config = Run.open(directory, sweep.game).config
    outcome = run_experiment(sweep.game, config, directory, sweep.limits, seed=seed)
    result = _judge(variant, outcome.unless_stopped().trainer, exam, scale, seed)
    with replacing(directory / RESULT) as file:
        file.write(result.model_dump_json(indent=2).encode() + b"\n")
    return result


def _judge(name: str, trainer: Trainer, exam: Exam, scale: Scale, seed: int) -> Result:
    game, ours = trainer.game, settings(OURS, trainer.game)
    search = ours.search.model_copy(update={"encoding": trainer.config.encoding})
    networks = networks_to_judge(game, trainer.model(), search, ours.exact_stones)
    climbed = list(climb(networks, scale.games, seed, levels=LEVELS))
    judged = []
    for kind in (EXACT, PLAIN):
        perfect = measure_network(networks[kind], exam)
        scores = [level.score.mean for name, level in climbed if name == kind]
        judged.append(
            Judged(
                scores=scores,
                keeps=perfect.keeps.keeps,
                keeps_error=perfect.keeps.error,
                values=perfect.value_accuracy.right,
            )
        )
    return Result(
        variant=name,
        games=scale.games,
        questions=scale.questions,
        steps=trainer.step,
        states=trainer.replay.added,
        exact=judged[0],
        plain=judged[1],
        network_keeps=perfect.network_keeps.keeps,
        network_values=perfect.network_value_accuracy.right,
    )


def _exam(game: Clobber, questions: int) -> Exam:
    exam = exam_of(game, questions)
    if exam is None:
        raise UsageError("ablations are judged by perfect play: choose a board of 12 to 25 cells")
    return exam


def _report(game: Clobber, results: list[Result], directories: list[Path], expected: int) -> Report:
    rows = []
    for each in results:
        network = "", f"{each.network_keeps:.1%}", f"{each.network_values:.1%}"
        rows.append((each.variant, "exact", *_in_words(each.exact)))
        rows.append((f"  {each.steps:,} steps", "plain", *_in_words(each.plain)))
        rows.append((f"  {each.states:,} states", "network", *network))
    values = [
        each.model_dump() | {"run": str(directory), "score": each.score, "error": each.error}
        for each, directory in zip(results, directories, strict=True)
    ]
    is_complete = len(results) == expected
    return Report(
        f"Clobber {game.rows}x{game.cols}, search with exact leaves, without, network alone",
        ("variant", "player", f"levels 0 to {LEVELS - 1}", "kept", "values"),
        rows,
        values,
        _verdict(results) + ("" if is_complete else "; stopped"),
        is_complete,
        runs=tuple(directories),
    )


def _in_words(judged: Judged) -> tuple[str, str, str]:
    scores = " ".join(f"{score:+.1f}" for score in judged.scores)
    return scores, f"{judged.keeps:.1%}", f"{judged.values:.1%}"


def _verdict(results: list[Result]) -> str:
    """Mean scores over both ladders beside ours, the best first."""
    ours = next((each for each in results if each.variant == OURS), None)
    others = sorted((each for each in results if each is not ours), key=lambda each: -each.score)
    if ours is None or not others:
        return "nothing to compare with"
    gains = [
        f"{each.variant} {each.score - ours.score:+.2f} ± {math.hypot(each.error, ours.error):.2f}"
        for each in others
    ]
    return (
        f"kept: wins in {ours.questions} critical positions; values: of the right sign; "
        f"mean scores less that of ours, one seed: {', '.join(gains)}"
    )
