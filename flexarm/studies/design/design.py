"""The lightest, calmest or otherwise best arm that meets its requirements."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from flexarm.analyses.run.integrate import settings_of
from flexarm.assembly import compile_arm
from flexarm.core.tree.types import Floats
from flexarm.errors import AnalysisError
from flexarm.model import Arm
from flexarm.model.reading.distributions import DESIGN, REQUIREMENT
from flexarm.model.reading.file import arm_from_dict, table_of, text_of
from flexarm.model.reading.messages import either, quoted, shown
from flexarm.results.design import Bound, Design, Judgement
from flexarm.studies.derivatives.asked import asked_of
from flexarm.studies.derivatives.directions import directions_of
from flexarm.studies.derivatives.gradient import refuse_controllers
from flexarm.studies.design.problem import Judged, Problem, limits_of
from flexarm.studies.design.search import MET, Found, multipliers, search
from flexarm.studies.design.tables import read_task
from flexarm.studies.parameters.quantities import whole_number
from flexarm.studies.reliability.requirement_tables import requirements_from
from flexarm.studies.reliability.requirements import Requirement

# Factors of a limit at which the trade-off is drawn.
_FRONT = (0.5, 0.65, 0.8, 1.0, 1.25, 1.6, 2.0)


def design(
    model: Arm | str | os.PathLike[str],
    *,
    minimise: str | Mapping[str, float] | None = None,
    vary: Sequence[Mapping[str, Any]] | None = None,
    requirements: Sequence[Requirement] | None = None,
    starts: int = 3,
    front: str | None = None,
) -> Design:
    """The best arm that meets its requirements for sure: what is least, what binds and what it costs.

    Gradients are exact derivatives of the runs; the search is SciPy's SLSQP from several starts, catalogues are
    searched by branching.

    Parameters
    ----------
    model
        The path of a model file with a table [design] and [[requirement]] tables, or an arm.
    minimise
        In place of the file's: "mass", an output such as "residual" or "peak torque", a free number by its path, or a
        table of these and their weights.
    vary
        In place of the file's: tables with `where`, `from`, `to` and perhaps `catalogue`.
    requirements
        In place of the file's.
    starts
        How many designs the search starts from, the file's own first.
    front
        A requirement whose limit is varied from half to twice its size: the trade-off.

    Returns
    -------
    Design
        The design, `.arm`, `.met` and what binds. Where nothing meets the requirements, that which misses them least.

    Examples
    --------
    >>> import flexarm as fa
    >>> found = fa.design("light_strip.toml")
    >>> found.met
    True
    """
    arm, table, wanted = _read(model, minimise, vary, requirements)
    whole_number("starts", starts, 1, 20)
    refuse_controllers(arm)
    task = read_task(table)
    directions = directions_of(arm, task.where)
    varied = task.varied(directions)
    nominal = directions.study.nominal
    words = [word for word in task.minimise if word != "mass" and word not in directions.places]
    compiled = compile_arm(arm)
    asked = asked_of(nominal, compiled, words, wanted, none=True)
    for word in task.minimise:
        if word in words and word.startswith("settling_time"):
            raise AnalysisError(f"design.minimise is {quoted(word)}, which jumps; must be an output that does not")
    limits = limits_of(asked)
    problem = Problem(directions, varied, task.minimise, asked, limits, settings_of(arm.simulation).tightened())
    first = problem.part_of(directions.values)
    before = problem((directions.values - problem.low) / problem.range)
    found = search(problem, first, starts)
    return _result(arm, problem, before, found, _front(problem, found, front, wanted))


def _read(
    model: Any, minimise: Any, vary: Any, requirements: Sequence[Requirement] | None
) -> tuple[Arm, Mapping[str, Any], tuple[Requirement, ...]]:
    """The arm, the table of the design, and the requirements."""
    table: Any = {}
    wanted: tuple[Requirement, ...] = ()
    if isinstance(model, Arm):
        arm = model
    elif isinstance(model, str | os.PathLike):
        text, source = text_of(model)
        data = table_of(text, source, Path(model).parent)
        arm = arm_from_dict(data, source=source, folder=Path(model).parent)
        table = data.get(DESIGN, {})
        wanted = requirements_from(data.get(REQUIREMENT, []), source=source)
        if not table and (minimise is None or vary is None):
            raise AnalysisError(f"{source}: [design] is missing, must be a table with minimise and [[design.vary]]")
    else:
        raise AnalysisError(f"the model is {shown(model)}, must be an arm or the path of its model file")
    if not isinstance(table, Mapping):
        raise AnalysisError(f"design is {shown(table)}, must be a table [design]")
    whole = {**table}
    if minimise is not None:
        whole["minimise"] = minimise
    if vary is not None:
        whole["vary"] = list(vary)
    return arm, whole, wanted if requirements is None else tuple(requirements)


def _front(
    problem: Problem, found: Found, name: str | None, wanted: Sequence[Requirement]
) -> tuple[tuple[float, float | None], ...]:
    """The limits of a requirement and the least objective under each; None where nothing meets it."""
    if name is None:
        return ()
    names = [each.name for each in wanted]
    if name not in names:
        raise AnalysisError(f"front is {quoted(name)}, must be the name of a requirement: {either(names)}")
    k = names.index(name)
    rows = []
    u = found.u
    for factor in sorted(_FRONT, reverse=True):
        # a margin of 1 − factor is one of zero under another limit
        moved = np.zeros(len(problem.limits))
        moved[k] = 1.0 - factor
        own = search(problem, u, 1, moved)
        u = own.u
        rows.append((factor * float(problem.limits[k]), own.objective if own.met else None))
    return tuple(reversed(rows))


def _result(
    arm: Arm, problem: Problem, before: Judged, found: Found, front: tuple[tuple[float, float | None], ...]
) -> Design:
    after = problem(found.u)
    directions = problem.directions
    values = problem.numbers_at(found.u)
    price, bound = (
        multipliers(problem, found.u) if found.met else (np.zeros(len(problem.limits)), np.zeros(len(values)))
    )
    judged = tuple(
        Judgement(
            check.requirement.name,
            check.requirement.unit,
            float(problem.limits[k]),
            _known(before.numbers, k),
            _known(after.numbers, k),
            bool(after.margins[k] >= -MET),
            float(price[k] / problem.limits[k]),
        )
        for k, check in enumerate(problem.asked.plan.checks)
    )
    bounds = tuple(
        Bound(each.where, directions.units[j], "from" if found.u[j] < 0.5 else "to", float(bound[j] / problem.range[j]))
        for j, each in enumerate(problem.varied)
        if bound[j] > 0.0
    )
    best = directions.study.arm(directions.ordered(values))
    return Design(
        arm_name=arm.name or "",
        met=found.met,
        where=directions.places,
        units=directions.units,
        before=directions.values,
        after=values,
        low=problem.low,
        high=problem.low + problem.range,
        objective=dict(problem.weights),
        objective_before=before.values,
        objective_after=after.values,
        objective_units={word: _unit(problem, word) for word in problem.weights},
        requirements=judged,
        bounds=bounds,
        front=front,
        evaluations=problem.evaluations,
        failure=after.failure,
        arm=best,
    )


def _known(numbers: Floats, k: int) -> float | None:
    return float(numbers[k]) if k < len(numbers) and np.isfinite(numbers[k]) else None


def _unit(problem: Problem, word: str) -> str:
    if word == "mass":
        return "kg"
    if word in problem.directions.places:
        return problem.directions.units[problem.directions.places.index(word)]
    return problem.asked.units[problem.asked.words.index(word)]
