"""Networks in files: safetensors, with a header that says what the weights are for."""

from pathlib import Path

from zerolab.errors import UsageError
from zerolab.files import replacing
from zerolab.games.base import Game
from zerolab.networks.header import KEY, Header, parse_header, read_file, read_metadata
from zerolab.networks.signature import signature_of
from zerolab.networks.torch_network import Network, build_network


def save_network(path: Path, network: Network, header: Header) -> None:
    """Write weights and header; an existing file is replaced atomically."""
    from safetensors.torch import save

    weights = {name: tensor.contiguous() for name, tensor in network.state_dict().items()}
    with replacing(path) as file:
        file.write(save(weights, {KEY: header.model_dump_json()}))


def load_network(path: Path, game: Game | None = None) -> tuple[Network, Header]:
    """Read a network, in evaluation mode; `game` if it differs from the one in the header."""
    from safetensors import SafetensorError
    from safetensors.torch import load

    data = read_file(path)
    header = parse_header(path, read_metadata(path, data).get(KEY))
    try:
        weights = load(data)
    except SafetensorError:
        raise UsageError(f"{path} is damaged: the weights cannot be read") from None
    try:
        own = header.make_game() if game is None else game
        header.check_game(own)
        network = build_network(header.architecture, signature_of(own, header.encoding))
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None
    try:
        network.load_state_dict(weights)
    except RuntimeError:
        raise UsageError(f"{path} is damaged: the weights do not fit its header") from None
    return network.eval(), header
