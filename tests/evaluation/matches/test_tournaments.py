import json
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.evaluation.guests import guests  # noqa: F401
from tests.networks.making import CONFIGS, make_network
from zerolab.errors import UsageError
from zerolab.evaluation.matches import threads
from zerolab.evaluation.matches.pairs import Played
from zerolab.evaluation.matches.results_file import read_results
from zerolab.evaluation.matches.tournaments import (
    Event,
    cross_table,
    doubts,
    meetings,
    missing,
    plan,
    play_event,
    prepare_event,
    settled,
    thinking_times,
)
from zerolab.evaluation.ratings.bradley_terry import Meeting
from zerolab.evaluation.ratings.intervals import interval_of
from zerolab.games.clobber import Clobber
from zerolab.games.playing.score import Score
from zerolab.networks.checkpoints import save_network
from zerolab.networks.header import Header

pytestmark = pytest.mark.usefixtures("guests")

GAME = Clobber(4, 4)
SMALL = CONFIGS["resnet none"]
FAKE = Path(__file__).parent.parent / "engines" / "fake_gtp.py"
EVENT = Event(GAME, ("random", "mcts:10", "batched"), 5, seed=1)


def essence(games):
    """Games but for the times."""
    return sorted(str(each._replace(seconds=(0.0, 0.0))) for each in games)


def pairings(games):
    return {frozenset((each.first, each.second)) for each in games}


def test_everyone_meets_everyone_with_every_opening_and_both_colours():
    games, is_complete = play_event(EVENT)
    assert is_complete
    assert len(games) == 3 * 5 * 2
    assert len(pairings(games)) == 3
    openings = {each.pair: each.opening for each in games}
    assert len(set(openings.values())) == 5
    met = Counter((each.first, each.second, each.opening) for each in games)
    assert set(met.values()) == {1}
    assert len(met) == 30


def test_a_gauntlet_is_the_first_against_the_others():
    games, _ = play_event(EVENT._replace(is_gauntlet=True, players=("first", *EVENT.players)))
    assert pairings(games) == {frozenset(("first", name)) for name in EVENT.players}
    assert len(games) == 3 * 5 * 2


@pytest.mark.parametrize("count", [1, 2, 4])
def test_threads_change_nothing(count):
    assert essence(play_event(EVENT, threads=count)[0]) == essence(play_event(EVENT)[0])


def test_a_second_start_plays_what_is_missing(tmp_path):
    path = tmp_path / "games.jsonl"
    short, _ = play_event(EVENT._replace(rounds=2), path)
    told = []
    longer, _ = play_event(EVENT, path, on_progress=lambda *news: told.append(news))
    assert told[0] == (12, 30)
    assert told[-1] == (30, 30)
    assert set(map(str, short)) <= set(map(str, longer))  # to the times: they were not played again
    assert essence(longer) == essence(play_event(EVENT)[0]) == essence(read_results(path)[1])
    again, _ = play_event(EVENT, path)
    assert again == read_results(path)[1]
    assert len(again) == 30


def test_players_may_be_added(tmp_path):
    path = tmp_path / "games.jsonl"
    play_event(EVENT, path)
    more = EVENT._replace(players=("first", *EVENT.players))
    games, _ = play_event(more, path)
    assert len(games) == 6 * 5 * 2
    with pytest.raises(UsageError, match="in which random, mcts:10 played too"):
        play_event(EVENT._replace(players=("first", "batched")), path)


def test_games_beyond_the_event_do_not_count(tmp_path):
    """Fewer rounds than the file, or a gauntlet, whose games are there already."""
    path = tmp_path / "games.jsonl"
    everything, _ = play_event(EVENT, path)
    for event, count in [
        (EVENT._replace(rounds=2), 12),
        (EVENT._replace(is_gauntlet=True), 20),
    ]:
        games, is_complete = play_event(event, path)
        assert is_complete
        assert len(games) == count
        assert essence(games) == essence(play_event(event)[0])
    assert read_results(path)[1] == everything


