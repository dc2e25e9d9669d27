"""A pool whose tasks are answered by the test, without any process."""


class HandJob:
    def __init__(self, task, on_message, on_end, on_compiling):
        self.task = task
        self.tell = on_message
        self.finish = on_end
        self.on_compiling = on_compiling
        self.is_over = False
        self.is_compiling = False

    def cancel(self):
        self.is_over = True


class HandPool:
    def __init__(self):
        self.jobs = []

    def submit(self, task, on_message, on_end=None, slow=False, on_compiling=None):
        self.jobs.append(HandJob(task, on_message, on_end, on_compiling))
        return self.jobs[-1]

    def open(self, kind):
        """The jobs of a kind of task that nobody has cancelled or answered."""
        return [job for job in self.jobs if isinstance(job.task, kind) and not job.is_over]

    def answer(self, kind, message):
        """Answer the one open task of a kind."""
        (job,) = self.open(kind)
        job.is_over = True
        job.tell(message)
        return job
