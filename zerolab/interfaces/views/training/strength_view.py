"""How strong a trained network is: the ladder of jans, and perfect play where it is known."""

from typing import Any, NamedTuple

from zerolab.evaluation.matches.ladder import LevelResult, play_level
from zerolab.evaluation.perfect.accuracy import NetworkSearch, Perfect, measure_network
from zerolab.evaluation.perfect.exhaustive import Walks, find_mistakes
from zerolab.experiments.evaluators import make_exam, match_search
from zerolab.games.base import shape
from zerolab.games.boards.stones import starts_by_lot
from zerolab.interfaces.views.output import Output
from zerolab.networks.onnx_evaluator import OnnxEvaluator
from zerolab.solver.exact_leaves import NO_ORACLE, Oracle, make_oracle
from zerolab.training.continuous import ContinuousTrainer

LEVELS = 5
QUESTIONS = 500  # of the exam
WALKED = 16  # cells of boards on which all games of the network are looked at


def climb(out: Output, trainer: ContinuousTrainer, games: int) -> dict[str, list[LevelResult]]:
    """The trained network on the ladder, with exact leaves and without."""
    if games == 0:
        return {}
    search = match_search(trainer.config)
    evaluate, oracles = OnnxEvaluator(trainer.model()), _oracles(trainer)
    ladders: dict[str, list[LevelResult]] = {name: [] for name in oracles}
    with out.progress("ladder", games * LEVELS * len(oracles), "games") as advance_to:
        done = 0

        def on_progress(played: int) -> None:
            advance_to(done + played)

        try:
            for name, oracle in oracles.items():
                for level in range(LEVELS):
                    ladders[name].append(
                        play_level(
                            trainer.game,
                            evaluate,
                            search,
                            level,
                            games,
                            seed=level,
                            oracle=oracle,
                            on_progress=on_progress,
                        )
                    )
                    done += games
        except KeyboardInterrupt:
            out.note("the ladder was stopped")
    return ladders


def show_ladders(out: Output, ladders: dict[str, list[LevelResult]]) -> None:
    """A table, if there is anything to show."""
    rows = [
        (
            *(name, str(level.level), f"{level.simulations:,}", f"{level.wins:,}"),
            *(f"{level.draws:,}", f"{level.losses:,}", f"{level.score:+.2f}"),
        )
        for name, levels in ladders.items()
        for level in levels
    ]
    if rows:
        out.table(
            "The ladder: UCT with proofs and no exact leaves, half of the games with each colour",
            ("player", "level", "simulations", "won", "drawn", "lost", "score"),
            rows,
            "score: mean result, from -1 to +1",
        )


def _oracles(trainer: ContinuousTrainer) -> dict[str, Oracle]:
    """With exact leaves, if training had them, and without."""
    oracles: dict[str, Oracle] = {"network and search": NO_ORACLE}
    if stones := trainer.config.exact_stones:
        return {"with exact leaves": make_oracle(trainer.game, stones), **oracles}
    return oracles


class ExamResult(NamedTuple):
    """How a player did in an exam."""

    perfect: Perfect
    walks: Walks | None
    """All games it can get into, on small boards."""

    @property
    def fields(self) -> dict[str, Any]:
        """For programs."""
        fields: dict[str, Any] = {
            "keeps": self.perfect.keeps.keeps,
            "keeps_error": self.perfect.keeps.error,
            "positions": self.perfect.keeps.positions,
            "value_accuracy": self.perfect.value_accuracy.right,
            "network_keeps": self.perfect.network_keeps.keeps,
            "network_value_accuracy": self.perfect.network_value_accuracy.right,
        }
        if self.walks is not None:
            walks = self.walks.first, self.walks.second
            fields["reachable_positions"] = sum(walk.positions for walk in walks)
            fields["mistakes"] = sum(len(walk.mistakes) for walk in walks)
        return fields


def examine(out: Output, trainer: ContinuousTrainer) -> dict[str, ExamResult]:
    """The trained network beside perfect play, where that is known."""
    game, results = trainer.game, {}
    evaluate, search = OnnxEvaluator(trainer.model()), match_search(trainer.config)
    try:
        with out.progress("perfect play", None, "players examined") as advance_to:
            exam = make_exam(game, QUESTIONS)
            if exam is None:
                return {}
            rows, cols = shape(game)
            for name, oracle in _oracles(trainer).items():
                perfect = measure_network(game, evaluate, search, exam, oracle)
                walks = None
                if rows * cols <= WALKED and not starts_by_lot(game):
                    player = NetworkSearch(game, evaluate, search, oracle)
                    walks = find_mistakes(game, player.choose)
                results[name] = ExamResult(perfect, walks)
                advance_to(len(results))
    except KeyboardInterrupt:
        out.note("the exam was stopped")
    return results


def show_exams(out: Output, exams: dict[str, ExamResult]) -> None:
    """A table, if there is anything to show."""
    rows = [
        (
            name,
            f"{result.perfect.keeps.keeps:.1%} ± {result.perfect.keeps.error:.1%}",
            f"{result.perfect.value_accuracy.right:.1%}",
            *(_mistakes_in_words(result.walks) for _ in range(has_walks)),
        )
        for has_walks in [any(result.walks is not None for result in exams.values())]
        for name, result in exams.items()
    ]
    if not rows:
        return
    network = next(iter(exams.values())).perfect
    moves, values = network.network_keeps, network.network_value_accuracy
    rows.append(
        ("network alone", f"{moves.keeps:.1%} ± {moves.error:.1%}", f"{values.right:.1%}")
        + ("",) * (len(rows[0]) - 3)
    )
    headings = "player", "wins kept", "values right", "mistakes in all games it can get into"
    out.table(
        f"Perfect play: {moves.positions} positions with a move that wins and one that does not",
        headings[: len(rows[0])],
        rows,
        f"values: their sign in {values.positions} positions, half of them won",
    )


def _mistakes_in_words(walks: Walks | None) -> str:
    if walks is None:
        return ""
    positions = walks.first.positions + walks.second.positions
    mistakes = len(walks.first.mistakes) + len(walks.second.mistakes)
    return f"{mistakes} in {positions:,} positions"
