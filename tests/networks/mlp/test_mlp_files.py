import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from zerolab.errors import UsageError
from zerolab.games.clobber import Clobber
from zerolab.games.othello import Othello
from zerolab.kernels.rng import stream
from zerolab.networks.mlp.mlp import make_mlp
from zerolab.networks.mlp.mlp_files import load_mlp, save_mlp


@pytest.fixture
def saved(tmp_path):
    mlp = make_mlp(6, (5, 2), 0.01, stream(1))
    path = tmp_path / "net.npz"
    save_mlp(path, mlp, Clobber(2, 3), {"alpha": 2e-5, "games": 1000})
    return path, mlp


def test_round_trip(saved):
    path, mlp = saved
    again, header = load_mlp(path)
    assert np.array_equal(again.weights, mlp.weights)
    assert np.array_equal(again.sizes, mlp.sizes)
    assert again.slope == mlp.slope
    assert header.training == {"alpha": 2e-5, "games": 1000}
    assert header.game == "clobber 2x3"
    with np.load(path) as arrays:  # as any program reads it
        assert np.array_equal(arrays["weights"], mlp.weights)


def test_no_other_name_than_the_one_given(tmp_path):
    path = tmp_path / "net"
    save_mlp(path, make_mlp(6, (5,), 0.0, stream(1)), Clobber(2, 3))
    assert [file.name for file in tmp_path.iterdir()] == ["net"]


def test_knows_its_board(saved):
    _, header = load_mlp(saved[0])
    header.check_game(Clobber(2, 3, setup="random"))
    for game in (Clobber(3, 2), Clobber(2, 4), Othello(4, 4)):
        with pytest.raises(UsageError, match="for clobber 2x3, not for"):
            header.check_game(game)


def test_is_saved_for_a_board_that_it_fits(tmp_path):
    with pytest.raises(UsageError, match="6 squares, not for clobber 3x3, which has 9"):
        save_mlp(tmp_path / "a.npz", make_mlp(6, (5,), 0.0, stream(1)), Clobber(3, 3))
    assert not list(tmp_path.iterdir())


def test_alien_files_get_one_sentence(tmp_path):
    path = tmp_path / "net.npz"
    contents = {
        "text": b"hello",
        "nothing": b"",
        "pickle": b"\x80\x04N.",
        "npy": _bytes(lambda file: np.save(file, np.ones(3))),
        "npz": _bytes(lambda file: np.savez(file, a=np.ones(3))),
        "header": _bytes(lambda file: np.savez(file, header="{}", weights=np.ones(3))),
        "no json": _bytes(lambda file: np.savez(file, header="net", weights=np.ones(3))),
    }
    for content in contents.values():
        path.write_bytes(content)
        with pytest.raises(UsageError, match=r"net\.npz is not a small network"):
            load_mlp(path)
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        load_mlp(tmp_path / "none.npz")
    with pytest.raises(UsageError, match="cannot be read: Is a directory"):
        load_mlp(tmp_path)


def _bytes(write):
    import io

    file = io.BytesIO()
    write(file)
    return file.getvalue()


def test_weights_that_do_not_fit_the_header_are_refused(saved):
    path, _ = saved
    with np.load(path) as arrays:
        header = str(arrays["header"])
    for weights in (np.ones(3), np.ones((2, 2)), np.ones(48, np.float32)):
        with path.open("wb") as file:
            np.savez(file, header=header, weights=weights)
        with pytest.raises(UsageError, match="do not fit its header"):
            load_mlp(path)
    for old, new in (('"hidden":[5,2]', '"hidden":[0]'), ('"cells":6', '"cells":-1')):
        with path.open("wb") as file:
            np.savez(file, header=header.replace(old, new), weights=np.ones(3))
        with pytest.raises(UsageError, match="is damaged"):
            load_mlp(path)


@settings(
    max_examples=300,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
def test_damage_is_noticed(saved, data):
    path, mlp = saved
    whole = path.read_bytes()
    place = data.draw(st.integers(0, len(whole) - 1))
    if data.draw(st.booleans()):
        damaged = whole[:place]
    else:
        flipped = whole[place] ^ data.draw(st.integers(1, 255))
        damaged = whole[:place] + bytes([flipped]) + whole[place + 1 :]
    path.write_bytes(damaged)
    try:
        again, _ = load_mlp(path)
    except UsageError:
        pass
    else:  # a byte that nobody needs, such as one of a date
        assert np.array_equal(again.weights, mlp.weights)
    finally:
        path.write_bytes(whole)
