"""Speeds of the networks: measured once."""

from pathlib import Path

import pytest

from zerolab.games.clobber import Clobber
from zerolab.studies.mobile_or_residual import network_speeds
from zerolab.studies.mobile_or_residual.contest_scales import SCALES, TINY
from zerolab.studies.mobile_or_residual.contestants import MOBILE, RESIDUAL
from zerolab.studies.mobile_or_residual.network_speeds import FILE, speeds_of

GAME = Clobber(4, 4)


def test_speeds_are_measured_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    directory = tmp_path / "new"
    found = speeds_of(GAME, SCALES[TINY], directory)
    assert [each.parameters for each in found.values()] == [79_013, 77_605]
    for speed in found.values():
        assert min(speed.one_by_one, speed.in_batches, speed.in_8_bits, speed.learning) > 0
    # 3x3 convolutions of 32 channels; 1x1 ones and depthwise ones inside 112 channels.
    trunks = {RESIDUAL: 4 * 2 * 9 * 32 * 32, MOBILE: 8 * (2 * 32 + 9) * 112}
    rest = {name: found[name].multiply_adds - 16 * trunks[name] for name in trunks}
    assert rest[RESIDUAL] == rest[MOBILE] > 0
    monkeypatch.setattr(network_speeds, "measure", None)  # nothing is measured again
    assert speeds_of(GAME, SCALES[TINY], directory) == found


def test_each_speed_is_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Calls a second become positions a second: of one, of 64, of 64, of a batch of learning."""
    (tmp_path / FILE).write_text("{")  # damaged: measured again
    calls = iter((1000.0, 100.0, 300.0, 10.0))

    def measured(contestants: dict[str, object], seconds: float) -> dict[str, float]:
        rate = next(calls)
        assert seconds == SCALES[TINY].measuring
        return {name: rate + place for place, name in enumerate(contestants)}

    monkeypatch.setattr(network_speeds, "measure", measured)
    found = speeds_of(GAME, SCALES[TINY], tmp_path)
    for place, name in enumerate((RESIDUAL, MOBILE)):
        speed = found[name]
        assert speed.one_by_one == 1000 + place
        assert speed.in_batches == 64 * (100 + place)
        assert speed.in_8_bits == 64 * (300 + place)
        assert speed.learning == 8 * (10 + place)
    assert (tmp_path / FILE).read_text() != "{"
