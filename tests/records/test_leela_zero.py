"""Training text of Leela Zero: games written as positions, and rebuilt.

The game is Gobang, in which the stones of a position say as much of the moves as in Go; captures
and passes are tried on texts alone.
"""

import gzip
import io
from pathlib import Path

import numpy as np
import pytest

from tests.records.making import random_recorded, replay
from zerolab.games.base import Game
from zerolab.games.boards.stones import stone_at
from zerolab.games.gobang import Gobang
from zerolab.games.position import Position
from zerolab.records import leela_zero
from zerolab.records.leela_zero import LINES, _parse_position, read_training_text
from zerolab.records.record_files import games_in
from zerolab.records.recorded_game import Reason, RecordedGame, RecordError

GAME = Gobang(5, 5, 5)


@pytest.fixture(autouse=True)
def gobang(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leela_zero, "rules_of", lambda cells: GAME)


def plane(bits: list[int]) -> str:
    """Four bits to a digit, the first the highest; the last bit stands alone."""
    digits = [f"{int(''.join(map(str, bits[i : i + 4])), 2):x}" for i in range(0, len(bits) - 1, 4)]
    return "".join(digits) + str(bits[-1])


def stones(position: Position | None, colour: int) -> str:
    """A plane, row by row from the bottom."""
    rows, cols = GAME.rows, GAME.cols
    if position is None:
        return plane([0] * rows * cols)
    cells = [row * cols + col for row in reversed(range(rows)) for col in range(cols)]
    return plane([int(stone_at(GAME, position.words, cell) == colour) for cell in cells])


def write_text(recorded: RecordedGame) -> list[str]:
    """The lines of a game, as Leela Zero writes them."""
    lines: list[str] = []
    positions = replay(recorded.game, recorded.actions)
    for ply, action in enumerate(recorded.actions):
        past = [positions[ply - back] if ply >= back else None for back in range(8)]
        player = positions[ply].player
        lines += [stones(each, player) for each in past]
        lines += [stones(each, 1 - player) for each in past]
        lines.append(str(player))
        row, col = divmod(action, GAME.cols)
        chances = np.full(26, 0.01)
        chances[(GAME.rows - 1 - row) * GAME.cols + col] = 0.75
        lines.append(" ".join(f"{chance:g}" for chance in chances))
        lines.append(str(int(recorded.result) * (1 - 2 * player)))
    return lines


def games(count: int) -> list[RecordedGame]:
    return [each for each in random_recorded(GAME, 4 * count) if each.result][:count]


def read(lines: list[str]) -> list[RecordedGame | RecordError]:
    return list(read_training_text(io.BytesIO("\n".join(lines).encode()), "a.txt"))


def test_games_are_rebuilt() -> None:
    recorded = games(8)
    found = read([line for each in recorded for line in write_text(each)])
    assert [(each.actions, each.result, each.game) for each in found] == [
        (each.actions, each.result, GAME) for each in recorded
    ]
    assert found[0].source == "a.txt, line 1"
    assert found[1].source == f"a.txt, line {1 + LINES * len(recorded[0].actions)}"


def test_files_by_name(tmp_path: Path) -> None:
    (recorded,) = games(1)
    text = ("\n".join(write_text(recorded)) + "\n").encode()
    (tmp_path / "train.txt").write_bytes(text)
    for name in ("train.txt.0.gz", "train.txt.gz", "train_5f3a.gz"):
        (tmp_path / name).write_bytes(gzip.compress(text))
    found = list(games_in(tmp_path))
    assert [each.actions for each in found] == [recorded.actions] * 4


def test_a_plane_drawn_out() -> None:
    """Nine points: 0 is the bottom-left corner, 8 the top-right one."""
    lines = [b"000"] * 16 + [b"1", b"0 0 0 0 .5 0 0 0 .1 .4", b"-1"]
    lines[0], lines[8] = b"801", b"080"
    position = _parse_position(lines, 1)
    assert (position.own, position.other) == (0b100000001, 0b000010000)
    assert (position.is_white, position.probable, position.result) == (True, 4, 1.0)
    lines[0] = b"000"
    following = position._replace(own=0b000010000, other=0b100000101, is_white=False)
    assert position.move_to(following) == 6
    assert position.move_to(following._replace(other=position.own)) == 9  # a pass
    captured = following._replace(own=0)  # the stone of the opponent is gone
    assert position.move_to(captured) == 6


@pytest.mark.parametrize(
    "change", [{"is_white": True}, {"cells": 25}, {"other": 0b110000101}, {"own": 0b000011000}]
)
def test_positions_that_do_not_follow(change: dict) -> None:
    lines = [b"000"] * 16 + [b"1", b"0 0 0 0 .5 0 0 0 .1 .4", b"-1"]
    lines[0], lines[8] = b"801", b"080"
    position = _parse_position(lines, 1)
    following = position._replace(line=20, own=0b000010000, other=0b100000101, is_white=False)
    position.move_to(following)
    with pytest.raises(RecordError, match="no move leads to the position of line 20"):
        position.move_to(following._replace(**change))


