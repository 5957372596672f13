"""Which signals a program without Python gives, and how each is found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from flexarm.analyses.plant.outputs import Outputs
from flexarm.analyses.signals.names import AXES, ENERGIES, canonical, gauge_signals
from flexarm.assembly import CompiledArm
from flexarm.errors import AnalysisError
from flexarm.model.reading.messages import quoted

# How an output is found, by the words of the C text.
RUN, OF_POINT, SPEED, FROM_RIGID, DEFLECTION, OF_DRIVE = range(6)
KINDS = ("OF_RUN", "OF_POINT", "SPEED", "FROM_RIGID", "DEFLECTION", "OF_DRIVE")
# What sensors make of a motion, and distances to where a command ends.
_OF_WHOLE_RUNS = ("measured", "true", "distance")
_ORDERS = ("", "_rate", "_acceleration")


class Look(NamedTuple):
    """One output: how it is found, and where."""

    kind: int
    where: int = 0


def usual_outputs(compiled: CompiledArm) -> tuple[str, ...]:
    """What is given if nothing is asked for: points and their rates, joints with their drives, gauges."""
    found = [f"{point}.{axis}{order}" for point in compiled.point_names for order in _ORDERS[:2] for axis in AXES]
    drives = {name for name in compiled.joint_names if _has_drive(compiled, name)}
    for name in compiled.joint_names:
        found += [f"{name}.{what}" for what in ("position", "rate")] + ([f"{name}.torque"] if name in drives else [])
    if not compiled.sleeves:
        found += gauge_signals(compiled)
    return tuple(found)


def _has_drive(compiled: CompiledArm, name: str) -> bool:
    return compiled.arm.link(name).joint.drive in ("motion", "servo", "torque")


def looks_of(
    compiled: CompiledArm, names: Sequence[str], inputs: Sequence[str]
) -> tuple[Outputs, tuple[Look, ...], tuple[str, ...]]:
    """The outputs that are linear in the state, how each of all is found, and their units."""
    for name in names if not isinstance(names, str) else ():
        if canonical(str(name)).rpartition(".")[2] in _OF_WHOLE_RUNS:
            raise _unknown(str(name))
    linear = Outputs(compiled, names, inputs)
    if not linear.names:
        raise AnalysisError("outputs is empty, must name at least one signal, such as tip.x")
    twice = next((name for k, name in enumerate(linear.names) if name in linear.names[:k]), None)
    if twice is not None:
        raise AnalysisError(f"the output {quoted(twice)} is given twice, must be given once")
    looks = [Look(RUN) if k not in linear.others else _look(compiled, name) for k, name in enumerate(linear.names)]
    return linear, tuple(looks), linear.units


def _look(compiled: CompiledArm, name: str) -> Look:
    owner, _, what = canonical(name).rpartition(".")
    points, nq = len(compiled.point_names), len(compiled.coordinate_names)
    if owner == "energy" and what in ENERGIES:
        return Look(OF_POINT, 13 * points + nq + ENERGIES.index(what))
    if what == "torque":
        return _torque(compiled, owner, name)
    word, _, order = what.partition("_")
    if owner in compiled.point_names:
        j = compiled.point_names.index(owner)
        if word in AXES and what in {f"{axis}{each}" for axis in AXES for each in _ORDERS}:
            order_index = _ORDERS.index(f"_{order}" if order else "")
            return Look(OF_POINT, 3 * points * order_index + 3 * j + AXES.index(word))
        if what == "speed":
            return Look(SPEED, j)
        if what == "deflection":
            return Look(DEFLECTION, j)
        if what in {f"d{axis}" for axis in AXES}:
            return Look(FROM_RIGID, 3 * j + AXES.index(what[1]))
    raise _unknown(name)


def _unknown(name: str) -> AnalysisError:
    return AnalysisError(
        f"the output {quoted(name)} is not known outside Python, must be POINT.{{x, y, z, x_rate …, x_acceleration …, "
        "dx, dy, dz, speed, deflection}, JOINT.{position, rate, acceleration, torque}, GAUGE.{strain, stress, moment, "
        "shear, torsion}, LINK.moment_z_at_250_mm of beams that are in no sleeve, or energy.{kinetic, elastic, gravity}"
    )


def _torque(compiled: CompiledArm, owner: str, name: str) -> Look:
    points, nq = len(compiled.point_names), len(compiled.coordinate_names)
    c = compiled.coordinate_names.index(owner)
    servos = compiled.commands.servo_coordinate.tolist()
    if compiled.driven[c]:
        return Look(OF_POINT, 13 * points + c)
    if c in servos:
        return Look(OF_DRIVE, nq + servos.index(c))
    if c in compiled.commands.torque_coordinate.tolist():
        return Look(OF_DRIVE, c)
    raise AnalysisError(f"the output {quoted(name)} is of a joint that nothing drives, must be of one with a drive")
