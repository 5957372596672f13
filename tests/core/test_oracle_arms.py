"""The planar and the spatial arm that stop a rod, against SciPy on dense equations derived another way."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import flexarm as fa
from flexarm.analyses.points import see
from flexarm.analyses.run.initial_state import initial_state
from flexarm.analyses.run.integrate import Run, Settings, integrate
from flexarm.assembly import CompiledArm, compile_arm
from tests.oracles import planar_chain, spatial_rod

from .runs import fitted_order

EXAMPLES = Path(__file__).parents[2] / "examples"
PLANAR_TIMES = np.linspace(0.0, 2.0, 101)
SPATIAL_TIMES = np.linspace(0.0, 2.5, 51)  # braking begins at 1.05 s


@pytest.fixture(scope="module")
def planar_arm() -> CompiledArm:
    """Two rigid arms and a rod of ten elements in the plane."""
    return compile_arm(fa.read_arm(EXAMPLES / "rod_handler.toml"))


@pytest.fixture(scope="module")
def spatial_arm() -> CompiledArm:
    """Column, two arms, wrist and a rod of ten elements in space."""
    return compile_arm(fa.read_arm(EXAMPLES / "spatial_rod.toml"))


@pytest.fixture(scope="module")
def planar_tip() -> np.ndarray:
    """Tip of the planar arm by Radau at rtol 1e-8; 3e-12 m from the answer at 1e-10."""
    return planar_chain.tip_history(PLANAR_TIMES, to=planar_chain.Tolerance(1e-8, 1e-10))


@pytest.fixture(scope="module")
def spatial_tip() -> np.ndarray:
    """Tip of the spatial arm by Radau at rtol 1e-7."""
    return spatial_rod.tip_history(SPATIAL_TIMES, braking_time=1.9)


def run_of(arm: CompiledArm, times: np.ndarray, **options) -> tuple[np.ndarray, Run]:
    """Tip (m, 3) and the run, from the steady start."""
    run = integrate(arm, initial_state(arm, "steady"), Settings(float(times[-1]), **options), times)
    assert run.ok
    states = (np.ascontiguousarray(x) for x in (run.q, run.v, run.a))
    return see(arm, times, *states).position[:, 0], run


@pytest.mark.parametrize("kernel", ["planar", "spatial"])
def test_tip_of_the_planar_arm_is_that_of_the_dense_equations(planar_arm, planar_tip, kernel):
    arm = planar_arm if kernel == "planar" else replace(planar_arm, tree=planar_arm.spatial)
    tip, _ = run_of(arm, PLANAR_TIMES, tolerance=1e-9)
    # asked for 1e-7 m; the tolerance of the run itself is met within a factor of two
    np.testing.assert_allclose(tip[:, :2], planar_tip, rtol=0, atol=2e-9)
    np.testing.assert_allclose(tip[:, 2], 0.0, rtol=0, atol=1e-15)


def test_tip_of_the_spatial_arm_is_that_of_the_dense_equations(spatial_arm, spatial_tip):
    tip, _ = run_of(spatial_arm, SPATIAL_TIMES, tolerance=1e-9)
    np.testing.assert_allclose(tip, spatial_tip, rtol=0, atol=5e-9)


def test_error_of_an_adaptive_run_is_near_the_tolerance_and_falls_with_it(planar_arm, planar_tip):
    tolerances = [1e-5, 1e-6, 1e-7, 1e-8, 1e-9]
    errors = [np.abs(run_of(planar_arm, PLANAR_TIMES, tolerance=t)[0][:, :2] - planar_tip).max() for t in tolerances]
    for tolerance, error in zip(tolerances, errors, strict=True):
        assert 0.05 * tolerance < error < 3.0 * tolerance
    # error ∝ tolerance, as the error of a step and not of a unit of time is controlled: a little less than one
    assert 0.8 < fitted_order(tolerances, errors) < 1.1


@pytest.mark.parametrize("stepper", ["newmark", "alpha"])
def test_error_of_an_adaptive_second_order_run_falls_with_its_tolerance(planar_arm, planar_tip, stepper):
    tolerances = [1e-3, 1e-4, 1e-5, 1e-6]
    errors = [
        np.abs(run_of(planar_arm, PLANAR_TIMES, tolerance=t, stepper=stepper)[0][:, :2] - planar_tip).max()
        for t in tolerances
    ]
    # the error h³ of a step is controlled per unit of time, so that its sum h² falls as the tolerance itself and not as
    # its power 2/3
    assert fitted_order(tolerances, errors) == pytest.approx(1.0, abs=0.1)
    for tolerance, error in zip(tolerances, errors, strict=True):
        assert error < tolerance


@pytest.mark.parametrize(("stepper", "order", "cuts"), [("esdirk4", 4, (1, 2, 4, 8)), ("newmark", 2, (2, 4, 8, 16))])
def test_fixed_steps_keep_their_order_on_a_stiff_damped_rod(planar_arm, planar_tip, stepper, order, cuts):
    # the tenth mode of the rod has ωh up to 40 here: what is fitted is the order of the motion that matters
    steps = 0.004 / np.array(cuts)
    errors = [
        np.abs(run_of(planar_arm, PLANAR_TIMES, step=h, stepper=stepper, tolerance=1e-9)[0][:, :2] - planar_tip).max()
        for h in steps
    ]
    assert fitted_order(steps, errors) == pytest.approx(order, abs=0.3)


def test_drive_torques_are_those_of_the_dense_equations(planar_arm):
    times = np.linspace(0.0, 1.3, 27)
    expected = planar_chain.drive_torques(times, to=planar_chain.Tolerance(1e-8, 1e-10))
    run = fa.simulate(planar_arm.arm, end=1.3, output=0.05, tolerance=1e-9)
    # torques take the accelerations, whose error is that of the position divided by the square of a step
    np.testing.assert_allclose(run.values("joint_torque"), expected, rtol=0, atol=1e-5 * np.abs(expected).max())


def test_frequencies_of_both_rods_are_those_of_the_dense_equations(planar_arm, spatial_arm):
    np.testing.assert_allclose(
        fa.modes(planar_arm.arm, count=10).frequencies_hz, planar_chain.frequencies(10), rtol=1e-10
    )
    found, expected = fa.modes(spatial_arm.arm, count=20), spatial_rod.frequencies(10)
    # damping in proportion to stiffness: the five lowest modes of each plane ring, the others are overdamped
    np.testing.assert_allclose(found.frequencies_hz, expected[:10], rtol=1e-10)
    ratio = found.damping_ratios[0] / expected[0]
    np.testing.assert_allclose(found.damping_ratios, ratio * expected[:10], rtol=1e-8)
    assert ratio * expected[10] > 1.0
    # the slower an overdamped mode creeps the faster its other pole: λ1 λ2 = ω², λ1 + λ2 = −2ζω
    slow, fast = found.real_poles[:10], found.real_poles[:9:-1]
    np.testing.assert_allclose(np.sqrt(slow * fast) / (2 * np.pi), expected[:9:-1], rtol=1e-9)
    np.testing.assert_allclose(-(slow + fast), 4 * np.pi * ratio * expected[:9:-1] ** 2, rtol=1e-8)


def test_steady_starts_are_those_of_the_dense_equations(planar_arm, spatial_arm):
    for arm, oracle in ((planar_arm, planar_chain), (spatial_arm, spatial_rod)):
        q = initial_state(arm, "steady").q[arm.elastic_coordinates]
        np.testing.assert_allclose(q, oracle.steady_start(10), rtol=0, atol=1e-11)