@pytest.mark.parametrize("order", [(1, 2, 0), (2, 1, 0)])
def test_the_order_of_players_changes_nothing(order):
    players = tuple(EVENT.players[number] for number in order)
    assert essence(play_event(EVENT._replace(players=players))[0]) == essence(play_event(EVENT)[0])


def test_who_always_fails_is_given_up_and_the_others_go_on(monkeypatch):
    monkeypatch.setattr(threads, "MOST_FAILURES", 3)
    event = EVENT._replace(players=("dead", "random", "mcts:10"))
    games, is_complete = play_event(event, threads=1)
    assert is_complete
    assert len(games) == 30
    reasons = Counter(each.failed for each in games)
    assert reasons[None] == 10
    assert reasons["dead: it never lived"] == 3
    assert reasons[f"dead: {threads.GIVEN_UP}"] == 17


def test_the_newest_network_is_the_same_throughout(tmp_path):
    """Training goes on while a tournament is planned, played and resumed."""
    network, header = make_network(SMALL, GAME), Header.of(GAME, SMALL, "own")
    save_network(tmp_path / "network-000010.safetensors", network, header)
    event = EVENT._replace(players=("random", f"net:{tmp_path}"), rounds=1)
    path = tmp_path / "games.jsonl"

    def go_on(done, planned):
        save_network(tmp_path / "network-000020.safetensors", network, header)

    games, _ = play_event(event, path, on_progress=go_on)
    assert {name for each in games for name in each[1:3]} == {"random", f"net:{tmp_path}#10"}
    assert read_results(path)[0]["players"] == ["random", f"net:{tmp_path}#10"]
    with pytest.raises(UsageError, match="#10 played too"):
        play_event(event, path)
    both = ("random", f"net:{tmp_path}", f"net:{tmp_path}#20")
    with pytest.raises(UsageError, match="#20' is named twice"):
        play_event(event._replace(players=both))


def test_failed_games_are_not_counted_and_tried_again(tmp_path):
    path = tmp_path / "games.jsonl"
    event = EVENT._replace(players=("weak", "random", "mcts:10"))
    games, is_complete = play_event(event, path)
    failed = [each for each in games if each.failed]
    assert is_complete
    assert 0 < len(failed) < 20
    assert all("weak" in (each.first, each.second) for each in failed)
    assert (
        sum(each.score.games for each in meetings(games))
        == len(games) - len(failed)
        == 30 - len(failed)
    )
    assert len(missing(event, games)) == len(failed)
    told = []
    again, _ = play_event(event, path, on_progress=lambda *news: told.append(news))
    assert told[0] == (30 - len(failed), 30)
    assert essence(again) == essence(games)  # it fails again, and each game counts once
    repaired = failed[0]._replace(result=1, failed=None)
    assert repaired in settled([*games, repaired])
    assert repaired in settled([repaired, *games])
    assert len(settled([*games, repaired])) == 30


COMMAND = """
import os, signal, sys
from pathlib import Path
from zerolab.evaluation.matches.tournaments import Event, play_event
from zerolab.games.clobber import Clobber

def on_progress(done, planned):
    if done >= int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)

players = ("mcts:300", "mcts:100", "mc:10")
event = Event(Clobber(5, 5), players, 6, seed=3)
play_event(event, Path(sys.argv[1]), threads=2, on_progress=on_progress)
"""


def test_a_killed_tournament_goes_on_as_if_nothing_had_happened(tmp_path):
    path, whole = tmp_path / "games.jsonl", tmp_path / "whole.jsonl"
    command = [sys.executable, "-c", COMMAND]
    for wanted in (3, 15):
        killed = subprocess.run([*command, str(path), str(wanted)])
        assert killed.returncode == -signal.SIGKILL
        assert wanted <= path.read_bytes().count(b"\n") - 1 < 36
    with path.open("ab") as file:
        file.write(b'{"pair": 3, "first": "mc')
    subprocess.run([*command, str(path), "37"], check=True)
    subprocess.run([*command, str(whole), "37"], check=True)
    assert len(path.read_bytes().splitlines()) == 37
    assert essence(read_results(path)[1]) == essence(read_results(whole)[1])


