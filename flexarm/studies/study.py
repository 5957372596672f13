"""A study, from its options to its complete table: it is planned on the nominal arm, run and stored."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypedDict, final

from flexarm.analyses.servo import with_servo_gains
from flexarm.assembly import compile_arm
from flexarm.errors import AnalysisError
from flexarm.model import Arm
from flexarm.model.parts.simulation import SimulationSettings, Verb, takes_settings
from flexarm.model.reading.distributions import DESIGN, REQUIREMENT
from flexarm.model.reading.messages import either, meant, shown
from flexarm.model.reading.text import toml_text
from flexarm.studies.execution.evaluate import Evaluate, Evaluator, Task
from flexarm.studies.execution.machine import cores, cpu_class, versions
from flexarm.studies.execution.runner import Progress, fill
from flexarm.studies.execution.worker_pool import LocalPool, WorkerPool
from flexarm.studies.execution.workers import Worker
from flexarm.studies.outputs.columns import Plan, nominal_run
from flexarm.studies.parameters.quantities import times_asked, whole_number
from flexarm.studies.parameters.settings import settings_json, without_settings
from flexarm.studies.parameters.study_model import StudyModel
from flexarm.studies.reliability.requirements import Requirement
from flexarm.studies.store.store import StoredStudy, StudyDirectory

if TYPE_CHECKING:
    from flexarm.studies.execution.cluster import ClusterPool

METHODS = ("plain", "lhs", "sobol")
MOST_SAMPLES = 10**9
# Fewer samples than this a worker are not worth starting a process for.
_WORTH_A_WORKER = 50


class Execution(TypedDict, total=False):
    """How a study is run and stored; what is left out or None is chosen automatically.

    `folder` stores the study; without one it lasts as long as its result. `resume` continues the study in the folder.
    `cluster` is a Dask client or the address of a scheduler, whose workers then run the samples.
    """

    folder: str | os.PathLike[str] | None
    resume: bool
    workers: int | None
    chunk: int | None
    progress: Progress | None
    cluster: Any


class StudyOptions(Execution, SimulationSettings, total=False):
    """Options that every study takes: how it is run and stored, and settings of the simulation."""


def takes_options(verb: Verb) -> Verb:
    """The verb of a study with the names of its options in its signature."""
    return takes_settings(verb, StudyOptions)


def split_options(options: StudyOptions) -> tuple[Execution, SimulationSettings]:
    """How the study is run and stored, and the settings of the simulation."""
    execution = {name: value for name, value in options.items() if name in Execution.__annotations__}
    settings = {name: value for name, value in options.items() if name not in execution}
    return execution, settings  # type: ignore[return-value]


def check_execution(folder: Any, resume: bool, workers: int | None, cluster: Any) -> None:
    """Refuse options that do not go together."""
    if resume and folder is None:
        raise AnalysisError("resume is given without the folder of the study, must have one")
    if cluster is not None and workers is not None:
        raise AnalysisError(
            f"workers is {workers} together with cluster, must be left out: the cluster has its own workers"
        )


@final
@dataclass(frozen=True, eq=False)
class Sampling:
    """How a study is sampled, run and stored (`Execution`)."""

    samples: int = 1000
    seed: int = 1
    method: str = "plain"
    folder: str | os.PathLike[str] | None = None
    resume: bool = False
    workers: int | None = None
    chunk: int | None = None
    progress: Progress | None = None
    cluster: Any = None

    def __post_init__(self) -> None:
        for name, least, most in (("samples", 1, MOST_SAMPLES), ("seed", 0, 2**63 - 1)):
            object.__setattr__(self, name, whole_number(name, getattr(self, name), least, most))
        if self.method not in METHODS:
            raise AnalysisError(
                f"method is {shown(self.method)}, must be {either(METHODS)}{meant(self.method, METHODS)}"
            )
        for name in ("workers", "chunk"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, whole_number(name, getattr(self, name), 1))
        check_execution(self.folder, self.resume, self.workers, self.cluster)


class Design(Protocol):
    """Samples that belong together, where a study does not simply draw them at random."""

    @property
    def description(self) -> Mapping[str, Any]:
        """What determines the samples apart from seed and method, in JSON's types."""

    def draw(self, begin: int, end: int) -> Any:
        """The parameters (end - begin, p) of samples begin … end - 1, SI."""


@final
@dataclass(frozen=True, eq=False)
class Study:
    """A study whose table is complete: the stored samples, the plan of their columns, and the nominal arm's row."""

    model: StudyModel
    plan: Plan
    nominal: dict[str, float]
    stored: StoredStudy
    sampling: Sampling
    remarks: tuple[str, ...]


