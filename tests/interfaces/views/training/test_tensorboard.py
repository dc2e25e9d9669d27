from pathlib import Path

import pytest

from zerolab.interfaces.views.training.tensorboard import event_writer, scalars

LINE = {
    "step": 3,
    "time_abs": 1.5e9,
    "loss": {"policy": 2.0, "value": 0.5},
    "eval": {"count": 4, "results": [0.5, None]},
    "game_length_hist": [0, 1, 2],
    "perfect": None,
    "accepted": True,
    "time_str": "today",
}


def test_numbers_by_name() -> None:
    assert dict(scalars(LINE)) == {
        "step": 3.0,
        "time_abs": 1.5e9,
        "loss/policy": 2.0,
        "loss/value": 0.5,
        "eval/count": 4.0,
        "eval/results/0": 0.5,
    }


def test_event_files_can_be_read(tmp_path: Path) -> None:
    """By the protocol's own records: length, its checksum, data, its checksum."""
    proto = pytest.importorskip("tensorboardX.proto.event_pb2")
    with event_writer(tmp_path) as write:
        write(LINE)
    (path,) = tmp_path.iterdir()
    data, found = path.read_bytes(), {}
    while data:
        length = int.from_bytes(data[:8], "little")
        event = proto.Event.FromString(data[12 : 12 + length])
        for value in event.summary.value:
            found[value.tag] = (event.step, value.simple_value)
        data = data[16 + length :]
    assert found["loss/policy"] == (3, 2.0)
    assert found["eval/results/0"] == (3, 0.5)
