"""A small UCI engine that plays Clobber with rules of its own, and can misbehave.

    python fake_uci.py [BEHAVIOUR]

Without zerolab: it reads positions as any engine would, so it checks the bridge too.
"""

import os
import random
import sys
import time


def moves(fen):
    """All moves of a position, by their names."""
    board, side = fen.split()[:2]
    cells = {}
    lines = board.split("/")
    for row, line in enumerate(lines):
        col, number = 0, ""
        for sign in line + " ":
            if sign.isdigit():
                number += sign
                continue
            col, number = col + int(number or 0), ""
            if sign != " ":
                cells[row, col] = sign
                col += 1
    own, other = ("P", "p") if side == "w" else ("p", "P")

    def name(row, col):
        return f"{'abcdefghij'[col]}{len(lines) - row}"

    return [
        name(row, col) + name(row + down, col + right)
        for (row, col), sign in cells.items()
        for down, right in ((-1, 0), (0, -1), (1, 0), (0, 1))
        if sign == own and cells.get((row + down, col + right)) == other
    ]


def main(behaviour="well"):
    fen, games = "", 0
    for line in sys.stdin:
        command, *words = line.split()
        if command == "uci":
            if behaviour == "silent":
                continue
            variants = "var chess" if behaviour == "chess" else "var chess var clobber"
            print("id name fake")
            print(f"option name UCI_Variant type combo default chess {variants}")
            print("option name Skill Level type spin default 20 min -20 max 20")
            print("uciok")
        elif command == "setoption" and behaviour == "picky":
            print(f"no such option: {line}", file=sys.stderr)
            sys.exit(3)
        elif command == "isready":
            print("readyok")
        elif command == "ucinewgame":
            games += 1
            print(f"info string game {games}")
        elif command == "position":
            fen = " ".join(words[1:])
        elif command == "go":
            if behaviour == "crash":
                print("Segmentation fault, as it were", file=sys.stderr)
                sys.exit(139)
            if behaviour == "hang":
                time.sleep(3600)
            if behaviour == "close":
                os.close(1)
                time.sleep(3600)
            move = random.Random(fen).choice(moves(fen))  # the same in every process
            cheats = {"cheat": move[2:] + move[:2], "nonsense": "resign now", "none": "(none)"}
            print("info depth 1 score cp 0")
            print(f"bestmove {cheats.get(behaviour, move)} ponder a1a2")
        elif command == "quit":
            if behaviour == "stay":
                time.sleep(3600)
            break
        sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
