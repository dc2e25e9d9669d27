"""Small networks (networks/mlp/mlp.py) as players, in compiled code: ``mlp:FILE``."""

from dataclasses import dataclass
from pathlib import Path

from zerolab.errors import UsageError
from zerolab.evaluation.players.players import Buffers, CompiledPlayer, PlayerError
from zerolab.games.base import Game, State, player_to_move
from zerolab.kernels.compiling import rule
from zerolab.kernels.rng import Stream
from zerolab.networks.mlp.mlp import Mlp
from zerolab.networks.mlp.mlp_files import MlpHeader, load_mlp
from zerolab.networks.mlp.move_choice import best_scored, check_size, look_at


@dataclass(frozen=True)
class MlpPlayer(CompiledPlayer):
    """Plays the move whose board its network scores highest, as either colour."""

    header: MlpHeader | None = None
    """The header of its file."""

    def check(self, game: Game) -> None:
        """Whether the network is for this board."""
        if self.header is not None:
            self.header.check_game(game)
        assert isinstance(self.choice, Mlp)
        check_size(self.choice, game)


@rule(Mlp, "choose_action")
def choose_by_mlp(choice: Mlp, game: Game, state: State, rng: Stream, buffers: Buffers) -> int:
    """The move whose board has the highest score."""
    look_at(game, choice, state, player_to_move(state), buffers.mlp)
    return best_scored(choice, game, state, buffers.actions, buffers.play_state, buffers.mlp)


def make_mlp_player(mlp: Mlp, name: str = "mlp") -> MlpPlayer:
    """A network in memory as a player; it always plays with the current weights."""
    return MlpPlayer(name, mlp)


def load_mlp_player(name: str, file: str) -> MlpPlayer:
    """``mlp:FILE``."""
    if not file:
        raise PlayerError(f"'{name}' names no file; expected mlp:FILE, such as mlp:net.npz")
    try:
        mlp, header = load_mlp(Path(file))
    except UsageError as error:
        raise PlayerError(f"{name}: {error}") from None
    return MlpPlayer(name, mlp, header)
