"""Workers in processes or on machines, which do numbered jobs.

A worker is an object with a method `run(job)`. A `Team` gives out jobs and returns the results in
the order of the jobs. A worker that is lost is replaced, and its job is given out again, so a
result counts once. The results of jobs that depend on nothing else are the same for any number of
workers.
"""

import multiprocessing
import multiprocessing.connection

# a job that loses this number of workers in a row is an error
MOST_LOSSES = 5


class Lost(Exception):
    """A worker is gone."""


class Processes:
    """Workers in processes of this machine. A worker is the result of `make` for the settings."""

    def __init__(self, make, *settings):
        self._made_by = (make, settings)
        # a fresh interpreter for each, as on another machine
        self._context = multiprocessing.get_context("spawn")
        self._jobs = {}

    @staticmethod
    def _serve(pipe, make, settings):
        try:
            worker = make(*settings)
            while True:
                pipe.send(worker.run(pipe.recv()))
        except (EOFError, BrokenPipeError, ConnectionResetError, KeyboardInterrupt):
            pass  # nobody is left to work for
        except Exception as error:
            pipe.send(error)

    def start(self):
        """A new worker."""
        ours, theirs = self._context.Pipe()
        settings = (theirs, *self._made_by)
        process = self._context.Process(target=self._serve, args=settings, daemon=True)
        process.start()
        theirs.close()
        return process, ours

    def submit(self, worker, number, job):
        """Gives a worker a job."""
        self._jobs[worker[1]] = (worker, number)
        try:
            worker[1].send(job)
        except OSError:
            pass  # its end of the pipe is closed: `next` finds it lost

    def next(self):
        """The next worker that is done, with the number and result of its job."""
        pipe = multiprocessing.connection.wait(list(self._jobs))[0]
        worker, number = self._jobs.pop(pipe)
        try:
            result = pipe.recv()
        except (EOFError, OSError):
            return worker, number, Lost()
        if isinstance(result, Exception):
            raise result
        return worker, number, result

    def stop(self, worker):
        """Ends a worker."""
        worker[1].close()
        worker[0].terminate()
        worker[0].join()


class RayActors:
    """Workers on the machines of a Ray cluster. A worker is the result of `make`."""

    def __init__(self, make, *settings):
        import ray

        self._ray, self._settings, self._jobs = ray, settings, {}
        if not ray.is_initialized():
            ray.init(log_to_driver=False)
        self._actor = ray.remote(num_cpus=1)(make)

    def start(self):
        """A new worker."""
        return self._actor.remote(*self._settings)

    def submit(self, worker, number, job):
        """Gives a worker a job."""
        self._jobs[worker.run.remote(job)] = (worker, number)

    def next(self):
        """The next worker that is done, with the number and result of its job."""
        done = self._ray.wait(list(self._jobs), num_returns=1)[0][0]
        worker, number = self._jobs.pop(done)
        try:
            return worker, number, self._ray.get(done)
        except self._ray.exceptions.RayActorError:
            return worker, number, Lost()

    def stop(self, worker):
        """Ends a worker."""
        self._ray.kill(worker)


BACKENDS = {"processes": Processes, "ray": RayActors}


class Team:
    """Workers that do numbered jobs, each of which counts once."""

    def __init__(self, backend, size):
        self.backend, self.workers = backend, [backend.start() for _ in range(size)]
        self.replaced = 0

    def run(self, jobs):
        """The results of all jobs, in their order."""
        results, waiting = {}, list(range(len(jobs)))[::-1]
        losses = [0] * len(jobs)
        for worker in self.workers:
            if waiting:
                self._give(worker, waiting.pop(), jobs)
        while len(results) < len(jobs):
            worker, number, result = self.backend.next()
            if isinstance(result, Lost):
                losses[number] += 1
                if losses[number] == MOST_LOSSES:
                    raise RuntimeError(f"job {number} lost {MOST_LOSSES} workers in a row")
                worker = self._replace(worker)
                waiting.append(number)
            else:
                results.setdefault(number, result)
            if waiting:
                self._give(worker, waiting.pop(), jobs)
        return [results[number] for number in range(len(jobs))]

    def _replace(self, worker):
        """A new worker in place of a lost one."""
        self.workers.remove(worker)
        self.backend.stop(worker)
        self.workers.append(self.backend.start())
        self.replaced += 1
        return self.workers[-1]

    def _give(self, worker, number, jobs):
        self.backend.submit(worker, number, jobs[number])

    def close(self):
        """Ends all workers."""
        for worker in self.workers:
            self.backend.stop(worker)
