"""Make slips in the package, one at a time, and see which the tests do not notice.

python -m tests.mutation --workers 2            draw mutants, or go on, and try them
python -m tests.mutation --again survivors      try those again that survived
python -m tests.mutation --report               the tables, for docs/testing.md
"""

import argparse
import hashlib
import itertools
import queue
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path

from tests.mutation import report, results
from tests.mutation.areas import areas
from tests.mutation.mutants import change, mutants_of, mutated, sample
from tests.mutation.results import WAITING, Result
from tests.mutation.trial import FAULTY, SURVIVED, TIMEOUT, Limits, Tree
from zerolab.files import lock

ROOT = Path(__file__).resolve().parents[2]
AGAIN = {"survivors": SURVIVED, "timeouts": TIMEOUT, "faulty": FAULTY}
GONE = "gone"  # the source has changed there


def draw(root: Path, package: str, each: int, seed: int) -> list[Result]:
    """As many mutants from each area; one of each in turn, so that a run cut short is even too."""
    columns = []
    for area, paths in areas(root, package).items():
        column = []
        for mutant in sample(root, paths, each, seed):
            before, after = change((root / mutant.path).read_text("utf-8"), mutated(root, mutant))
            line = mutant.start[0]
            column.append(
                Result(mutant.name, area, mutant.path, line, mutant.operator, before, after)
            )
        columns.append(column)
    turns = itertools.zip_longest(*columns)
    return [result for turn in turns for result in turn if result is not None]


def attempt(tree: Tree, result: Result) -> Result:
    """Try one mutant, wherever it stands now."""
    now = {mutant.name: mutant for mutant in mutants_of(tree.root, result.path)}
    mutant = now.get(result.name)
    if mutant is None:
        return result._replace(outcome=GONE, test="", seconds=0.0)
    begun = time.monotonic()
    verdict = tree.try_mutant(mutant)
    return result._replace(
        line=mutant.start[0],
        outcome=verdict.outcome,
        test=verdict.test,
        seconds=round(time.monotonic() - begun, 1),
    )


def try_all(
    root: Path,
    package: str,
    waiting: list[Result],
    file: Path,
    work: Path,
    workers: int,
    limits: Limits,
) -> None:
    """Try mutants on several copies at once; each result is written as soon as it is known."""
    left: queue.SimpleQueue[Result] = queue.SimpleQueue()
    for result in waiting:
        left.put(result)
    turn = threading.Lock()
    done = itertools.count(1)
    trees = [Tree(root, package, work / str(index + 1), limits) for index in range(workers)]

    def work_on(tree: Tree) -> None:
        while not left.empty():
            try:
                result = attempt(tree, left.get_nowait())
            except (queue.Empty, KeyboardInterrupt):
                return
            with turn:
                results.add(file, [result])
                place = f"{result.path}:{result.line}"
                tell = f"{result.outcome:8} {result.seconds:6.0f} s  {place} {result.test}"
                print(f"{next(done)}/{len(waiting)} {tell}", flush=True)

    threads = [threading.Thread(target=work_on, args=(tree,)) for tree in trees]
    for thread in threads:
        thread.start()
    try:
        while any(thread.is_alive() for thread in threads):
            time.sleep(0.2)
    except KeyboardInterrupt:
        for tree in trees:
            tree.stop()
    for thread in threads:
        thread.join()


def main(arguments: list[str]) -> None:
    """Read the command line and do what it says."""
    # Not what SIGINT does: in the background of a shell that is ignored.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    parser = argparse.ArgumentParser("tests.mutation", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    add = parser.add_argument
    add("--root", type=Path, default=ROOT, help="the tree; it is copied, and not changed")
    add("--package", default="zerolab", help="the package in it")
    add("--each", type=int, default=16, help="mutants of each area")
    add("--seed", type=int, default=17, help="chooses the mutants")
    add("--workers", type=int, default=1, help="how many mutants are tried at once")
    add("--results", type=Path, help="another draw than docs/mutants.jsonl")
    add("--again", choices=list(AGAIN), help="try these again, and what has not been tried")
    add("--only", nargs="+", metavar="AREA_OR_NAME", help="try only these areas or mutants")
    add("--limit", type=float, default=300, help="seconds that one test may take")
    add("--memory", type=float, default=8, help="gigabytes of data that one process may have")
    add("--work", type=Path, help="where the copies are; default: in the temporary directory")
    add("--draw", action="store_true", help="draw mutants and stop")
    add("--report", action="store_true", help="print the tables and stop")
    add("--write", action="store_true", help="write them into docs/testing.md and stop")
    options = parser.parse_args(arguments)
    root = options.root.resolve()
    docs = root / "docs"
    file = options.results or docs / "mutants.jsonl"
    if options.report or options.write:
        known = list(results.read(file).values())
        if options.write:
            report.ask(docs / "survivors.toml", known)
        text = report.report(known, report.explanations(docs / "survivors.toml"))
        if options.write:
            results.renew(file, known)
            report.write(docs / "testing.md", file, text)
        print(text, end="")
        return
    if not results.read(file):
        results.add(file, draw(root, options.package, options.each, options.seed))
    waiting = [
        result
        for result in results.read(file).values()
        if result.outcome in (WAITING, AGAIN.get(options.again))
        and (not options.only or {result.area, result.name} & set(options.only))
    ]
    if not options.draw:
        digest = hashlib.sha256(str(root).encode()).hexdigest()[:8]
        work = options.work or Path(tempfile.gettempdir()) / f"mutation-{digest}"
        limits = Limits(options.limit, options.memory)
        work.mkdir(parents=True, exist_ok=True)
        with (work / "lock").open("wb") as held:
            if not lock(held):
                sys.exit(f"another process tries mutants in {work}; name another --work")
            try_all(root, options.package, waiting, file, work, options.workers, limits)


if __name__ == "__main__":
    main(sys.argv[1:])
