"""Tournaments below the directory of runs: their orders, and how they stand."""

import re
from pathlib import Path
from typing import NamedTuple

from zerolab.errors import UsageError
from zerolab.evaluation.matches.results_file import read_results
from zerolab.evaluation.matches.tournaments import cross_table, meetings, settled, thinking_times
from zerolab.evaluation.ratings.bayesian_elo import rate
from zerolab.files import make_directory
from zerolab.games.catalogue import has_size
from zerolab.interfaces.web.parts.game_fields import ChosenGame
from zerolab.interfaces.web.safety import Rules, check_length
from zerolab.interfaces.web.training_orders import NAME

FOLDER = "tournaments"
MOST_PLAYERS = 16


class Standing(NamedTuple):
    """A tournament as far as it was played."""

    games: int
    players: list[tuple[str, float, float, str]]
    """Name, Elo, its standard error and the score; the strongest first."""
    scores: dict[tuple[str, str], str]
    seconds: dict[str, float]
    """Mean thinking time for a move, of those who have chosen one."""


def tournament_names(rules: Rules) -> list[str]:
    """The tournaments below the directory, by name."""
    return sorted(path.stem for path in rules.inside(FOLDER).glob("*.jsonl"))


def tournament_arguments(
    rules: Rules, board: ChosenGame, name: str, players: str, rounds: str
) -> tuple[str, list[str]]:
    """The command of a tournament and its name; UsageError if it cannot be played."""
    from zerolab.evaluation.players.players import make_player

    rules.game(*board)
    if NAME.fullmatch(name) is None:
        raise UsageError("the name has letters, digits, dots, hyphens and underscores")
    names = [rules.player(each) for each in check_length(players).split()]
    if not 2 <= len(set(names)) == len(names) <= MOST_PLAYERS:
        raise UsageError(f"expected 2 to {MOST_PLAYERS} different players")
    for each in names:
        make_player(each)
    if re.fullmatch(r"[1-9][0-9]{0,3}", rounds.strip()) is None:
        raise UsageError(f"'{rounds[:20]}' rounds are not possible; expected a number up to 9999")
    file = rules.inside(f"{FOLDER}/{name}.jsonl")
    make_directory(file.parent)
    size = ["--size", board.size] if board.size and has_size(board.name) else []
    variant = ["--options", *board.options.split()] if board.options.split() else []
    options = ["--rounds", rounds.strip(), "--results", str(file), "--json"]
    return name, ["tournament", board.name, *size, *variant, "--players", *names, *options]


def standing_of(rules: Rules, name: str) -> Standing | None:
    """What the file of a tournament says; None if no game has ended.

    UsageError if it is damaged.
    """
    path: Path = rules.inside(f"{FOLDER}/{name}.jsonl")
    played = settled(read_results(path)[1]) if path.is_file() else []
    if not played:
        return None
    ratings = rate(meetings(played), None)
    here = f"{rules.runs}/"
    scores = {
        (one.replace(here, ""), other.replace(here, "")): f"{score.points / score.games:.0%}"
        for (one, other), score in cross_table(played).items()
    }
    return Standing(
        len(played),
        [
            (player.name.replace(here, ""), player.rating, player.error, f"{player.score:.0%}")
            for player in ratings.players
        ],
        scores,
        {name.replace(here, ""): each for name, each in thinking_times(played).items()},
    )
