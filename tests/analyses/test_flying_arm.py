"""An arm that nothing holds: what its drives would give if its links were rigid, and what is said of its vibration."""

import numpy as np
import pytest

import flexarm as fa

FLYER = """
gravity = [0, 0, 0]
planar = true

[[link]]
name = "drift"
joint = {{ type = "prismatic", axis = "y", free = true }}
rigid = {{ mass = 0, inertia = 0 }}

[[link]]
name = "satellite"
joint = {{ type = "revolute", free = true }}
length = 0.8
rigid = {{ mass = 420, inertia = 95, centre = [0, 0, 0] }}

[[link]]
name = "arm"
joint = {{ type = "revolute", at = "70 deg", motion = "swing" }}
length = 3
{body}
payload = {{ mass = 60, inertia = 4 }}

[motion.swing]
kind = "cycloidal"
travel = "45 deg"
duration = "8 s"

[simulation]
end = "8 s"
"""
BEAM = 'beam = { bending_stiffness = 3800, mass_per_length = 2.1 }\nmodel = { formulation = "rigid-fe", elements = 4 }'
BAR = "rigid = { mass = 6.3, inertia = 4.725 }"


def test_the_rigid_arm_moves_its_base_as_a_rigid_arm_does():
    flexible, rigid = (fa.simulate(fa.parse_arm(FLYER.format(body=body))) for body in (BEAM, BAR))
    torque = rigid.signal("joint_torque", joint="arm")
    reported = flexible.signal("rigid_torque", joint="arm")
    # the flexible arm's base is not quite where the rigid one's is; taken with its accelerations it was 20 times off
    assert np.abs(reported - torque).max() < 0.05 * np.abs(torque).max()
    # accelerations between steps are those of the dense output
    assert rigid.signal("rigid_torque", joint="arm") == pytest.approx(torque, abs=1e-3)


def test_no_vibration_is_reported_where_loose_joints_answer_it():
    run = fa.simulate(fa.parse_arm(FLYER.format(body=BEAM)))
    assert "point_vibration" not in run.variables
    assert "vibration  " not in run.summary()
