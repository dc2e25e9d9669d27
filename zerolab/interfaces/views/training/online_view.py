"""What `zerolab online` shows."""

from contextlib import suppress
from pathlib import Path

from zerolab.errors import UsageError
from zerolab.games.base import Game
from zerolab.games.catalogue import describe
from zerolab.interfaces.views.output import Output


def show_online(
    out: Output, game: Game, settings: dict[str, object], games: int, seed: int, save: Path
) -> None:
    """Train a network against Random, save it, and test it; Ctrl-C ends the training."""
    from pydantic import ValidationError

    from zerolab.evaluation.matches.compiled_games import play_match
    from zerolab.evaluation.players.mlp_player import make_mlp_player
    from zerolab.evaluation.players.players import make_compiled_player
    from zerolab.networks.mlp.mlp import Mlp
    from zerolab.networks.mlp.mlp_files import save_mlp
    from zerolab.training.online_learning import OnlineConfig, train_online
    from zerolab.training.settings.flat_names import sentence

    if save.suffix != ".npz":
        raise UsageError(f"--save {save} is not possible; expected a name that ends in .npz")
    try:
        config = OnlineConfig.model_validate(settings)
    except ValidationError as error:
        raise UsageError(sentence(error)) from None
    with out.compiling():
        train_online(game, config, 1, seed)
    latest = 0, train_online(game, config, 0, seed)
    with out.progress("learning", games, "games") as advance_to, suppress(KeyboardInterrupt):

        def on_progress(done: int, mlp: Mlp) -> None:
            nonlocal latest
            latest = done, mlp
            advance_to(done)

        train_online(game, config, games, seed, on_progress)
    learnt, mlp = latest
    save_mlp(save, mlp, game, {**config.model_dump(), "games": learnt, "seed": seed})
    tests = max(100, min(100_000, games // 10))
    result = play_match(game, make_mlp_player(mlp), make_compiled_player("random"), tests, seed + 1)
    out.line(
        f"{describe(game)}: after {learnt:,} games it wins {result.black_score:.1%} of {tests:,} "
        f"as Black against Random"
    )
    if mlp.has_diverged:
        out.note("its weights have diverged: try a lower --alpha")
    out.line(f"kept as {save}; the player's name is mlp:{save}")
    out.result(
        {
            **config.model_dump(),
            "training_games": learnt,
            "games": result.games,
            "black_wins": result.black_wins,
            "diverged": mlp.has_diverged,
            "network": str(save),
        }
    )
