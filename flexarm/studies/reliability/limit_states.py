"""Limit states: how far a sample is from missing its requirements, as functions OpenTURNS can call on a batch.

    g = 1 − number / limit        of one requirement; of all together the least of them

g > 0 where the requirement is met. A sample that failed has no number; it counts as missing every requirement, as it
does in plain sampling, and has g = −1 of all of them, so that nothing that is not a number reaches an algorithm.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from itertools import pairwise
from typing import Any, final

import numpy as np

from flexarm.core.tree.types import Floats
from flexarm.studies.execution.evaluate import Evaluated
from flexarm.studies.execution.interrupts import take_back_interrupts
from flexarm.studies.execution.runner import LISTEN, Progress
from flexarm.studies.execution.worker_pool import Chunk, WorkerPool
from flexarm.studies.parameters.distributions import quiet
from flexarm.studies.reliability.requirements import Requirement
from flexarm.studies.reliability.standard_space import StandardSpace
from flexarm.studies.store.journal import Journal, key
from flexarm.studies.store.rows import OK

# Differences in standard deviations: large beside the integrator's own noise, small beside any curvature.
STEP, WIDE_STEP = 1e-2, 0.2
# Number over limit of a sample that failed.
FAILED = 2.0
# Fewer samples than this are not worth a second worker.
_WORTH_SHARING = 8


class Spent(Exception):
    """All evaluations that were allowed are done."""


@final
class LimitStates:
    """The requirements' limit states over standard space, each sample evaluated once.

    `check` is called while samples run and may raise KeyboardInterrupt. `evaluations` are the different samples that
    were asked for, whether they were run now or by an earlier run of the study.
    """

    def __init__(
        self,
        space: StandardSpace,
        requirements: Sequence[Requirement],
        pool: WorkerPool,
        *,
        most: int,
        journal: Journal | None = None,
        progress: Progress | None = None,
        check: Callable[[], None] = lambda: None,
    ) -> None:
        self.space, self.requirements, self.most = space, tuple(requirements), most
        self.failed: dict[str, int] = {}
        self.reasons: dict[str, str] = {}
        self.ended: BaseException | None = None
        self.interrupted = False
        # what OpenTURNS calls a stop callback; it holds it without owning it, so it must be kept here
        self.stopping: Callable[[], bool] = lambda: self.ended is not None
        self._limits = np.array([each.limit for each in requirements])
        self._pool, self._progress, self._check = pool, progress, check
        self._journal = journal
        self._known: dict[bytes, Floats] = {}
        self._failing: set[bytes] = set()
        self._before: dict[bytes, tuple[Floats, str, str]] = {}
        for sample, numbers, status, reason in journal.before() if journal is not None else ():
            self._before[sample] = (self._ratios(numbers[None], [status])[0], status, reason)

    @property
    def evaluations(self) -> int:
        """How many different samples were asked for."""
        return len(self._known)

    def close(self) -> None:
        """End the workers and keep what they found."""
        self._pool.close()
        if self._journal is not None:
            self._journal.flush()

    # --- Numbers -----------------------------------------------------------------------------------------------------

    def ratios(self, points: Floats) -> Floats:
        """Number over limit (n, requirements) at points (n, p) of standard space; 2 of samples that failed."""
        values = self.space.own(points)
        keys = [key(row) for row in values]
        fresh: dict[bytes, int] = {}
        for k, each in enumerate(keys):
            if each not in self._known and each not in fresh:
                fresh[each] = k
        if self.evaluations + len(fresh) > self.most:
            raise Spent
        for each in [each for each in fresh if each in self._before]:
            self._learn(each, *self._before.pop(each))
            del fresh[each]
        if fresh:
            self._evaluate(values[list(fresh.values())], list(fresh))
            if self._progress is not None:
                self._progress(self.evaluations, self.most, sum(self.failed.values()))
        return np.array([self._known[each] for each in keys]).reshape(len(keys), len(self.requirements))

    def any_failed(self, points: Floats) -> bool:
        """True if a sample at one of these points, which have been asked for, has failed."""
        return any(key(row) in self._failing for row in self.space.own(points))

    def _ratios(self, outputs: Floats, status: Sequence[str]) -> Floats:
        # requirements are the last columns of a study
        found = outputs[:, outputs.shape[1] - len(self._limits) :] / self._limits
        found[[word != OK for word in status]] = FAILED
        found[~np.isfinite(found)] = FAILED
        return found

    def _learn(self, sample: bytes, ratios: Floats, status: str, reason: str) -> None:
        self._known[sample] = ratios
        if status != OK:
            self._failing.add(sample)
            self.failed[status] = self.failed.get(status, 0) + 1
            self.reasons.setdefault(status, reason)

    def _evaluate(self, values: Floats, keys: Sequence[bytes]) -> None:
        # a pool takes one chunk more than it runs at once
        shares = max(1, min(self._pool.capacity - 1, len(values) // _WORTH_SHARING))
        ends = np.linspace(0, len(values), shares + 1).astype(int)
        for begin, end in pairwise(ends.tolist()):
            self._pool.begin(begin, values[begin:end])
        done: list[Chunk] = []
        while len(done) < shares:
            done += self._pool.done(LISTEN)
            self._listen()
        done.sort(key=lambda chunk: chunk.begin)
        if self._journal is not None:
            for chunk in done:
                self._journal.add(chunk)
        evaluated = Evaluated.joined([chunk.evaluated for chunk in done])
        ratios = self._ratios(evaluated.outputs, evaluated.status)
        for each, row, status, reason in zip(keys, ratios, evaluated.status, evaluated.reason, strict=True):
            self._learn(each, row, status, reason)

    def _listen(self) -> None:
        try:
            self._check()
        except KeyboardInterrupt:
            self.interrupted = True
            raise

    # --- OpenTURNS ---------------------------------------------------------------------------------------------------

    def event(self, which: int | None, seen: Callable[[Floats, Floats], None] = lambda points, ratios: None) -> Any:
        """The event g < 0 over independent standard normal numbers, with differences for its derivatives.

        `seen` is called with all points and their numbers over limits.
        """
        import openturns as ot

        def margins(points: Any) -> Floats:
            where = np.array(points)
            take_back_interrupts()
            if self.ended is None:
                try:
                    ratios = self.ratios(where)
                    seen(where, ratios)
                    return np.asarray(1.0 - (ratios.max(axis=1) if which is None else ratios[:, which]))[:, None]
                except BaseException as error:
                    # OpenTURNS would raise a less informative error of its own: it is asked to stop instead
                    self.ended = error
            return np.ones((len(where), 1))

        count = self.space.dimension
        function = ot.PythonFunction(count, 1, func_sample=margins)
        function.setGradient(ot.CenteredFiniteDifferenceGradient([STEP] * count, function.getEvaluation()))
        function.setHessian(ot.CenteredFiniteDifferenceHessian([WIDE_STEP] * count, function.getEvaluation()))
        output = ot.CompositeRandomVector(function, ot.RandomVector(ot.Normal(count)))
        return ot.ThresholdEvent(output, ot.Less(), 0.0)

    def run(self, algorithm: Any) -> None:
        """Run an algorithm of OpenTURNS that looks at `stopping`; what ended it from within is raised afterwards."""
        try:
            algorithm.run()
        finally:
            take_back_interrupts()
            ended, self.ended = self.ended, None
            if ended is not None:
                raise ended from None


@contextmanager
def seeded(seed: int, purpose: str) -> Iterator[None]:
    """OpenTURNS' generator, which is one for the whole process, begun by seed and purpose and put back afterwards."""
    import openturns as ot

    before = ot.RandomGenerator.GetState()
    begun = int.from_bytes(blake2b(f"{seed} {purpose}".encode(), digest_size=4).digest(), "little")
    ot.RandomGenerator.SetSeed(begun)
    try:
        with quiet():
            yield
    finally:
        ot.RandomGenerator.SetState(before)
