"""Packing: what is kept, what is rejected, and that the order of reading does not matter."""

from pathlib import Path

import numpy as np
import pytest

from tests.games.sizes import wheel
from tests.records.making import GAME, as_line, random_recorded
from zerolab.errors import UsageError
from zerolab.games.catalogue import make_game
from zerolab.games.clobber import Clobber
from zerolab.games.gobang import Gobang
from zerolab.games.othello import Othello
from zerolab.games.solitaire import Solitaire
from zerolab.records import packing
from zerolab.records.dataset import Dataset
from zerolab.records.packing import is_for_validation, pack, pack_files
from zerolab.records.recorded_game import Reason, RecordedGame, RecordError


def games_of(dataset: Dataset, validation: bool) -> set[tuple[tuple[int, ...], int]]:
    return {
        (tuple(dataset.moves[dataset.offsets[i] : dataset.offsets[i + 1]].tolist()), result)
        for i in dataset.games_for(validation)
        for result in [int(dataset.results[i])]
    }


@pytest.mark.parametrize("game", [GAME, Othello(4, 4), Clobber(3, 4)], ids=str)
def test_every_game_is_kept_once(game: object, tmp_path: Path) -> None:
    games = random_recorded(game, 60)
    dataset = pack(games, game, tmp_path / "games.data", share=0.3)
    assert dataset.game == game
    assert type(dataset.game) is type(game)
    training, validation = games_of(dataset, False), games_of(dataset, True)
    assert training | validation == {(each.actions, each.result) for each in games}
    assert not training & validation
    header = dataset.header
    assert (header.games, header.read, header.rejected) == (60, 60, {})
    assert header.moves == len(dataset.moves) == sum(len(each.actions) for each in games)
    assert header.validation_games == len(validation) > 0


def test_the_order_of_reading_does_not_matter(tmp_path: Path) -> None:
    games = random_recorded(GAME, 80)
    games += [games[3]._replace(result=-games[3].result or 1.0), games[4]]
    first = pack(games, GAME, tmp_path / "first", share=0.2, seed=5)
    again = pack(games[::-1], GAME, tmp_path / "again", share=0.2, seed=5)
    for name in ("moves", "offsets", "results", "validation"):
        np.testing.assert_array_equal(getattr(first, name), getattr(again, name))
    assert first.header.training_digest == again.header.training_digest
    assert first.header.validation_digest == again.header.validation_digest


def test_digests_are_of_moves_and_results(tmp_path: Path) -> None:
    games = random_recorded(GAME, 40)
    digests = set()
    for number, changed in enumerate(
        [games, games[1:], [games[0]._replace(result=-games[0].result or 1.0), *games[1:]]]
    ):
        header = pack(changed, GAME, tmp_path / str(number), share=0.0).header
        digests.add(header.training_digest)
        assert header.validation_digest not in digests  # that of no games
    assert len(digests) == 3


def test_a_game_stays_in_its_set_when_others_come(tmp_path: Path) -> None:
    games = random_recorded(GAME, 90)
    few = pack(games[:30], GAME, tmp_path / "few", share=0.3)
    many = pack(games, GAME, tmp_path / "many", share=0.3)
    for validation in (True, False):
        assert games_of(few, validation) <= games_of(many, validation)


