"""What is asked for: the outputs of a gradient by their words, those of studies among them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple, final

import numpy as np

from flexarm.analyses.signals.names import is_measured
from flexarm.assembly import CompiledArm
from flexarm.errors import AnalysisError
from flexarm.model import Arm
from flexarm.model.reading.messages import quoted
from flexarm.studies.derivatives.outputs import DerivedRows
from flexarm.studies.outputs.columns import Plan, is_series, plan_outputs
from flexarm.studies.reliability.requirements import Requirement

# Of two drives with peaks as near as this part of them neither is the greatest for certain.
_TIE = 1e-9


@final
class Asked(NamedTuple):
    """Outputs in the order asked for, each the greatest of some columns of a plan."""

    words: tuple[str, ...]
    plan: Plan
    columns: tuple[tuple[str, ...], ...]
    units: tuple[str, ...]

    def rows(self, found: DerivedRows) -> DerivedRows:
        """The outputs with their derivatives, from the columns of the plan; a tie of several has none."""
        values, derivatives, corners, when = [], [], [], []
        for names in self.columns:
            where = [self.plan.names.index(name) for name in names]
            order = sorted(where, key=lambda k: -found.values[k])
            first = order[0]
            tied = len(order) > 1 and found.values[first] - found.values[order[1]] <= _TIE * abs(found.values[first])
            values.append(found.values[first])
            derivatives.append(found.derivatives[first])
            corners.append(found.corners[first] | tied)
            when.append(found.when[first])
        return DerivedRows(np.array(values), np.array(derivatives), np.array(corners), np.array(when))


def asked_of(
    arm: Arm, compiled: CompiledArm, of: Sequence[str], requirements: Sequence[Requirement] = (), *, none: bool = False
) -> Asked:
    """The words resolved against the arm: those of a study's outputs, "residual" and "peak torque"; there may be `none`
    at all.
    """
    words = (of,) if isinstance(of, str) else tuple(of)
    if not words and not requirements and not none:
        raise AnalysisError('of is empty, must name at least one output such as "tip.y @ end"')
    lists = [_columns(compiled, word) for word in words]
    wanted = list(dict.fromkeys(name for names in lists for name in names))
    if not wanted and not requirements:
        return Asked((), Plan((), (), (), (), ()), (), ())
    plan = plan_outputs(arm, compiled, wanted, None, requirements)
    for column in plan.columns:
        refuse_measured(column.signal)
    columns = tuple(tuple(plan.asked.get(name, name) for name in names) for names in lists)
    units = tuple(plan.units[names[0]] for names in columns)
    return Asked(words, plan, columns, units)


def refuse_measured(signal: str) -> None:
    """Refuse what a sensor reads: its steps have no derivatives."""
    if is_measured(signal):
        raise AnalysisError(
            f"of: {quoted(signal)} is what a sensor reads, in steps that have no derivative; must be a signal itself"
        )


def _columns(compiled: CompiledArm, word: object) -> tuple[str, ...]:
    """The outputs of a study that a word stands for."""
    if not isinstance(word, str):
        raise AnalysisError(f'of holds {word!r}, must be texts such as "tip.y @ end"')
    text = re.sub(r"\s*@\s*", "@", word.strip())
    if text == "residual":
        return (f"residual({compiled.point_names[0] if 'tip' not in compiled.point_names else 'tip'})",)
    if text == "peak torque":
        if not compiled.joint_names:
            raise AnalysisError(f"of: {quoted(word)} is asked of an arm without movable joints")
        return tuple(f"peak({name}.torque)" for name in compiled.joint_names)
    if is_series(text):
        raise AnalysisError(
            f'of: {quoted(word)} is a signal over time, must be a number such as "{text} @ end" or "max({text})"; '
            "jacobian takes signals over time"
        )
    return (text,)
