"""A run that cannot go on says when, why and what to try, and hands over what it reached."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa
from flexarm.errors import AnalysisError

# every run here is meant to stop
pytestmark = pytest.mark.filterwarnings("ignore::flexarm.errors.StoppedEarly")

BODY = {"mass": 0.8, "inertia": (0.01, 0.02, 0.025)}


def arm(joint: dict | None = None, **keys) -> fa.Arm:
    """Two links falling from a bent posture; `joint` adds to the first joint."""
    free = {"type": "revolute", "free": True}
    first = {"type": "revolute", "at": 0.3, **({"free": True} if joint is None else joint)}
    return fa.Arm(
        planar=True,
        gravity=(0, -9.81, 0),
        links=[
            {"name": "one", "joint": first, "length": 0.5, "rigid": BODY},
            {"name": "two", "joint": {**free, "at": -0.9}, "length": 0.4, "rigid": BODY},
        ],
        **keys,
    )


def check(run: fa.Trajectory, statuses: tuple[str, ...], *words: str) -> None:
    """The run failed for the reason given, reports it in full, and holds finite samples up to where it came."""
    assert not run.complete
    info = run.info
    assert info["status"] in statuses
    failure = run.failure
    assert failure is not None and "\n" not in failure
    for word in ("stopped at t =", "try", *words):
        assert word in failure
    assert 0.0 <= info["reached"] < info["end"]
    assert len(run.time) >= 1 and run.time[-1] <= info["reached"] + 1e-12
    # nothing that was reached is withheld: the next sample lies beyond
    assert run.time[-1] + info["end"] / 1000 * (1 + 1e-9) > info["reached"]
    for name in ("joint_position", "joint_velocity", "point_position", "energy_kinetic"):
        assert np.all(np.isfinite(run.values(name)))
    assert failure in run.summary() or "stopped" in run.summary()


def test_divergence_is_reported_with_its_time():
    # a step far too long for the swing: the iteration runs away at once
    run = fa.simulate(arm(), end=5.0, step=1.0, stepper="newmark")
    check(run, ("diverged",), "no longer finite", "smaller step")
    assert run.info["reached"] == 0.0


# a step of a whole swing; where Newton's iteration without the right tangent wanders, it may also run away
@pytest.mark.parametrize(
    ("stepper", "step", "statuses"),
    [
        ("newmark", 0.3, ("no convergence", "diverged")),
        ("alpha", 0.3, ("no convergence", "diverged")),
        ("esdirk4", 0.5, ("no convergence",)),
    ],
)
def test_an_iteration_that_does_not_converge_is_reported(stepper, step, statuses):
    run = fa.simulate(arm(), end=5.0, step=step, stepper=stepper)
    check(run, statuses, "smaller step")


def test_too_many_steps_are_reported_and_the_samples_before_are_kept():
    run = fa.simulate(arm(), end=2.0, max_steps=50)
    check(run, ("too many steps",), "steps", "max_steps")
    assert run.info["steps"] == 50
    whole = fa.simulate(arm(), end=2.0)
    kept = len(run.time)
    assert kept > 10
    np.testing.assert_array_equal(run.values("joint_position"), whole.values("joint_position")[:kept])


def test_a_step_that_becomes_too_small_is_reported():
    # turning evenly until a torque sets in; a tolerance far below rounding is never met
    sine = {"kind": "sine", "amplitude": 1.0, "frequency": 1.0}
    turning = {"name": "one", "joint": {"type": "revolute", "torque": "sine", "start_rate": 1.0}, "rigid": BODY}
    even = fa.Arm(planar=True, gravity=(0, 0, 0), links=[turning], torques={"sine": sine})
    run = fa.simulate(even, end=2.0, tolerance=1e-49)
    check(run, ("step underflow",), "too small", "larger tolerance")


def test_a_command_that_leaves_every_scale_ends_in_a_reported_failure():
    steep = {"kind": "polynomial", "coefficients": [0.0] * 12 + [1e50]}
    run = fa.simulate(arm({"torque": "steep"}, torques={"steep": steep}), end=1.0, max_steps=20_000)
    assert not run.complete
    assert "stopped at t =" in run.failure and "try" in run.failure


def test_a_point_mass_on_the_axis_of_a_free_joint_is_reported_as_what_it_is():
    link = {
        "name": "point",
        "joint": {"type": "revolute", "free": True},
        "rigid": {"mass": 1.0, "centre": (0, 0, 0), "inertia": (0, 0, 0)},
    }
    run = fa.simulate(fa.Arm(gravity=(0, 0, 0), links=[link]), end=1.0)
    assert not run.complete
    assert run.info["status"] == "singular"
    assert "inertia" in run.failure and "rotor_inertia" in run.failure


def test_an_interrupt_is_heard_and_what_was_reached_is_kept():
    def stop(reached: float, end: float) -> None:
        raise KeyboardInterrupt

    run = fa.simulate(arm(), end=2000.0, output=1.0, progress=stop)
    check(run, ("interrupted",), "interrupted")


def test_a_massless_leaf_behind_a_free_joint_is_refused_in_one_sentence():
    bare = {"name": "ghost", "joint": {"type": "revolute", "free": True}, "rigid": {"mass": 0, "inertia": (0, 0, 0)}}
    heavy = {"name": "one", "joint": {"type": "revolute", "free": True}, "length": 0.5, "rigid": BODY}
    with pytest.raises(AnalysisError) as refused:
        fa.simulate(fa.Arm(gravity=(0, 0, 0), links=[heavy, bare]), end=1.0)
    message = str(refused.value)
    assert '"ghost"' in message and "no mass" in message and "\n" not in message


@pytest.mark.parametrize("cure", [{"rotor_inertia": 0.1, "free": True}, {"locked": True}, {}])
def test_a_massless_leaf_with_a_rotor_or_held_is_fine(cure):
    bare = {"name": "ghost", "joint": {"type": "revolute", **cure}, "rigid": {"mass": 0, "inertia": (0, 0, 0)}}
    heavy = {"name": "one", "joint": {"type": "revolute", "free": True}, "length": 0.5, "rigid": BODY}
    assert fa.simulate(fa.Arm(gravity=(0, -9.81, 0), links=[heavy, bare]), end=0.1).complete


def test_no_end_is_refused_in_one_sentence():
    with pytest.raises(AnalysisError, match="end is missing"):
        fa.simulate(arm())


def test_a_start_of_unknown_or_driven_coordinates_is_refused():
    locked = arm({"locked": True})
    with pytest.raises(AnalysisError, match='no coordinate "three"'):
        fa.simulate(locked, end=1.0, start={"three": 1.0})
    with pytest.raises(AnalysisError, match='"one" is driven'):
        fa.simulate(locked, end=1.0, start={"one": 1.0})
    with pytest.raises(fa.FlexarmError, match="finite"):
        fa.simulate(locked, end=1.0, start={"two.rate": float("nan")})


def test_a_given_start_is_where_the_run_starts():
    run = fa.simulate(arm(), end=0.1, start={"two": 0.25, "two.rate": -1.5})
    np.testing.assert_array_equal(run.values("joint_position")[0], [0.3, 0.25])
    np.testing.assert_array_equal(run.values("joint_velocity")[0], [0.0, -1.5])
