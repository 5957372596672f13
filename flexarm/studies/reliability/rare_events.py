"""Requirements that are rarely missed: FORM, SORM, importance and subset sampling on the model of plain sampling."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, final

from flexarm.errors import AnalysisError
from flexarm.model.reading.messages import either, meant, quoted, shown
from flexarm.results.rare_events import RareEstimate, RareReliability, mixed_shares
from flexarm.studies.execution.evaluate import Evaluator, Task
from flexarm.studies.execution.interrupts import interrupt_where_checked
from flexarm.studies.execution.machine import cpu_class
from flexarm.studies.execution.runner import Progress
from flexarm.studies.execution.worker_pool import LocalPool
from flexarm.studies.outputs.columns import region_of
from flexarm.studies.parameters.quantities import part_of_one, whole_number
from flexarm.studies.parameters.study_model import StudyModel
from flexarm.studies.reliability.design_points import DesignPoint, find_design_points
from flexarm.studies.reliability.limit_states import LimitStates, Spent
from flexarm.studies.reliability.rare_sampling import Sampled, importance, subset
from flexarm.studies.reliability.requirements import Requirement
from flexarm.studies.reliability.series_systems import series_bounds
from flexarm.studies.reliability.standard_space import StandardSpace
from flexarm.studies.store.journal import Journal
from flexarm.studies.store.store import StoredStudy, StudyDirectory, keep_summary
from flexarm.studies.study import (
    check_execution,
    make_study_json,
    nominal_row,
    open_cluster,
    open_evaluators,
    study_folder,
)

RARE = ("form", "sorm", "importance", "subset")
# By method: largest number of evaluations, coefficient of variation wanted, samples given to a worker at once.
_MOST = {"form": 10_000, "sorm": 10_000, "importance": 50_000, "subset": 500_000}
_COV = {"form": 0.05, "sorm": 0.05, "importance": 0.05, "subset": 0.25}
_BLOCK = {"form": 250, "sorm": 250, "importance": 250, "subset": 100}
_FEW = 50
_FAR = 1.5  # beyond an interval
_NEAR = 1.0  # of the index, below which nothing is rare


@final
@dataclass(frozen=True, eq=False)
class Search:
    """How rare failures are looked for; what is None is chosen by the method."""

    method: str
    seed: int = 1
    cov: float | None = None
    evaluations: int | None = None
    block: int | None = None
    folder: str | os.PathLike[str] | None = None
    resume: bool = False
    workers: int | None = None
    progress: Progress | None = None
    cluster: Any = None

    def __post_init__(self) -> None:
        if self.method not in RARE:
            raise AnalysisError(f"method is {shown(self.method)}, must be {either(RARE)}{meant(self.method, RARE)}")
        for name in ("cov", "block"):
            if getattr(self, name) is not None and self.method in ("form", "sorm"):
                raise AnalysisError(
                    f"{name} is given for the method {self.method}, which draws no samples; must be left out"
                )
        for name, least in (("seed", 0), ("evaluations", _FEW), ("block", 10), ("workers", 1)):
            value = getattr(self, name)
            if value is not None or name == "seed":
                whole = whole_number(name, value, least)
                object.__setattr__(self, name, whole if whole < 2**63 else whole_number(name, whole, least, 2**63 - 1))
        if self.cov is not None:
            object.__setattr__(self, "cov", part_of_one("cov", self.cov))
        check_execution(self.folder, self.resume, self.workers, self.cluster)

    @property
    def most(self) -> int:
        """Evaluations at most."""
        return self.evaluations or _MOST[self.method]

    @property
    def wanted(self) -> float:
        """The coefficient of variation at which sampling ends."""
        return self.cov or _COV[self.method]

    @property
    def at_once(self) -> int:
        """Samples in a block."""
        return self.block or _BLOCK[self.method]


def rare_reliability(
    model: StudyModel, requirements: Sequence[Requirement], search: Search, outputs: Sequence[str] = ()
) -> RareReliability:
    """How rarely the requirements are missed, each and all of them.

    Ctrl-C gives what was found until then, with `interrupted` True.
    """
    if not model.parameters:
        raise AnalysisError("the model has no random parameter, must have at least one")
    space = StandardSpace(model)
    remarks = _laws(space, search.method)
    _without_jumps(requirements, search.method)
    task = Task(model.text, tuple(outputs), None, tuple(requirements))
    evaluator = Evaluator(task, model)
    plan = evaluator.plan
    with ExitStack() as held:
        cluster = None
        if search.cluster is not None:
            # before anything is compiled: whether it is there is known at once
            cluster = open_cluster(search.cluster, task, len(plan.names))
            held.callback(cluster.close)
        # the nominal run has kernels compiled once, before workers would all compile them
        nominal = nominal_row(model.nominal, plan)[-len(requirements) :]
        remarks += _nominal_remarks(requirements, nominal)
        cpu = cpu_class() if cluster is None else cluster.cpu
        study_json = make_study_json(model, plan, (search.most, search.seed, search.method), cpu)
        folder, temporary = study_folder(search.folder)
        store = held.enter_context(StudyDirectory(folder, model.text, study_json, resume=search.resume))
        check = held.enter_context(interrupt_where_checked())
        # a design point is found one sample after another, which workers cannot share
        shared = search.most if search.method in ("importance", "subset") else 0
        states = LimitStates(
            space,
            requirements,
            cluster or LocalPool(open_evaluators(task, evaluator, shared, search.workers)),
            most=search.most,
            journal=Journal(store, (model.names, plan.names)),
            progress=search.progress,
            check=check,
        )
        held.callback(states.close)
        answer = answered(states, search, nominal)
        remarks += [*store.remarks, *(cluster.remarks if cluster is not None else ())]
    found = RareReliability(
        arm_name=model.nominal.name,
        method=search.method,
        seed=search.seed,
        parameters=model.random_parameters,
        joint=answer.joint,
        each=tuple(answer.each),
        evaluations=states.evaluations,
        most=search.most,
        failed=dict(states.failed),
        reasons=dict(states.reasons),
        complete=answer.complete,
        interrupted=answer.interrupted,
        stored=StoredStudy(folder, temporary=temporary),
        remarks=(*remarks, *answer.remarks),
        regions=tuple(region_of(check) for check in plan.checks),
    )
    if search.folder is not None:
        keep_summary(search.folder, "reliability", found.to_dict())
    return found


@final
@dataclass(frozen=True, eq=False)
class Answer:
    """What a method found out about limit states."""

    joint: RareEstimate
    each: list[RareEstimate]
    complete: bool
    interrupted: bool
    remarks: tuple[str, ...]


def answered(states: LimitStates, search: Search, nominal: Sequence[float]) -> Answer:
    """The method applied to limit states; `nominal` are the requirements' numbers of the nominal arm."""
    if search.method == "subset":
        return _by_subsets(states, search, nominal)
    remarks: list[str] = []
    each: list[RareEstimate] = []
    points: list[DesignPoint] = []
    ended: BaseException | None = None
    for k, requirement in enumerate(states.requirements):
        try:
            if ended is None:
                found = find_design_points(states, k, curvatures=search.method == "sorm")
                points += found.points
                each.append(_flat(requirement, nominal[k], found.points, found.trouble))
                continue
        except (KeyboardInterrupt, Spent) as error:
            ended = error
        each.append(RareEstimate(requirement, nominal[k], None, trouble="not looked at to its end"))
    remarks += _kinks(each)
    if search.method in ("form", "sorm"):
        remarks += _near(each)
    joint = _flat(None, None, points, "")
    if search.method in ("form", "sorm") or ended is not None or not points:
        if search.method in ("form", "sorm") and any(one.probability is None for one in each) and points:
            remarks.append("not every requirement has its design points: all together is missed more often than stated")
        return Answer(joint, each, ended is None, states.interrupted, tuple(remarks))
    return _by_importance(states, search, joint, each, remarks)


