"""The arms of samples, with drives that are designed for the nominal arm.

A drive does not know the deviations of its own sample.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

from flexarm.analyses.servo import uses_a_model, with_servo_gains, with_servos_of
from flexarm.assembly import CompiledArm, compile_arm
from flexarm.model import Arm
from flexarm.studies.parameters.study_model import StudyModel

_nominal: WeakKeyDictionary[StudyModel, CompiledArm] = WeakKeyDictionary()


def known_arm(study: StudyModel) -> CompiledArm | None:
    """The nominal arm, for which the drives of all samples are designed; None if no drive uses a model of the arm."""
    if not uses_a_model(study.nominal):
        return None
    if study not in _nominal:
        _nominal[study] = compile_arm(with_servo_gains(study.nominal))
    return _nominal[study]


def compile_sample(study: StudyModel, arm: Arm) -> CompiledArm:
    """The arm of a sample, or of a batch of them, compiled with the drives of the study."""
    known = known_arm(study)
    return compile_arm(arm if known is None else with_servos_of(arm, known.arm), known=known)
