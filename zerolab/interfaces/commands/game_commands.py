"""The commands about games, one function each: play, count, search, solve.

Every parameter is an argument and its docstring line its help. Imports stand inside the functions:
what a command does not need is not loaded.
"""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import tyro

from zerolab.errors import UsageError
from zerolab.interfaces.commands.arguments import (
    Colour,
    Count,
    GameName,
    OptionalCount,
    Options,
    PlayerName,
    Seed,
    Size,
    at_least,
)
from zerolab.interfaces.views.output import Output

if TYPE_CHECKING:
    from zerolab.games.base import Game, State


def games(json: bool = False) -> None:
    """List the games, their sizes and options, and the players.

    Args:
        json: Print one JSON object and nothing else.
    """
    from zerolab.interfaces.views import listing

    listing.show_games(Output(json))


def perft(
    game: GameName,
    size: Size = None,
    options: Options = (),
    depth: Count = 4,
    json: bool = False,
) -> None:
    """Count the lines of play of length 1, 2, ... from the starting position.

    Example: zerolab perft clobber --size 4x4 --depth 4

    Args:
        game: A game (see zerolab games) or a file of rules, such as mygame.py.
        size: Size of the board.
        options: Other parameters of the game, such as variant=cannibal.
        depth: How many moves deep.
        json: Print one JSON object and nothing else.
    """
    from zerolab.games.boards.stones import initial_state
    from zerolab.games.catalogue import describe, make_game
    from zerolab.games.perft_counts import perft as count
    from zerolab.kernels.rng import stream

    out = Output(json)
    record = make_game(game, size, options)
    state = initial_state(record, stream(0))
    with out.compiling():
        count(record, state, 1)
    counts, started = [], time.perf_counter()
    for level in range(1, depth + 1):
        counts.append(count(record, state, level))
    seconds = time.perf_counter() - started
    out.table(
        f"perft of {describe(record)}",
        ("depth", "lines of play"),
        [(str(level + 1), f"{leaves:,}") for level, leaves in enumerate(counts)],
    )
    out.result({"game": describe(record), "counts": counts, "seconds": seconds})


def match(
    game: GameName,
    size: Size = None,
    options: Options = (),
    black: PlayerName = "random",
    white: PlayerName = "random",
    games: OptionalCount = None,
    pairs: OptionalCount = None,
    opening: Annotated[int | None, at_least(0)] = None,
    sprt: Annotated[tuple[float, float] | None, tyro.conf.arg(metavar="ELO0 ELO1")] = None,
    seed: Seed = 0,
    json: bool = False,
) -> None:
    """Play many games between two players, on all cores.

    Example: zerolab match clobber --size 6x6 --black first --white random --games 100000 --seed 1

    Example: zerolab match clobber --size 5x5 --black mcts:40 --white mcts:20 --pairs 99 --sprt 0 50

    Args:
        game: A game (see zerolab games) or a file of rules, such as mygame.py.
        size: Size of the board.
        options: Other parameters of the game, such as variant=cannibal start=random.
        black: Who moves first: random, mcts:1000, az:runs/demo@100, ... (see zerolab games).
        white: Who moves second.
        games: How many games with these colours (1000).
        pairs: Play so many openings instead, each with both colours, and tell the lead in Elo.
        opening: Random moves that begin each pair (2).
        sprt: Stop pairs as soon as it is clear whether black's lead is ELO0 or ELO1 (sequential
            probability ratio test, 5 % error either way).
        seed: The same seed gives the same games, on any number of cores, unless players are limited
            by time or by what a solver has in its table.
        json: Print one JSON object and nothing else.
    """
    from zerolab.games.catalogue import make_game
    from zerolab.interfaces.views.match_view import show_match

    out = Output(json)
    record = make_game(game, size, options)
    if pairs is not None:
        from zerolab.evaluation.matches.duel import Duel
        from zerolab.games.openings import PLIES
        from zerolab.interfaces.views.pairs_view import show_pairs

        if games is not None:
            raise UsageError("--pairs N plays 2 N games: leave out --games")
        opening = PLIES if opening is None else opening
        show_pairs(out, Duel(record, (black, white), pairs, opening, seed), sprt)
        return
    if opening is not None or sprt is not None:
        raise UsageError("--opening and --sprt go with --pairs N, the most pairs to be played")
    show_match(out, record, (black, white), 1000 if games is None else games, seed)


def play(
    game: GameName,
    size: Size = None,
    options: Options = (),
    black: PlayerName = "human",
    white: PlayerName = "mcts:1000",
    position: str | None = None,
    first: Colour = "black",
    seed: Seed = 0,
    json: bool = False,
) -> None:
    """Play a game in the terminal, or watch two players.

    Example: zerolab play clobber --size 5x5 --black human --white mcts:1000

    Args:
        game: A game (see zerolab games) or a file of rules, such as mygame.py.
        size: Size of the board.
        options: Other parameters of the game, such as variant=cannibal.
        black: human, random, mcts:1000, az:runs/demo@100, ... (see zerolab games).
        white: The same.
        position: Start from here instead, such as "xoxo|ox..".
        first: Who moves first in that position.
        seed: The same seed gives the same moves of the players that draw lots.
        json: Print the moves and the result as one JSON object; the board goes to standard error.
    """
    from zerolab.interfaces.views.terminal import TerminalGame
    from zerolab.kernels.rng import stream

    out = Output(json)
    record, state = _set_up(game, size, options, position, first, seed)
    TerminalGame(out, record, state, (black, white), stream(seed)).play()


