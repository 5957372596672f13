"""What torques do the drives need, flexible compared with rigid?"""

from __future__ import annotations

from typing import Any

from flexarm.analyses.run.simulate import simulate
from flexarm.errors import AnalysisError
from flexarm.model.reading.given import ArmLike
from flexarm.results import DriveTorques, Trajectory


def torques(source: ArmLike | Trajectory, **options: Any) -> DriveTorques:
    """Drive torques (N m) or forces (N) along a run, compared with those of the same arm with rigid links.

    Parameters
    ----------
    source
        A run, or an arm (or the path of its model file) that is simulated with the given options.
    **options
        Those of `simulate`.

    Returns
    -------
    DriveTorques
        Torques of both arms by joint, over time.

    Examples
    --------
    >>> import flexarm as fa
    >>> found = fa.torques("rod_handler.toml", end="0.1 s")
    >>> found.joints
    ('upper arm', 'forearm', 'rod')
    """
    if isinstance(source, Trajectory):
        if options:
            raise AnalysisError(f"{', '.join(options)} given with a finished run, must be given with an arm")
        run = source
    else:
        run = simulate(source, **options)
    if not run.labels("joint"):
        raise AnalysisError("the arm has no movable joint, so there is no drive torque")
    units = tuple("N" if unit == "m" else "N m" for unit in run.labels("joint_unit"))
    return DriveTorques(
        time=run.time,
        joints=run.labels("joint"),
        flexible=run.values("joint_torque"),
        rigid=run.values("rigid_torque"),
        units=units,
        arm_name=run.name,
        arm_text=run.arm_text,
        info=run.info,
    )
