"""Time the first command after installation, and the second: python benchmarks/cold_start.py

Both run `zerolab match` in processes of their own, with an empty kernel cache; the first compiles.
"""

import os
import subprocess
import sys
import tempfile
import time

GAMES = ("clobber", "othello", "connect-four", "gobang")


def seconds(game: str, cache: str) -> float:
    command = [sys.executable, "-m", "zerolab", "match", game, "--games", "10", "--json"]
    environment = {**os.environ, "XDG_CACHE_HOME": cache}
    started = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env=environment)
    return time.perf_counter() - started


def main() -> None:
    print(f"{'command':32} {'first':>8} {'second':>8}")
    for game in GAMES:
        with tempfile.TemporaryDirectory() as cache:
            first, second = seconds(game, cache), seconds(game, cache)
        print(f"{'zerolab match ' + game:32} {first:7.1f}s {second:7.1f}s")


if __name__ == "__main__":
    main()
