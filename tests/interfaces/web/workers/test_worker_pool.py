"""Worker processes: what they tell, how they are stopped, that none is left behind."""

import asyncio
import os
import signal
from typing import NamedTuple

import pytest

from zerolab.errors import UsageError
from zerolab.interfaces.web.workers.search_worker import Memory
from zerolab.interfaces.web.workers.worker_pool import LOST, WorkerPool


class Count(NamedTuple):
    """Tells numbers, without end if none is given."""

    until: int | None

    def run(self, memory, tell):
        number = 0
        while self.until is None or number < self.until:
            tell(number)
            number += 1


class Deaf(NamedTuple):
    """Says that it runs, then hears nothing."""

    def run(self, memory, tell):
        tell(os.getpid())
        while True:
            pass


class Fail(NamedTuple):
    error: Exception

    def run(self, memory, tell):
        raise self.error


class Remember(NamedTuple):
    def run(self, memory, tell):
        memory.keep("list", list).append(1)
        tell(len(memory.keep("list", list)))


def with_pool(test, workers=2):
    async def running():
        pool = WorkerPool(workers)
        try:
            await asyncio.wait_for(test(pool), 120)
        finally:
            pool.close()
        assert pool.processes == []

    asyncio.run(running())


def ask(pool, task, **options):
    """What a task tells, and how it ends."""
    told, ended = [], asyncio.get_running_loop().create_future()
    job = pool.submit(task, told.append, ended.set_result, **options)
    return job, told, ended


def test_a_task_tells_and_ends():
    async def test(pool):
        _, told, ended = ask(pool, Count(5))
        assert await ended == ""
        assert told == [0, 1, 2, 3, 4]

    with_pool(test)


def test_failures_are_sentences_and_the_worker_goes_on():
    async def test(pool):
        assert await ask(pool, Fail(UsageError("a sentence")))[2] == "a sentence"
        assert "ZeroDivisionError" in await ask(pool, Fail(ZeroDivisionError("x")))[2]
        assert "memory" in await ask(pool, Fail(MemoryError()))[2]
        assert await ask(pool, Count(1))[2] == ""
        assert len(pool.processes) == 1

    with_pool(test)


def test_a_cancelled_task_tells_nothing_more():
    async def test(pool):
        job, told, ended = ask(pool, Count(None))
        while not told:
            await asyncio.sleep(0)
        job.cancel()
        count = len(told)
        assert await ask(pool, Count(3))[2] == ""
        assert len(told) == count
        assert not ended.done()

    with_pool(test)


def test_a_task_that_does_not_listen_is_ended_with_its_process():
    async def test(pool):
        job, told, _ = ask(pool, Deaf())
        while not told:
            await asyncio.sleep(0.01)
        job.cancel()
        while told[0] in pool.processes:
            await asyncio.sleep(0.01)
        assert await ask(pool, Count(3))[2] == ""

    with_pool(test)


def test_closing_ends_processes_that_do_not_listen():
    pids = []

    async def test(pool):
        _, told, _ = ask(pool, Deaf())
        while not told:
            await asyncio.sleep(0.01)
        pids.extend(told)

    with_pool(test)
    with pytest.raises(ProcessLookupError):
        os.kill(pids[0], 0)


def test_a_process_that_dies_is_replaced():
    async def test(pool):
        _, told, ended = ask(pool, Deaf())
        while not told:
            await asyncio.sleep(0.01)
        os.kill(told[0], signal.SIGKILL)
        assert await ended == LOST
        assert await ask(pool, Count(1))[2] == ""

    with_pool(test)


def test_slow_tasks_leave_a_worker_to_the_others():
    async def test(pool):
        slow = [ask(pool, Count(None), slow=True) for _ in range(3)]
        while not slow[0][1]:
            await asyncio.sleep(0)
        assert await ask(pool, Count(3))[2] == ""
        assert not slow[1][1]
        slow[0][0].cancel()
        while not slow[1][1]:
            await asyncio.sleep(0)
        slow[2][0].cancel()
        slow[1][0].cancel()

    with_pool(test)


def test_a_worker_keeps_what_it_made():
    async def test(pool):
        for expected in (1, 2):
            _, told, ended = ask(pool, Remember())
            await ended
            assert told == [expected]

    with_pool(test)


def test_a_worker_forgets_what_was_used_least():
    closed = []

    class Thing:
        def __init__(self, name):
            self.name = name

        def close(self):
            closed.append(self.name)

    memory = Memory()
    for name in "abcd":
        memory.keep(name, lambda name=name: Thing(name))
    memory.keep("a", lambda: Thing("new"))
    memory.keep("e", lambda: Thing("e"))
    assert closed == ["b"]
    memory.forget()
    assert sorted(closed) == list("abcde")


class Whose(NamedTuple):
    player: str

    def run(self, memory, tell):
        tell(os.getpid())


def test_a_player_stays_with_its_worker():
    async def test(pool):
        async def who(name):
            _, told, ended = ask(pool, Whose(name))
            await ended
            return told[0]

        both = [ask(pool, Whose(name)) for name in ("a", "b")]
        await asyncio.gather(*(ended for _, _, ended in both))
        first, second = (told[0] for _, told, _ in both)
        assert first != second
        assert [await who(name) for name in "bbaab"] == [second, second, first, first, second]

    with_pool(test)
