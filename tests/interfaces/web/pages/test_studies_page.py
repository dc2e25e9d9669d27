"""Studies and tournaments, in a real browser; their orders, without one."""

import pytest

from tests.experiments.sweeps.small import small_sweep
from tests.experiments.sweeps.test_reading import filled
from tests.interfaces.web.pages.browsing import needs_browser
from zerolab.errors import UsageError
from zerolab.interfaces.web.pages.standings import Standing, standing_of, tournament_arguments
from zerolab.interfaces.web.pages.tournament_charts import cost_chart
from zerolab.interfaces.web.parts.game_fields import ChosenGame
from zerolab.interfaces.web.safety import Rules


@needs_browser
def test_a_tournament_is_played_and_shown(address, open_page, runs):
    page = open_page(f"{address}/studies")
    page.get_by_label("size").fill("2x2")
    page.get_by_label("rounds").fill("2")
    page.get_by_label("players").fill("random gtp:evil")
    page.get_by_role("button", name="Play", exact=True).click()
    page.locator(".zl-error", has_text="--allow-engines").wait_for()
    page.get_by_label("players").fill("random first")
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_text("4 games.").wait_for()
    page.locator("td", has_text="random").wait_for()
    page.reload()
    page.get_by_text("4 games.").wait_for()
    page.get_by_text("Elo and what it costs").wait_for()
    standing = standing_of(Rules(runs), "demo")
    assert set(standing.seconds) == {"random", "first"}
    assert standing.games == 4
    assert {name for name, *_ in standing.players} == {"random", "first"}


@pytest.mark.slow  # a worker imports what training needs
@needs_browser
def test_a_sweep_is_shown(address, open_page, runs):
    filled(small_sweep(objectives=("loss", "time")), runs / "sweeps" / "one")
    page = open_page(f"{address}/studies?sweep=sweeps/one")
    page.get_by_text("othello 5x5, grid: 4 of 4 trials ended.").wait_for()
    page.get_by_text("Pareto front: none beats").wait_for()
    page.get_by_text("What explains the differences").wait_for()
    assert page.locator("td", has_text="best").count() == 2
    (runs / "sweeps" / "one" / "sweep.json").write_text("{}")
    page.locator(".zl-error", has_text="sweep.json is damaged").wait_for()


def test_costs_and_the_pareto_front():
    players = [("slow", 90.0, 5.0, ""), ("quick", 50.0, 5.0, ""), ("bad", 10.0, 5.0, "")]
    standing = Standing(3, players, {}, {"slow": 0.02, "quick": 0.001, "bad": 0.005})
    front, points = cost_chart(standing)["series"]
    assert front["data"] == [[1.0, 50], [20.0, 90]]
    assert [each["name"] for each in points["data"]] == ["slow", "quick", "bad"]


def test_a_tournament_becomes_a_command(tmp_path):
    rules = Rules(tmp_path)
    name, arguments = tournament_arguments(
        rules, ChosenGame("clobber", "3x3"), "cup", "random mc:5", "4"
    )
    assert name == "cup"
    assert arguments[:4] == ["tournament", "clobber", "--size", "3x3"]
    assert arguments[4:7] == ["--players", "random", "mc:5"]
    assert str(tmp_path / "tournaments" / "cup.jsonl") in arguments


@pytest.mark.parametrize(
    ("board", "name", "players", "rounds"),
    [
        (("chess", ""), "cup", "random first", "1"),
        (("clobber", "3x3"), "../cup", "random first", "1"),
        (("clobber", "3x3"), "cup", "random", "1"),
        (("clobber", "3x3"), "cup", "random random", "1"),
        (("clobber", "3x3"), "cup", "random mcts:x", "1"),
        (("clobber", "3x3"), "cup", "random --help", "1"),
        (("clobber", "3x3"), "cup", "random first", "0"),
        (("clobber", "3x3"), "cup", "random first", "1 --plot x"),
    ],
)
def test_bad_tournaments_get_a_sentence(tmp_path, board, name, players, rounds):
    with pytest.raises(UsageError):
        tournament_arguments(Rules(tmp_path), ChosenGame(*board), name, players, rounds)


def test_without_games_there_is_no_standing(tmp_path):
    assert standing_of(Rules(tmp_path), "nothing") is None
    with pytest.raises(UsageError):
        standing_of(Rules(tmp_path), "../../etc/passwd")
    (tmp_path / "tournaments").mkdir()
    (tmp_path / "tournaments" / "cup.jsonl").write_text("[1]\nx\n")
    with pytest.raises(UsageError, match=r"cup\.jsonl"):
        standing_of(Rules(tmp_path), "cup")


def test_a_variant_is_passed_on(tmp_path):
    board = ChosenGame("clobber", "3x3", "variant=cannibal")
    _, arguments = tournament_arguments(Rules(tmp_path), board, "cup", "random first", "1")
    assert arguments[2:6] == ["--size", "3x3", "--options", "variant=cannibal"]
    board = ChosenGame("graph-clobber", "3x3")  # which has no size
    _, arguments = tournament_arguments(Rules(tmp_path), board, "cup", "random first", "1")
    assert "--size" not in arguments
