"""The measurement of records, shrunken: no speed is asserted, only what is measured."""

import json
from collections import Counter
from pathlib import Path

import pytest

from zerolab.benchmarks import records_speed
from zerolab.benchmarks.records_speed import PLANES, STATES, TURNED, RecordsSpeed, random_games
from zerolab.games.gobang import Gobang
from zerolab.games.othello import Othello
from zerolab.interfaces.cli import main
from zerolab.records.packing import pack


def test_games_are_random_and_end() -> None:
    game = Othello(4, 4)
    games = list(random_games(game, 40))
    assert len({each.actions for each in games}) > 20
    for each in games[:10]:
        outcome = each.position().outcome()
        assert outcome is not None
        assert outcome.value == each.result
    assert games == list(random_games(game, 40))


def test_the_peer_takes_positions_of_the_same_games(tmp_path: Path) -> None:
    game = Gobang(5, 5, 4)
    dataset = pack(random_games(game, 1), game, tmp_path / "games", share=0.0)
    draw = records_speed.np.random.default_rng(1)
    positions = records_speed._positions(dataset, draw)
    found = [next(positions) for _ in range(8)]
    plies = Counter(int(records_speed.np.bitwise_count(state[1:]).sum()) for state, _ in found)
    assert len(plies) == 8
    assert all(move == dataset.moves[ply] for (_, move), ply in zip(found, plies, strict=True))
    for what in (STATES, PLANES, TURNED):
        records_speed.replay_plainly(dataset, "own", what, 20)


def test_everything_is_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(records_speed, "CONTESTS", ((Gobang(4, 4, 3), "own"),))
    monkeypatch.setattr(records_speed, "GAMES", 20)
    monkeypatch.setattr(records_speed, "BATCH", 8)
    main(["bench", "records", "--seconds", "0.01", "--json"])
    result = json.loads(capsys.readouterr().out)
    names = [f"gobang 4x4 k=3, {what}" for what in (STATES, PLANES, TURNED)]
    assert list(result["ratios"]) == names
    for speed, ratio in zip(result["positions_per_second"], result["ratios"].values(), strict=True):
        assert speed["ours"] / speed["peer"] == ratio > 0


def test_the_table(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def bench(seconds: float, told: object) -> list[RecordsSpeed]:
        assert seconds == 2.0
        return [RecordsSpeed("gobang 15x15", TURNED, 500_000.0, 1_000.0)]

    monkeypatch.setattr(records_speed, "bench_records", bench)
    main(["bench", "records"])
    shown = capsys.readouterr().out
    assert "│ gobang 15x15 │ planes and symmetries │ 500,000 │        1,000 │  500x │" in shown