def test_it_is_told_what_is_wrong_before_the_first_game():
    with pytest.raises(UsageError, match="two players or more"):
        prepare_event(EVENT._replace(players=("random",)))
    with pytest.raises(UsageError, match="'random' is named twice"):
        prepare_event(EVENT._replace(players=("random", "first", "random")))
    with pytest.raises(UsageError, match="knows chess only"):
        prepare_event(EVENT._replace(players=("random", "elsewhere")))


results = st.builds(
    lambda pair, names, result: Played(pair, *names, result, 5, "", "", 0, (1.0, 3.0), (2, 1)),
    st.integers(0, 5),
    st.permutations(["a", "b", "c"]).map(lambda names: tuple(names[:2])),
    st.sampled_from([1, 0, -1]),
)


@given(st.lists(results, max_size=40))
def test_nothing_is_lost_in_tables(played):
    games = settled(played)
    counted = meetings(games)
    assert sum(each.score.games for each in counted) == len(games)
    assert len({each[:2] for each in counted}) == len(counted)
    table = cross_table(games)
    assert sum(score.games for score in table.values()) == 2 * len(games)
    assert sum(score.points for score in table.values()) == len(games)
    for (one, other), score in table.items():
        assert table[other, one] == score.reversed
        wins = sum(
            (each.first, each.second, each.result) in ((one, other, 1), (other, one, -1))
            for each in games
        )
        assert score.wins == wins
        low, high = interval_of(score)
        assert low <= score.share <= high


def test_tables_of_a_few_games():
    line = Played(0, "a", "b", 1, 5, "", "", 0, (1.0, 3.0), (2, 1))
    games = [line, line._replace(pair=1), line._replace(first="b", second="a", result=1)]
    assert meetings(games) == [Meeting("a", "b", Score(2, 0, 0)), Meeting("b", "a", Score(1, 0, 0))]
    assert cross_table(games)["a", "b"] == Score(2, 0, 1)
    # a: 1 + 1 + 3 seconds for 2 + 2 + 1 moves; b: 3 + 3 + 1 for 1 + 1 + 2.
    assert thinking_times(games) == {"a": 1.0, "b": 7 / 4}
    assert thinking_times([line._replace(chosen=(2, 0))]) == {"a": 0.5}
    assert doubts(games) == {}
    games = [line._replace(doubtful=(1, 0)), line._replace(first="b", second="a", doubtful=(0, 1))]
    assert doubts(games) == {"a": (2, 3)}


def test_all_games_are_planned_round_by_round():
    planned = plan(EVENT)
    assert [each.pair for each in planned] == sorted(each.pair for each in planned)
    assert len({each.seed for each in planned}) == len(planned)
    assert json.dumps(planned[0].seed) == str(planned[0].seed)


def test_networks_and_engines_take_part(tmp_path):
    """Real ones: batches of a network on any number of threads, and a program that crashes."""
    network, header = make_network(SMALL, GAME), Header.of(GAME, SMALL, "own")
    save_network(tmp_path / "net.safetensors", network, header)
    path = tmp_path / "net.safetensors"
    names = (f"az:{path}@4", f"net:{path}", "mcts:10")
    games = [play_event(EVENT._replace(players=names), threads=count)[0] for count in (1, 2)]
    assert essence(games[0]) == essence(games[1])
    assert len(games[0]) == 30
    engines = tuple(f"gtp:{sys.executable} {FAKE} clobber {how}" for how in ("well", "crash"))
    event = EVENT._replace(players=(f"az:{path}@4", *engines), rounds=2)
    prepare_event(event)
    played, is_complete = play_event(event)
    assert is_complete
    failed = [each for each in played if each.failed]
    assert len(played) == 12
    assert {each.failed.split(": ")[-1] for each in failed} == {"no idea"}
    assert all(engines[1] in (each.first, each.second) for each in failed)
    assert {(score.games, pair) for pair, score in cross_table(played).items()} >= {
        (4, (f"az:{path}@4", engines[0]))
    }
