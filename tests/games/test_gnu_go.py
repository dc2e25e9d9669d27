"""GNU Go agrees: which points are legal in random games, and who wins games played to the end."""

from collections.abc import Iterator

import pytest

from tests.evaluation.engines.real import GNU_GO, needs
from zerolab.evaluation.players.gtp import GtpPlayer
from zerolab.games.go import Go, area_lead
from zerolab.games.notation import format_halves
from zerolab.games.position import Position
from zerolab.kernels.rng import random_below, stream

pytestmark = needs(GNU_GO)


@pytest.fixture(name="gnu_go", scope="module")
def _gnu_go() -> Iterator[GtpPlayer]:
    options = "--mode gtp --chinese-rules --positional-superko --level 1 --never-resign --seed 1"
    player = GtpPlayer("gnugo", [GNU_GO, *options.split()])
    yield player
    player.close()


@pytest.mark.parametrize(
    ("size", "games"), [(1, 1), (2, 30), (3, 20), (4, 5), (5, 5), (9, 2), (13, 1), (19, 1)]
)
def test_every_point_of_random_games(gnu_go: GtpPlayer, size: int, games: int) -> None:
    """Positional superko over the whole game, though the state remembers one board only."""
    game = Go(size, size, history=1, limit=min(300, 20 * size * size))
    for seed in range(games):
        gnu_go.check(game)
        rng = stream(seed)
        position = Position.start(game)
        while not position.is_over:
            legal = position.legal_moves
            theirs = gnu_go._ask(f"all_legal {position.turn}").lower().split()
            assert set(legal) == {*theirs, "pass"}
            stones = legal[:-1] if len(legal) > 1 and random_below(rng, 4) else legal
            move = stones[random_below(rng, len(stones))]
            gnu_go._ask(f"play {position.turn} {move}")
            position = position.play(move)


@pytest.mark.parametrize(("size", "games"), [(5, 4), (7, 3), (9, 2)])
@pytest.mark.parametrize("half_komi", [0, 15])
def test_final_scores(gnu_go: GtpPlayer, size: int, games: int, half_komi: int) -> None:
    """GNU Go plays against itself until all dead stones are captured, after random openings."""
    game = Go(size, size, half_komi, limit=400)
    for seed in range(games):
        gnu_go.check(game)
        rng = stream(seed)
        position = Position.start(game)
        for _ in range(seed):
            move = position.legal_moves[random_below(rng, len(position.legal_moves) - 1)]
            gnu_go._ask(f"play {position.turn} {move}")
            position = position.play(move)
        while not position.is_over:
            move = gnu_go._ask(f"kgs-genmove_cleanup {position.turn}").lower()
            position = position.play(move)
        half_points = 2 * area_lead(game, position.words) - half_komi
        points = format_halves(abs(half_points))
        points = points if "." in points else f"{points}.0"
        ours = f"{'B' if half_points > 0 else 'W'}+{points}" if half_points else "0"
        assert gnu_go._ask("final_score") == ours
        outcome = position.outcome()
        assert outcome is not None
        assert outcome.value == (half_points > 0) - (half_points < 0)


def test_the_bridge_tells_the_komi(gnu_go: GtpPlayer) -> None:
    gnu_go.check(Go(5, 5, half_komi=13))
    assert gnu_go._ask("get_komi") == "6.5"
    gnu_go.check(Go(5, 5, half_komi=0))
    assert gnu_go._ask("get_komi") == "0.0"


def test_it_plays_go(gnu_go: GtpPlayer) -> None:
    """Its moves on a board with a column j, through the bridge."""
    position = Position.start(Go(10, 10, limit=30))
    while not position.is_over:
        position = position.after(gnu_go.choose(position, stream(0)))
    assert len(position.moves) == 30
    assert {move[0] for move in position.moves} & {"j", "k"}
