"""Networks in files: which file the PATH of a player's name means, and its network, loaded."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from zerolab.encodings.views import make_view
from zerolab.errors import UsageError
from zerolab.evaluation.perfect.accuracy import evaluate_all
from zerolab.evaluation.players.agents.shipped_agents import AGENTS
from zerolab.evaluation.players.protocol import is_same_game
from zerolab.games.base import Game, States
from zerolab.games.catalogue import describe
from zerolab.games.notation import parse_number
from zerolab.games.position import Position
from zerolab.networks.header import KEY, Header, parse_header, read_file
from zerolab.networks.onnx_evaluator import OnnxEvaluator
from zerolab.networks.signature import signature_of
from zerolab.search.batched.searching_network import Floats
from zerolab.training.runs.logs import network_of


class NetworkFile:
    """A network in a file, loaded for the current game."""

    def __init__(self, name: str, path: Path) -> None:
        self.name = name
        self.path = path
        self._loaded: tuple[Game, OnnxEvaluator, Header] | None = None

    def load(self, game: Game) -> tuple[OnnxEvaluator, Header]:
        """The network for this game; an error if it is for another."""
        if self._loaded is None or not is_same_game(self._loaded[0], game):
            self._loaded = (game, *load_evaluator(self.path, game))
        return self._loaded[1:]

    def network_values(self, positions: Sequence[Position]) -> Floats:
        """The network's own values of positions, for the players to move."""
        game, states = states_of(positions)
        evaluate, header = self.load(game)
        return evaluate_all(game, evaluate, make_view(game, header.encoding), states)[1]


def states_of(positions: Sequence[Position]) -> tuple[Game, States]:
    """The game of positions, and their states [n, words]."""
    return positions[0].game, np.array([position.words for position in positions])


def load_evaluator(path: Path, game: Game) -> tuple[OnnxEvaluator, Header]:
    """The network in a file, ready to evaluate positions of its game."""
    if path.suffix != ".onnx":
        from zerolab.networks.checkpoints import load_network

        network, header = load_network(path, game)
        return OnnxEvaluator(network.to_onnx()), header
    model = read_file(path)
    try:
        evaluate = OnnxEvaluator(model)
        header = parse_header(path, evaluate.metadata.get(KEY))
        header.check_game(game)
    except UsageError as error:
        raise UsageError(str(error) if str(path) in str(error) else f"{path}: {error}") from None
    signature = signature_of(game, header.encoding)
    if evaluate.fits_any_size and evaluate.input_shape[0] == signature.planes:
        evaluate.places = signature.places
    elif evaluate.input_shape != signature.input_shape:
        raise UsageError(
            f"{path}: this is a model for {header.game}, not for {describe(game)}; an .onnx model "
            f"fits one size: export the network again with --size or --any-size"
        )
    return evaluate, header


def find_network(text: str) -> Path:
    """The file that the PATH of a name means; it may also be the name of a shipped agent."""
    if text in AGENTS:
        return AGENTS[text].path
    directory, _, number = text.rpartition("#")
    step = parse_number(number)
    try:
        if text and Path(text).is_dir():
            return network_of(Path(text))
        if text and Path(text).is_file():
            return Path(text)
        if directory and step is not None and Path(directory).is_dir():
            return network_of(Path(directory), step)
    except OSError:  # no name that a file could have
        pass
    raise UsageError(
        f"there is no network '{text}'; expected the directory of a run, such as runs/demo or "
        f"runs/demo#40 for its step 40, a file, .safetensors or .onnx, or an agent that comes with "
        f"zerolab: {', '.join(AGENTS)}"
    )


def pinned_network(text: str) -> str:
    """A PATH that keeps referring to the same file: the newest network of a run by its step."""
    try:
        if not text or text in AGENTS or not Path(text).is_dir():
            return text
    except OSError:  # no name that a file could have
        return text
    path = network_of(Path(text))
    step = path.stem.removeprefix("network-")
    return f"{text}#{int(step)}" if step.isdecimal() else str(path)