def analyze(
    game: GameName,
    size: Size = None,
    options: Options = (),
    position: str | None = None,
    first: Colour = "black",
    player: PlayerName = "mcts:10000",
    seed: Seed = 0,
    tree: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None,
    tree_depth: Count = 3,
    tree_width: Count = 3,
    json: bool = False,
) -> None:
    """Show what a search thinks of a position: candidate moves, visits, values, how play goes on.

    Example: zerolab analyze clobber --position "xoxo|oxox|xo.." --player mcts:10000

    Args:
        game: A game (see zerolab games) or a file of rules, such as mygame.py.
        size: Size of the board.
        options: Other parameters of the game, such as variant=cannibal.
        position: Look at this position instead of the start, such as "xoxo|ox..".
        first: Who is to move in that position.
        player: The search: mcts:N, mcts:500ms for time, or a network's, az:runs/demo@100.
        seed: The same seed gives the same search.
        tree: Draw the search tree to this file, .svg or .dot.
        tree_depth: How many moves deep to draw.
        tree_width: How many moves of each position to draw, the most visited first.
        json: Print one JSON object and nothing else.
    """
    from zerolab.evaluation.players.players import make_player, search_for
    from zerolab.interfaces.plots import tree_picture
    from zerolab.interfaces.views import listing
    from zerolab.kernels.rng import stream

    if tree is not None:
        tree_picture.check_path(tree)
    out = Output(json)
    record, state = _set_up(game, size, options, position, first, seed)
    with out.compiling():
        search = search_for(make_player(player), record, state, stream(seed))
    listing.show_analysis(out, record, state, player, search.analyse())
    if tree is not None:
        tree_picture.write(tree, record, search.outline(tree_depth, tree_width))
        out.note(f"search tree drawn to {tree}")


def solve(
    game: GameName,
    size: Size = None,
    options: Options = (),
    position: str | None = None,
    first: Literal["black", "white", "both"] | None = None,
    moves: bool = False,
    value: bool = False,
    memory: Annotated[OptionalCount, tyro.conf.arg(metavar="MB")] = None,
    threads: OptionalCount = None,
    table: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None,
    proof: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None,
    minutes: float = 60.0,
    seed: Seed = 0,
    without: tuple[
        Literal["values", "cancelling", "ordering", "outlook", "close-look", "database"], ...
    ] = (),
    json: bool = False,
) -> None:
    """Solve a position exactly: who wins with perfect play, or for solitaire how few stones stay.

    Examples: zerolab solve clobber --size 4x6;
    zerolab solve clobber --position "xxo|o.x" --moves --value

    Args:
        game: A game (see zerolab games) or a file of rules, such as mygame.py.
        size: Size of the board.
        options: Other parameters of the game, such as variant=cannibal.
        position: Solve this position instead of the start, such as "xoxo|ox..", or in the form of
            the program MCGS, such as "[clobber] XOX|OXO X.O {B}" for the sum of two boards.
        first: Who moves first. Without it Black does, and where the position allows White to move
            first that is solved too, which gives the outcome class N, P, L or R.
        moves: Show what each move is worth.
        value: Show the value as a combinatorial game, and its atomic weight (Clobber).
        memory: Megabytes for the table of positions; without it, half of what is free.
        threads: Threads that search together (Clobber); without it, one for each core.
        table: Keep the table of settled positions in this file, and go on from it if it is there
            (Clobber). Ctrl-C keeps it too.
        proof: For proofs that take days: solve the position in parts and add each to this file,
            which a later run reads, on this machine or another (Clobber).
        minutes: How long to work on the --proof.
        seed: Changes the hash keys of positions, and another than 0 does without what is kept of
            earlier solves: another seed verifies a result.
        without: Do without methods of the Clobber solver, to verify a result in another way;
            `database` is what is kept of earlier solves of boards of 24 to 28 cells.
        json: Print one JSON object and nothing else.
    """
    from zerolab.games.mcgs_notation import is_mcgs, parse_mcgs
    from zerolab.games.solitaire import Solitaire
    from zerolab.interfaces.views import solution_view as solving

    out = Output(json)
    if position is not None and is_mcgs(position):
        position, player = parse_mcgs(position)
        first = first or player
    mover: Colour = "white" if first == "white" else "black"
    record, state = _set_up(game, size, options, position, mover, seed=0)
    if isinstance(record, Solitaire):
        solving.show_solitaire(out, record, state)
        return
    solver = solving.set_up(out, record, state, memory, threads, seed, without)
    if proof is not None:
        if moves or value or table is not None or first == "both":
            raise UsageError("--proof goes without --moves, --value, --table and --first both")
        solving.show_campaign(out, solver, state, proof, minutes)
    else:
        wanted = solving.Wanted(first in (None, "both"), moves, value)
        solving.show_solution(out, solver, state, wanted, table)


def _set_up(
    game: str,
    size: str | None,
    options: tuple[str, ...],
    position: str | None,
    first: Colour,
    seed: int,
) -> "tuple[Game, State]":
    """The game, and a position given as text or its start. Without a size the text tells it."""
    from zerolab.games.base import WHITE
    from zerolab.games.boards.stones import initial_state
    from zerolab.games.catalogue import has_size, make_game
    from zerolab.games.notation import (
        COLOUR_NAMES,
        format_position,
        parse_position,
        size_of_position,
    )
    from zerolab.kernels.rng import stream

    if position is None:
        record = make_game(game, size, options)
        state = initial_state(record, stream(seed, 1))
        if first == "white":
            state = parse_position(record, format_position(record, state), WHITE)
        return record, state
    if size is None and has_size(game):
        size = "{}x{}".format(*size_of_position(position))
    record = make_game(game, size, options)
    return record, parse_position(record, position, COLOUR_NAMES.index(first))