def _by_importance(
    states: LimitStates, search: Search, flat: RareEstimate, flats: list[RareEstimate], remarks: list[str]
) -> Answer:
    """Importance sampling about the design points that were found."""
    whole, parts = importance(states, flat.points, seed=search.seed, cov=search.wanted, block=search.at_once)
    each = [_sampled(one.requirement, one.nominal, part, one.points) for one, part in zip(flats, parts, strict=True)]
    joint = _sampled(None, None, whole, flat.points)
    form = flat.probability
    low, high = joint.low or 0.0, joint.high or 1.0
    if form is not None and not low / _FAR <= form <= high * _FAR:
        why = "limit states are curved, or have sides without design points"
        remarks.append(f"FORM's {form:.3g} is far from this: {why}")
    complete = whole.complete and whole.cov is not None and whole.cov <= search.wanted
    if whole.cov is not None and not complete and not states.interrupted:
        remarks.append(
            f"{search.most} evaluations were allowed, which do not give a coefficient of variation of {search.wanted:g}"
        )
    return Answer(joint, each, complete, states.interrupted, tuple(remarks))


def _by_subsets(states: LimitStates, search: Search, nominal: Sequence[float]) -> Answer:
    """Subset sampling of all requirements together, then of each by itself if there are several."""
    wanted: list[int | None] = [None, *(range(len(nominal)) if len(nominal) > 1 else ())]
    share = search.most // len(wanted)
    found: list[Sampled] = []
    for which in wanted:
        if states.interrupted:
            found.append(Sampled(None, None, None, None, complete=False))
            continue
        found.append(subset(states, which, seed=search.seed, cov=search.wanted, block=search.at_once, most=share))
    parts = found[1:] or found
    each = [
        _sampled(one, nominal[k], part) for k, (one, part) in enumerate(zip(states.requirements, parts, strict=True))
    ]
    remarks = []
    if not states.interrupted and any(not one.complete for one in found):
        remarks.append(
            f"{search.most} evaluations were allowed, which do not give a coefficient of variation of {search.wanted:g}"
        )
    complete = all(one.complete for one in found)
    return Answer(_sampled(None, None, found[0]), each, complete, states.interrupted, tuple(remarks))


