"""The energy balance closes: stored energy, work of drives and loads, and what the dampers took."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import flexarm as fa

from .runs import fitted_order

EXAMPLES = Path(__file__).parents[2] / "examples"
ORDERS = {"esdirk4": 4.0, "newmark": 2.0, "alpha": 2.0}
BODY = {"mass": 0.8, "inertia": (0.01, 0.02, 0.025)}
LAWS = {
    "motions": {"move": {"kind": "spin-up", "rate": 3.0, "duration": 0.5}},
    "torques": {"shake": {"kind": "sine", "amplitude": 3.0, "frequency": 2.0}},
}


def arm(kind: str) -> fa.Arm:
    """Two rigid links and a slide under gravity: pushed by a torque, driven, loaded, or damped."""
    first = {
        "torque": {"torque": "shake", "stiffness": 20.0},
        "prescribed": {"motion": "move"},
        "loaded": {"free": True, "stiffness": 20.0},
        "damped": {"free": True, "stiffness": 20.0, "damping": 0.5, "start_rate": 3.0},
    }[kind]
    loads = [
        {"link": "three", "force": (4.0, 1.0, 0), "moment": (0, 0, 0.4), "axes": "link"},
        {"link": "two", "at": 0.1, "force": (0, 5.0, 0)},
    ]
    if kind == "loaded":
        loads[1]["law"] = "factor"
    damping = 2.0 if kind == "damped" else 0.0
    slide = {"type": "prismatic", "axis": (0.6, 0.8, 0.0), "free": True, "stiffness": 120.0, "damping": damping}
    return fa.Arm(
        planar=True,
        gravity=(0, -9.81, 0),
        links=[
            {"name": "one", "joint": {"type": "revolute", "at": 0.3, **first}, "length": 0.5, "rigid": BODY},
            {"name": "two", "joint": slide, "length": 0.4, "rigid": BODY},
            {
                "name": "three",
                "joint": {"type": "revolute", "free": True, "at": -0.5, "stiffness": 5.0, "damping": damping / 20},
                "length": 0.3,
                "rigid": BODY,
            },
        ],
        loads=loads if kind == "loaded" else [],
        motions=LAWS["motions"] if kind == "prescribed" else {},
        torques={
            "torque": LAWS["torques"],
            "loaded": {"factor": {"kind": "sine", "amplitude": 1.0, "period": 0.7, "phase": 0.4}},
        }.get(kind, {}),
    )


def gap(run: fa.Trajectory) -> float:
    return float(np.abs(run.values("energy_balance_error")).max())


@pytest.mark.parametrize("stepper", ORDERS)
@pytest.mark.parametrize("kind", ["torque", "prescribed", "loaded", "damped"])
def test_the_book_closes_with_the_order_of_the_stepper(kind, stepper):
    steps = 0.5 / np.array([50, 100, 200, 400])
    # output at ends of steps; the tolerance, which has no say in the steps, keeps the inner iteration out of the way
    runs = [fa.simulate(arm(kind), end=0.5, step=h, output=0.01, stepper=stepper, tolerance=1e-14) for h in steps]
    assert fitted_order(steps, [gap(run) for run in runs]) == pytest.approx(ORDERS[stepper], abs=0.2)


@pytest.mark.parametrize("kind", ["torque", "prescribed", "loaded", "damped"])
def test_the_gap_of_an_adaptive_run_is_small_beside_what_is_exchanged(kind):
    run = fa.simulate(arm(kind), end=2.0, tolerance=1e-8)
    exchanged = np.ptp(run.values("energy_kinetic"))
    assert exchanged > 0.5
    assert gap(run) < 1e-6 * exchanged


def test_what_the_book_counts_is_what_it_says():
    kinds = {kind: fa.simulate(arm(kind), end=1.0) for kind in ("torque", "prescribed", "loaded", "damped")}
    for kind, run in kinds.items():
        drives, loads, lost = (np.abs(run.values(n)).max() for n in ("work_drives", "work_loads", "energy_dissipated"))
        assert (drives > 0.1) == (kind in ("torque", "prescribed"))
        assert (loads > 0.1) == (kind == "loaded")
        assert (lost > 0.1) == (kind == "damped")


def test_the_work_of_a_constant_force_is_force_times_way():
    cart = {"name": "cart", "joint": {"type": "prismatic", "axis": "x", "free": True}, "rigid": BODY}
    run = fa.simulate(
        fa.Arm(gravity=(0, 0, 0), links=[cart], loads=[{"link": "cart", "force": (2.0, 1.0, 0)}]), end=1.0
    )
    np.testing.assert_allclose(run.values("work_loads"), 2.0 * run.values("joint_position")[:, 0], atol=1e-12)


@pytest.mark.parametrize("name", ["rod_handler", "spatial_rod"])
def test_the_book_of_a_flexible_arm_closes(name):
    run = fa.simulate(fa.read_arm(EXAMPLES / f"{name}.toml"), tolerance=1e-7)
    given, lost = (np.abs(run.values(what)).max() for what in ("work_drives", "energy_dissipated"))
    assert lost > 1e-6 * given > 0
    # the drives take out all the motion there was
    assert gap(run) < 1e-6 * given


def test_a_flexible_arm_without_damping_keeps_what_its_drives_gave():
    arm = fa.read_arm(EXAMPLES / "rod_handler.toml")
    links = (*arm.links[:2], arm.links[2].changed(damping=None))
    run = fa.simulate(arm.changed(links=links), tolerance=1e-8)
    np.testing.assert_array_equal(run.values("energy_dissipated"), 0.0)
    stored = run.values("energy_kinetic") + run.values("energy_elastic")
    after = run.time > 1.25 + 0.509 / 2 + 1e-9
    # with the joints at rest the rod rings on; a stepper that damps fast modes may take a millionth of it
    assert np.ptp(stored[after]) < 1e-5 * stored[after][0]