def test_the_share_and_the_seed_of_validation() -> None:
    digests = [bytes([i % 256, i // 256]) for i in range(4000)]
    for share in (0.0, 0.05, 0.5):
        chosen = [is_for_validation(digest, share, seed=1) for digest in digests]
        assert sum(chosen) == pytest.approx(4000 * share, abs=4 * (4000 * share) ** 0.5)
    first, second = (
        [is_for_validation(digest, 0.5, seed) for digest in digests] for seed in (1, 2)
    )
    assert 0.45 < np.mean(np.equal(first, second)) < 0.55
    small = [is_for_validation(digest, 0.1, 1) for digest in digests]
    assert all(more for less, more in zip(small, first, strict=True) if less)


def test_what_is_rejected(tmp_path: Path) -> None:
    good = random_recorded(GAME, 3)
    records = [
        *good,
        good[1]._replace(source="b.sgf"),
        good[0]._replace(source="a.sgf"),
        RecordedGame(GAME, (0, 1), None, source="c.sgf"),
        RecordedGame(GAME, (), 1.0),
        RecordedGame(Gobang(6, 5, 4), (0, 1), 1.0),
        RecordedGame(Gobang(5, 5, 3), (0, 1), 1.0),
        RecordedGame(Othello(6, 6), (8,), 1.0),
        RecordedGame(GAME, (1, 2), 1.0, start="x....|.....|.....|.....|.....", turn="white"),
        RecordedGame(GAME, (2, 3), 1.0, start="xo...|.....|.....|.....|....."),
        RecordError("d.sgf: it is not SGF"),
    ]
    header = pack(records, GAME, tmp_path / "games").header
    assert {reason: each["number"] for reason, each in header.rejected.items()} == {
        Reason.DUPLICATE: 2,
        Reason.OTHER_START: 2,
        Reason.NO_RESULT: 1,
        Reason.NO_MOVES: 1,
        Reason.OTHER_BOARD: 1,
        Reason.OTHER_RULES: 1,
        Reason.OTHER_GAME: 1,
        Reason.NOT_A_RECORD: 1,
    }
    assert next(iter(header.rejected)) == Reason.DUPLICATE  # the most frequent first
    assert header.rejected[Reason.DUPLICATE]["first"] == "b.sgf: the same moves were read before"
    assert header.rejected[Reason.OTHER_BOARD]["first"] == "the board is 6x5"
    assert header.rejected[Reason.OTHER_RULES]["first"] == "it is a game of gobang 5x5 k=3"
    assert (header.read, header.games) == (len(records), 3)


def test_a_start_that_is_spelled_out(tmp_path: Path) -> None:
    """Records of Othello often set up the four stones of the start."""
    game = Othello(4, 4)
    (recorded,) = random_recorded(game, 1)
    start = recorded.first.text
    assert pack([recorded._replace(start=start)], game, tmp_path / "a").header.games == 1


def test_free_parameters_may_differ_but_moves_must_be_legal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With k free, a game that goes on after four in a row is legal by its own rules alone."""
    monkeypatch.setattr(packing, "FREE", frozenset({"k"}))
    four = (0, 5, 1, 6, 2, 7, 3)  # Black has a row of four
    records = [
        RecordedGame(Gobang(5, 5, 5), four, 1.0),
        RecordedGame(Gobang(5, 5, 5), (*four, 8), 1.0),
    ]
    header = pack(records, GAME, tmp_path / "games").header
    assert header.games == 1
    assert header.rejected[Reason.ILLEGAL_MOVE]["first"] == "move 8, d4, is not legal"


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        (Solitaire(3, 3), "expected a game for two players"),
        (make_game("clobber", "3x3", ["start=random"]), "always starts from the same position"),
        (make_game("examples/snort.py", "3x3"), "rules in a file of yours"),
    ],
)
def test_games_that_cannot_be_packed(game: object, reason: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=reason):
        pack([], game, tmp_path / "games")


def test_too_many_actions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "MOST_ACTIONS", 25)
    pack([], GAME, tmp_path / "games")
    with pytest.raises(UsageError, match="it has 36 actions, at most 25 are possible"):
        pack([], Gobang(6, 6), tmp_path / "games")


@pytest.mark.parametrize("share", [-0.1, 1.0, float("nan")])
def test_impossible_shares(share: float, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="expected 0 to below 1"):
        pack([], GAME, tmp_path / "games", share)


def test_a_graph_can_be_packed(tmp_path: Path) -> None:
    game = wheel(6)
    assert pack(random_recorded(game, 9), game, tmp_path / "games").game == game


def test_files_are_packed_with_progress(tmp_path: Path) -> None:
    games = random_recorded(GAME, 30)
    (tmp_path / "in").mkdir()
    for name, part in (("a.sgfl", games[:20]), ("b.sgfl", games[20:])):
        (tmp_path / "in" / name).write_bytes(b"\n".join(map(as_line, part)))
    told = []
    dataset = pack_files(
        [tmp_path / "in"], GAME, tmp_path / "out", 0.1, 7, lambda *each: told.append(each)
    )
    assert [count for count, _ in told] == list(range(1, 31))
    shares = [share for _, share in told]
    assert shares == sorted(shares)
    assert 0 < shares[0] < 1
    assert shares[-1] == 1
    assert dataset.header.sources == [str(tmp_path / "in")]
    assert (dataset.header.seed, dataset.header.validation_share) == (7, 0.1)


def test_a_missing_directory_is_noticed_before_reading(tmp_path: Path) -> None:
    def never():
        raise AssertionError
        yield

    with pytest.raises(UsageError, match="cannot be written: there is no such directory"):
        pack(never(), GAME, tmp_path / "missing" / "games")


def test_nothing_is_left_when_packing_fails(tmp_path: Path) -> None:
    def broken():
        yield from random_recorded(GAME, 2)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pack(broken(), GAME, tmp_path / "games")
    assert list(tmp_path.iterdir()) == []
