import numpy as np
import pytest

from tests.networks.making import GAMES
from zerolab.errors import UsageError
from zerolab.games.base import Game, shape
from zerolab.games.clobber import CANNIBAL, Clobber
from zerolab.games.connect_four import ConnectFour
from zerolab.games.go import Go
from zerolab.games.graph_clobber import GraphClobber
from zerolab.games.notation import action_space, num_actions
from zerolab.games.othello import Othello
from zerolab.networks.signature import Layout, cazenave_signature, places_on, signature_of


def test_clobber_has_four_planes_of_directions() -> None:
    signature = signature_of(Clobber(3, 4))
    assert signature.layout == Layout((((-1, 0),), ((0, -1),), ((1, 0),), ((0, 1),)))
    for action, place in enumerate(signature.places):
        assert place == action % 4 * 12 + action // 4


def test_othello_has_cells_and_a_pass() -> None:
    signature = signature_of(Othello(4, 4))
    assert signature.layout == Layout(((),), passes=1)
    assert list(signature.places) == list(range(17))


def test_connect_four_has_columns() -> None:
    signature = signature_of(ConnectFour(5, 7))
    assert signature.layout == Layout(((),), by_column=True)
    assert list(signature.places) == list(range(7))


@pytest.mark.parametrize("game", GAMES)
def test_every_action_has_a_place_of_its_own_on_larger_boards_too(game: Game) -> None:
    signature = signature_of(game)
    assert signature.layout is not None
    rows, cols = shape(game)
    for larger in (0, 3):
        places = places_on(action_space(game), signature.layout, rows + larger, cols + larger)
        assert len(np.unique(places)) == num_actions(game) == signature.actions


def test_a_graph_has_no_layout() -> None:
    assert signature_of(GraphClobber(edges="0-1 1-2", stones="xox")).layout is None


def test_unknown_encoding() -> None:
    with pytest.raises(UsageError, match="expected colours, own, components or golois"):
        signature_of(Clobber(3, 3), "other")


def test_golois_is_what_networks_of_cazenave_see() -> None:
    assert signature_of(Go(9, 9), "golois").input_shape == (21, 9, 9)
    assert cazenave_signature(9, 9).input_shape == (21, 9, 9)


def test_components_have_planes_of_their_own() -> None:
    assert signature_of(Clobber(5, 6), "components").input_shape == (7, 5, 6)
    for game in (Clobber(3, 3, CANNIBAL), Othello(6, 6)):
        with pytest.raises(UsageError, match="components is for ordinary clobber"):
            signature_of(game, "components")