def test_a_game_that_begins_with_a_pass_is_one_game() -> None:
    lines = [b"000"] * 16 + [b"0", b"0 " * 9 + b"1", b"-1"]
    first = _parse_position(lines, 1)
    lines[16], lines[18] = b"1", b"1"
    second = _parse_position(lines, 20)
    assert (first.is_first, second.is_first) == (True, False)
    assert first.move_to(second) == 9
    assert first.result == second.result


def test_a_game_with_a_hole_does_not_hide_the_next() -> None:
    first, second = games(2)
    lines = write_text(first._replace(actions=first.actions[:6]))
    del lines[2 * LINES : 4 * LINES]
    hole, found = read(lines + write_text(second))
    assert str(hole) == "a.txt, line 1: no move leads to the position of line 39"
    assert found.actions == second.actions


def test_a_file_that_begins_within_a_game() -> None:
    first, second = games(2)
    rest, found = read(write_text(first)[LINES:] + write_text(second))
    assert rest.reason == Reason.OTHER_START
    assert found.actions == second.actions


def test_results_that_disagree() -> None:
    (recorded,) = games(1)
    lines = write_text(recorded)
    lines[LINES - 1] = {"1": "-1", "-1": "1"}[lines[LINES - 1]]
    (error,) = read(lines)
    assert "positions of one game have different results" in str(error)


def test_illegal_moves_are_found() -> None:
    (recorded,) = games(1)
    recorded = recorded._replace(actions=recorded.actions[:3])
    lines = write_text(recorded)
    chances = np.zeros(26)
    row, col = divmod(recorded.actions[0], GAME.cols)
    chances[(GAME.rows - 1 - row) * GAME.cols + col] = 1
    lines[-2] = " ".join(map(str, chances))
    (error,) = read(lines)
    assert error.reason == Reason.ILLEGAL_MOVE
    assert "a.txt, line 1: move 3, " in str(error)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (0, "hello"),
        (0, ""),
        (3, "0000"),
        (8, "000000g"),
        (8, "0000002"),
        (8, "+000000"),
        (8, "0_00000"),
        (16, "2"),
        (17, "0.5 0.5"),
        (17, "one " * 26),
        (18, "0"),
        (0, "f" * 100_000),
    ],
)
def test_text_of_another_kind(line: int, text: str) -> None:
    first, second = games(2)
    first = first._replace(actions=first.actions[:4])
    lines = write_text(first) + write_text(second)
    lines[4 * LINES + line] = text
    found = read(lines)
    assert found[0].actions == first.actions
    assert str(found[1]) == "a.txt, line 77: it is not training text of Leela Zero"
    assert len(found) == 2


def test_a_game_that_does_not_end(monkeypatch: pytest.MonkeyPatch) -> None:
    recorded = games(1)[0]
    monkeypatch.setattr(leela_zero, "MOST_POSITIONS", len(recorded.actions))
    assert read(write_text(recorded))[0].actions == recorded.actions
    monkeypatch.setattr(leela_zero, "MOST_POSITIONS", len(recorded.actions) - 1)
    (error,) = read(write_text(recorded))
    assert error.reason == Reason.TOO_LONG


def test_stones_of_both_colours_on_a_point() -> None:
    lines = write_text(games(1)[0])
    lines[0] = lines[8] = "8000000"
    assert "it is not training text" in str(read(lines)[0])


def test_text_that_ends_too_early() -> None:
    first, second = games(2)
    lines = write_text(first) + write_text(second)[: LINES + 3]
    found = read(lines)
    assert [each.actions for each in found[:2]] == [first.actions, second.actions[:1]]
    assert "it is not training text" in str(found[2])
    assert read([]) == []


def test_a_board_without_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    from zerolab.games.base import GameError

    def refuse(cells: int) -> Game:
        raise GameError(f"no board of {cells} points")

    monkeypatch.setattr(leela_zero, "rules_of", refuse)
    (error,) = read(write_text(games(1)[0]))
    assert str(error) == "a.txt, line 1: no board of 25 points"


def test_mutated_text() -> None:
    """Nothing ends the reader."""
    text = "\n".join(line for each in games(2) for line in write_text(each)).encode()
    draw = np.random.default_rng(1)
    for _ in range(300):
        data = bytearray(text)
        for _ in range(3):
            place = int(draw.integers(len(data)))
            data[place : place + int(draw.integers(3))] = bytes([int(draw.integers(256))])
        for each in read_training_text(io.BytesIO(bytes(data))):
            assert isinstance(each, RecordedGame | RecordError)
