"""What a network says about a position without any search."""

import numpy as np

from zerolab.encodings.views import make_view
from zerolab.evaluation.perfect.accuracy import evaluate_all
from zerolab.evaluation.players.az import NetPlayer
from zerolab.evaluation.players.network_file import states_of
from zerolab.evaluation.players.protocol import Player, PlayerError
from zerolab.games.position import Position


def network_opinion(player: Player, position: Position) -> tuple[float, dict[int, float]]:
    """Its value for the player to move, and its probability of each legal action."""
    if not isinstance(player, NetPlayer):
        raise PlayerError(f"'{player.name}' is no network alone; expected net:PATH")
    game, states = states_of([position])
    evaluate, header = player.load(game)
    logits, values = evaluate_all(game, evaluate, make_view(game, header.encoding), states)
    legal = list(position.legal_actions)
    if not legal:
        return float(values[0]), {}
    chosen = logits[0, legal].astype(np.float64)
    weights = np.exp(chosen - chosen.max())
    shares = weights / weights.sum()
    return float(values[0]), {action: float(p) for action, p in zip(legal, shares, strict=True)}