def run_study(
    model: StudyModel,
    sampling: Sampling,
    *,
    outputs: Sequence[str] | None = None,
    times: Sequence[float | str] | int | None = None,
    requirements: Sequence[Requirement] = (),
    design: Design | None = None,
) -> Study:
    """The complete study; missing samples are run now. Samples are random unless a `design` supplies them.

    Ctrl-C is raised again once the finished samples are on the disk.
    """
    if not model.parameters:
        raise AnalysisError("the model has no random parameter, must have at least one")
    task = Task(
        model.text,
        None if outputs is None else tuple(outputs),
        times_asked(times),
        tuple(requirements),
    )
    evaluator = Evaluator(task, model)
    plan = evaluator.plan
    names = tuple(parameter.name for parameter in model.parameters), plan.names
    with ExitStack() as held:
        pool: WorkerPool
        cluster = None
        if sampling.cluster is not None:
            # before anything is compiled, so that an unreachable cluster is reported at once
            pool = cluster = open_cluster(sampling.cluster, task, len(plan.names))
            held.callback(pool.close)
        # the nominal run has kernels compiled once, before workers would all compile them
        nominal = dict(zip(plan.names, nominal_row(model.nominal, plan), strict=True))
        cpu = cpu_class() if cluster is None else cluster.cpu
        study_json = make_study_json(model, plan, (sampling.samples, sampling.seed, sampling.method), cpu)
        if design is not None:
            study_json["design"] = dict(design.description)
        folder, temporary = study_folder(sampling.folder)
        store = held.enter_context(StudyDirectory(folder, model.text, study_json, resume=sampling.resume))
        if cluster is None:
            lacking = sum(end - begin for begin, end in store.missing(sampling.samples))
            pool = LocalPool(open_evaluators(task, evaluator, lacking, sampling.workers))
        fill(
            store,
            sampling.samples,
            names,
            design.draw if design is not None else lambda begin, end: _draw(model, sampling, begin, end),
            pool,
            chunk=sampling.chunk,
            progress=sampling.progress,
        )
        remarks = (*store.remarks, *(cluster.remarks if cluster is not None else ()))
    return Study(model, plan, nominal, StoredStudy(folder, temporary=temporary), sampling, remarks)


def draw_sample(model: StudyModel, sampling: Sampling, sample: int) -> Any:
    """The parameters (p,) of one sample of the study, SI."""
    if not 0 <= sample < sampling.samples:
        raise AnalysisError(f"the sample is {sample}, must be within 0 and {sampling.samples - 1}")
    return _draw(model, sampling, sample, sample + 1)[0]


def _draw(model: StudyModel, sampling: Sampling, begin: int, end: int) -> Any:
    return model.draw(sampling.seed, begin, end, sampling.method, total=sampling.samples)


def nominal_row(arm: Arm, plan: Plan) -> Any:
    """The outputs of the nominal arm; a nominal arm that cannot run is refused."""
    return plan.rows(nominal_run(compile_arm(with_servo_gains(arm)), plan.sampled))[0].tolist()


def open_evaluators(task: Task, evaluator: Evaluator, lacking: int, workers: int | None) -> list[Evaluate]:
    """One evaluator per worker: threads of this process for compiled lanes, otherwise separate processes."""
    count = workers if workers is not None else max(1, min(cores(), lacking // _WORTH_A_WORKER))
    if count == 1:
        return [evaluator]
    if evaluator.laned:
        # compiled lanes release the GIL
        others = [Evaluator(task, evaluator.study, evaluator.plan) for _ in range(count - 1)]
        return [evaluator, *others]
    return [Worker(task, len(evaluator.plan.names)) for _ in range(count)]


def open_cluster(cluster: Any, task: Task, columns: int) -> ClusterPool:
    """The workers of a Dask cluster, which is an extra of the package."""
    try:
        from flexarm.studies.execution.cluster import ClusterPool
    except ModuleNotFoundError as error:
        if error.name not in ("dask", "distributed"):
            raise
        raise AnalysisError("a cluster needs Dask, which is not installed: pip install 'flexarm[cluster]'") from None
    return ClusterPool(cluster, task, columns)


def study_folder(wanted: str | os.PathLike[str] | None) -> tuple[Path, Any]:
    """The study's folder, and the object that keeps it alive if it is temporary."""
    if wanted is not None:
        return Path(wanted), None
    temporary = tempfile.TemporaryDirectory(prefix="flexarm-study-")
    return Path(temporary.name), temporary


def make_study_json(model: StudyModel, plan: Plan, drawn: tuple[int, int, str], cpu: str) -> dict[str, Any]:
    """Everything that determines the table, in JSON's types; `drawn` holds the number of samples, seed and method."""
    samples, seed, method = drawn
    return {
        "model": model_hash(model),
        "samples": samples,
        "seed": seed,
        "method": method,
        **settings_json(model),
        "parameters": list(model.names),
        "columns": list(plan.names),
        "units": {parameter.name: parameter.unit for parameter in model.parameters} | plan.units,
        "times": list(plan.times),
        # limits may be changed afterwards: they are compared with the table, they are not in it
        "requirements": [_without_limit(check.requirement) for check in plan.checks],
        "versions": versions(),
        "cpu": cpu,
    }


def model_hash(model: StudyModel) -> str:
    """Hash of the model's text without requirements, whose limits may change, and settings, which study.json holds."""
    drawn = {key: value for key, value in without_settings(model).items() if key not in (REQUIREMENT, DESIGN)}
    return sha256(toml_text(drawn).encode()).hexdigest()


def _without_limit(requirement: Requirement) -> dict[str, Any]:
    return {key: value for key, value in requirement.to_dict().items() if key != "limit"}
