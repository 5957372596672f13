"""How far links in one frame may bend, and what is said where they bend farther."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import flexarm as fa
from flexarm.analyses.run.link_frames import definite_up_to, frame_remarks
from flexarm.assembly import compile_arm
from tests.links.strips import strip

FREE = {"type": "revolute", "axis": "z", "free": True}


def pendulum(links: int, modes: int, *, stiffness: float = 40.0, joint: dict[str, Any] | None = None) -> fa.Arm:
    """Equal slender links of 1 m on free joints, assumed modes."""
    made = [
        {
            "name": f"link {k + 1}",
            "joint": {**FREE, **(joint or {}), "at": 1.2 if k == 0 else 0.0},
            "length": 1.0,
            "beam": {"bending_stiffness": stiffness, "mass_per_length": 0.5},
            "model": {"formulation": "modes", "modes": modes, "shapes": "clamped"},
        }
        for k in range(links)
    ]
    return fa.Arm(planar=True, gravity=(0.0, -9.81, 0.0), links=made)


# --- The range -------------------------------------------------------------------------------------------------------


def cut_off(modes: int, bend: float) -> float:
    """The least eigenvalue of the inertia (hub's turn; shapes) of a beam pinned without hub, by quadrature.

    Mass and length one; cantilever shapes by their closed form; bent as a force at the tip bends it.
    """
    x, w = np.polynomial.legendre.leggauss(200)
    x, w = 0.5 * (x + 1), 0.5 * w
    roots = np.array([1.8751040687, 4.6940911330, 7.8547574382, 10.9955407349, 14.1371683910, 17.2787595321])[:modes]
    ratio = (np.cosh(roots) + np.cos(roots)) / (np.sinh(roots) + np.sin(roots))
    z = np.outer(x, roots)
    phi = np.cosh(z) - np.cos(z) - ratio * (np.sinh(z) - np.sin(z))
    slope = roots * (np.sinh(z) + np.sin(z) - ratio * (np.cosh(z) - np.cos(z)))
    tip = 2 * (-1.0) ** np.arange(modes)
    # η of a tip force: Φ_t/ω², brought to the deflection wanted
    eta = tip / roots**4
    eta = eta * bend / (tip @ eta)
    outboard = 0.5 * (1 - x**2)  # ∫ₓ¹ s ds
    turn = 1 / 3 + eta @ eta - np.sum(w * outboard * (slope @ eta) ** 2)
    matrix = np.zeros((modes + 1, modes + 1))
    matrix[0, 0], matrix[0, 1:] = turn, (w * x) @ phi
    matrix[1:, 0], matrix[1:, 1:] = matrix[0, 1:], np.eye(modes)
    return float(np.linalg.eigvalsh(matrix)[0])


@pytest.mark.parametrize("modes", [2, 4, 6])
def test_a_pinned_link_holds_as_far_as_its_inertia_of_second_order_is_definite(modes):
    found = definite_up_to(compile_arm(pendulum(1, modes)))
    assert found is not None
    # bisection leaves a hundredth of 0.3
    assert cut_off(modes, found - 0.003) > 0.0 > cut_off(modes, found + 0.003)


def test_inertia_at_the_joint_or_a_prescribed_joint_widens_the_range():
    bare, hub, held = (
        definite_up_to(compile_arm(pendulum(1, 4, joint=joint)))
        for joint in ({}, {"rotor_inertia": 5e-3}, {"free": False, "locked": True})
    )
    assert bare is not None and bare < 0.1
    assert hub is None or hub > 2 * bare
    assert held is None


# --- What is said ----------------------------------------------------------------------------------------------------


def test_a_run_that_leaves_the_range_says_which_link_how_far_and_what_to_change():
    with pytest.warns(fa.StoppedEarly, match="no longer positive definite"):
        run = fa.simulate(pendulum(2, 6, stiffness=2.0), end=3.0)
    assert run.info["status"] == "singular"
    message, advice = run.info["message"], run.info["advice"]
    assert "no longer positive definite" in message and "one frame" in message
    assert 'link "link 1"' in message or 'link "link 2"' in message
    share = float(message.split("bends by ")[1].split(" of it")[0])
    assert 0.005 < share < 0.3
    assert 'formulation = "hermite", elements = 12' in advice
    assert "modes = 2 in place of 6" in advice and 'rotor_inertia = "' in advice
    assert "stopped at t = " in run.summary()


def test_the_line_it_reports_to_write_runs_to_the_end():
    arm = pendulum(2, 6, stiffness=2.0)
    cured = arm.changed(
        links=tuple(link.changed(model={"formulation": "hermite", "elements": 12}) for link in arm.links)
    )
    assert fa.simulate(cured, end=3.0, tolerance=1e-4).info["status"] == "ok"


def test_check_reports_the_range_where_it_is_short_and_strips_in_one_frame():
    (said,) = frame_remarks(compile_arm(pendulum(2, 4)))
    assert "link 1, link 2" in said and "about 0.04" in said and 'formulation = "hermite"' in said
    assert frame_remarks(compile_arm(pendulum(1, 2))) == []
    (said,) = frame_remarks(compile_arm(strip({"formulation": "modes", "modes": 3})))
    assert '"strip" is a strip' in said and "its own inertia" in said
    assert frame_remarks(compile_arm(strip({"formulation": "hermite", "elements": 3}))) == []