def _flat(
    requirement: Requirement | None, nominal: float | None, points: Sequence[DesignPoint], trouble: str
) -> RareEstimate:
    """The series system of flat limit states through design points; with curvatures, of those equally likely."""
    if not points:
        return RareEstimate(requirement, nominal, None, trouble=trouble)
    low, high = series_bounds([each.corrected_index for each in points], [each.direction for each in points])
    return RareEstimate(
        requirement, nominal, high, low, high, points=tuple(points), shares=mixed_shares(points), trouble=trouble
    )


def _sampled(
    requirement: Requirement | None, nominal: float | None, found: Sampled, points: Sequence[DesignPoint] = ()
) -> RareEstimate:
    levels = tuple((1.0 - margin, probability) for margin, probability in found.levels)
    return RareEstimate(
        requirement,
        nominal,
        found.probability,
        found.low,
        found.high,
        found.cov,
        tuple(points),
        found.shares,
        levels,
        found.runs,
        found.note,
    )


def _laws(space: StandardSpace, method: str) -> list[str]:
    """Remarks on discrete laws; what needs limit states without jumps refuses them."""
    if not space.discrete:
        return []
    names = ", ".join(space.discrete)
    if method != "subset":
        raise AnalysisError(f"{names} is discrete, must be continuous for the method {method}; try subset or plain")
    if len(space.discrete) == space.dimension:
        raise AnalysisError(
            "all parameters are discrete, at least one must be continuous for the method subset; try plain"
        )
    return [f"{names} is discrete: chains of subset sampling jump between its values seldom far out"]


def _without_jumps(requirements: Sequence[Requirement], method: str) -> None:
    """Refuse a settling time, which jumps from swing to swing, where limit states must be continuous."""
    for each in requirements:
        if each.kind == "settling_time" and method != "subset":
            raise AnalysisError(
                f"requirement {quoted(each.name)} is a settling_time, which jumps from swing to swing, must be "
                f"continuous for the method {method}; try settled, or the methods subset or plain"
            )


def _nominal_remarks(requirements: Sequence[Requirement], nominal: Sequence[float]) -> list[str]:
    return [
        f"the nominal arm itself misses {quoted(each.name)}, which is then not rare: plain sampling suits it better"
        for each, number in zip(requirements, nominal, strict=True)
        if number > each.limit
    ]


def _near(each: Sequence[RareEstimate]) -> list[str]:
    names = [quoted(one.name) for one in each if any(point.index < _NEAR for point in one.points)]
    if not names:
        return []
    return [
        f"the design point of {' and of '.join(names)} is within {_NEAR:g} deviation of the nominal arm: what is "
        "missed on its other sides weighs as much and may not be counted; importance or subset sampling sees all sides"
    ]


def _kinks(each: Sequence[RareEstimate]) -> list[str]:
    names = [quoted(one.name) for one in each if any(point.kink for point in one.points)]
    if not names:
        return []
    return [f"the number of {', '.join(names)} has a kink or a jump at a design point, where it is not flat"]
