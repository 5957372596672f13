"""`flexarm modes`: natural frequencies, damping ratios and shapes in a posture or in steady rotation."""

from __future__ import annotations

from typing import Annotated

from flexarm.cli import options as opt
from flexarm.cli.ending import finish, write_files
from flexarm.cli.options import option
from flexarm.cli.pages import Report, refuse_report
from flexarm.cli.progress import kernels_announced


def command(
    model: opt.ModelFile,
    posture: opt.Posture = None,
    spin: Annotated[
        list[str] | None,
        option(
            "--spin", "RATE", 'About steady rotation, e.g. "75 rpm" of the first revolute joint, or "wrist=8 rad/s".'
        ),
    ] = None,
    joints: opt.Joints = None,
    free: opt.Free = None,
    count: Annotated[int, option("--count", "NUMBER", "Number of modes, lowest first.", min=1)] = 10,
    report: Report = None,
    json: opt.Json = False,
) -> None:
    """Which frequencies does the arm have in a posture?

    Small vibration about the static equilibrium, joints held where the model file or --posture puts them; with --spin
    about the equilibrium under centrifugal forces.
    """
    held = opt.read_joints(joints, free)
    refuse_report(report, model)
    arm = opt.arm_in(model)
    where = opt.read_posture(arm, posture)
    rates = opt.read_spin(spin)
    with opt.concerning(model), kernels_announced():
        from flexarm.analyses.modes.modes import modes

        found = modes(arm, spin=rates, posture=where, joints=held, count=count)
        written = write_files(found, report)
    finish(found, model, written, json=json)
