"""A GTP engine built on zerolab that plays by lot, and can misbehave.

python fake_gtp.py GAME [BEHAVIOUR]
"""

import sys
import time

from zerolab.games.base import player_to_move, step
from zerolab.games.boards.stones import initial_state
from zerolab.games.catalogue import make_game
from zerolab.games.notation import COLOUR_NAMES, format_move, legal_list, parse_move
from zerolab.kernels.rng import random_below, stream


def main(name, behaviour="well"):
    rng = stream(1)
    game = make_game(name)
    state = initial_state(game, rng)
    print("log: on standard error this disturbs nobody", file=sys.stderr)
    for line in sys.stdin:
        command, *words = line.split()
        answer = "= "
        if command == "protocol_version":
            answer = "= 1" if behaviour == "old" else "= 2"
        elif command in ("boardsize", "rectangular_boardsize"):
            cols, rows = words if len(words) == 2 else words * 2
            if behaviour == "small":
                answer = "? unacceptable size"
            else:
                game = game._replace(rows=int(rows), cols=int(cols))
        elif command == "clear_board":
            state = initial_state(game, rng)
        elif command == "play":
            colour, move = words
            assert colour == COLOUR_NAMES[player_to_move(state)]
            step(game, state, parse_move(game, state, move))
        elif command == "genmove":
            assert words == [COLOUR_NAMES[player_to_move(state)]]
            if behaviour == "crash":
                raise RuntimeError("no idea")
            if behaviour == "hang":
                time.sleep(3600)
            legal = legal_list(game, state)
            move = legal[random_below(rng, len(legal))]
            # A stubborn one plays on until little is left, like an engine that knows when it lost.
            if behaviour == "resign" or (behaviour == "stubborn" and len(legal) < 8):
                print("= resign\n", flush=True)
                continue
            step(game, state, move)
            cheats = {"cheat": "a1a1"}
            answer = f"= {cheats.get(behaviour, format_move(game, move).upper())}"
        elif command == "quit":
            break
        else:
            answer = "? unknown command"
        print(answer + "\n", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
