"""Arms with a beam that slides out of a sleeve, from the model file to modes, statics and runs."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa
from flexarm.errors import AnalysisError

from .sleeves import LENGTH, OUT, telescope

pytestmark = pytest.mark.usefixtures("no_error_estimates")

EITHER = pytest.mark.parametrize("planar", [True, False], ids=["planar", "spatial"])
MASS = 0.9 * LENGTH  # of the whole boom (kg)
EI, RHO, LOAD = 60.0, 0.9, 0.5  # in the plane; mass per length; payload
DRIVEN, FREE = 'motion = "extend"', "free = true"


# --- Held: a beam like any other -------------------------------------------------------------------------------------


@EITHER
@pytest.mark.parametrize("formulation", ["hermite", "timoshenko", "isoparametric"])
def test_a_boom_that_is_held_has_the_modes_and_the_sag_of_a_fixed_beam_of_that_length(formulation, planar):
    keys = {"formulation": formulation, "planar": planar, "gravity": "[0, -9.81, 0]" if planar else "[0, 0, 0]"}
    found, expected = (fa.modes(telescope(sleeve=sleeve, **keys), count=6) for sleeve in (True, False))
    # rounding of K⁻¹M, whose condition is 1e6
    np.testing.assert_allclose(found.frequencies_hz, expected.frequencies_hz, rtol=1e-9)
    assert found.names == expected.names
    hangs, sags = (fa.statics(telescope(formulation=formulation, planar=planar, sleeve=s)) for s in (True, False))
    np.testing.assert_allclose(hangs.tip_sag["tip"], sags.tip_sag["tip"], rtol=0, atol=1e-13)


@pytest.mark.parametrize("formulation", ["hermite", "timoshenko", "isoparametric"])
def test_a_boom_that_sags_in_space_vibrates_as_a_fixed_beam_but_for_squares_of_its_slope(formulation):
    # a fixed beam knows that twist turns what is bent, a boom in a sleeve does not: products of the two
    apart, slopes = [], []
    for gravity in ("[0, -9.81, 0]", "[0, -0.981, 0]"):
        arms = [telescope(formulation=formulation, planar=False, gravity=gravity, sleeve=s) for s in (True, False)]
        found, expected = (fa.modes(arm, count=6).frequencies_hz for arm in arms)
        apart.append(np.abs(found / expected - 1).max())
        slopes.append(1.5 * np.abs(fa.statics(arms[1]).tip_sag["tip"][1]) / OUT)  # of a beam with a load at its tip
        assert 1e-9 < apart[-1] < slopes[-1] ** 2
    # a tenth of the slope; what is left over is of the slope's fourth power
    assert apart[0] / apart[1] == pytest.approx(100.0, rel=slopes[0] ** 2 * 10)


def test_a_boom_that_is_held_swings_as_a_fixed_beam_of_that_length():
    tips = [fa.simulate(telescope(sleeve=sleeve), step=1e-3).values("point_position")[:, 0] for sleeve in (True, False)]
    # both are solved to rounding in every step
    np.testing.assert_allclose(tips[0], tips[1], rtol=0, atol=1e-11)


def test_a_boom_that_is_held_swings_in_space_as_a_fixed_beam_but_for_cubes_of_its_deflection():
    apart = []
    for scale in (1.0, 0.1):
        keys = {"planar": False, "gravity": "[0, 0, 0]", "turret": f'motion = "swing", scale = {scale}'}
        held, fixed = (fa.simulate(telescope(sleeve=sleeve, **keys), step=1e-3) for sleeve in (True, False))
        tips = [run.values("point_position")[:, 0] for run in (held, fixed)]
        bent = np.linalg.norm(fixed.values("point_deflection")[:, 0], axis=1).max()
        apart.append(np.linalg.norm(tips[0] - tips[1], axis=1).max())
        # the products of twist and bending that a sleeve leaves out move the tip by the slope's square of what it bends
        assert apart[-1] < bent * (bent / OUT) ** 2
    # a tenth of the deflection, whose fourth and fifth powers are the rest of this
    assert apart[0] / apart[1] == pytest.approx(1e3, rel=0.2)


@pytest.mark.parametrize("formulation", ["hermite", "timoshenko", "isoparametric"])
def test_strains_and_moments_are_read_at_fixed_parts_of_the_length_outside(formulation):
    runs = [
        fa.simulate(
            telescope(formulation=formulation, sleeve=sleeve, boom='damping = { retardation = "1 ms" }'),
            step=2e-3,
            end=0.1,
        )
        for sleeve in (True, False)
    ]
    for name in ("curvature_z", "moment_z", "shear_y"):
        found, expected = (run.values(name) for run in runs)
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-10 * np.nanmax(np.abs(expected)))
    # named by where they are when all is out
    places = [np.array([float(name.split("@")[1]) for name in run.labels("station")]) for run in runs]
    np.testing.assert_allclose(places[0] / LENGTH, places[1] / OUT, rtol=0, atol=1e-5)


def test_the_direction_of_a_boom_is_free():
    turned = telescope(joint=DRIVEN, boom_axis="y", turret="locked = true", gravity="[9.81, 0, 0]")
    straight = telescope(joint=DRIVEN, turret="locked = true")
    one, two = (fa.simulate(arm, step=1e-3).values("point_position")[:, 0] - [0.3, 0, 0] for arm in (turned, straight))
    # y for x, and −x for y
    np.testing.assert_allclose(one[:, [1, 0]] * [1, -1], two[:, :2], rtol=0, atol=1e-12)


def test_frequencies_fall_with_the_square_of_the_length_outside():
    arm = telescope(payload="", gravity="[0, 0, 0]", model='theory = "euler"')
    short, whole = (fa.modes(arm, posture={"boom": d}).frequencies_hz[:3] for d in (0.3, 1.2))
    np.testing.assert_allclose(short / whole, 16.0, rtol=1e-9)


def test_the_part_in_the_sleeve_weighs_on_the_turret():
    held, fixed = fa.statics(telescope()), fa.statics(telescope(sleeve=False))
    inside = LENGTH - OUT
    expected = RHO * inside * 9.81 * (0.3 - 0.5 * inside)
    assert held.joint_torque[0] - fixed.joint_torque[0] == pytest.approx(expected, rel=1e-9)


def test_an_upright_boom_is_held_against_its_weight():
    arm = telescope(gravity="[-9.81, 0, 0]", turret="locked = true")
    assert fa.statics(arm).joint_torque[1] == pytest.approx((MASS + LOAD) * 9.81, rel=1e-12)


# --- Driven ----------------------------------------------------------------------------------------------------------


@EITHER
def test_a_driven_boom_closes_its_energy_balance(planar):
    run = fa.simulate(telescope(joint=DRIVEN, planar=planar, boom='damping = { retardation = "1 ms" }'))
    assert run.complete
    moved = np.abs(run.values("work_drives")).max()
    # the tolerance of the run is 1e-6 m
    assert np.abs(run.values("energy_balance_error")).max() < 1e-5 * moved
    np.testing.assert_allclose(run.values("joint_position")[[0, -1], 1], [OUT, OUT + 0.4], rtol=0, atol=1e-12)


@EITHER
def test_velocities_and_accelerations_of_the_tip_are_derivatives_of_its_place(planar):
    run = fa.simulate(telescope(joint=DRIVEN, planar=planar), step=2.5e-4, output=2.5e-4)
    x, v, a = (run.values(f"point_{name}")[:, 0] for name in ("position", "velocity", "acceleration"))
    h = 2.5e-4
    # central differences: h² of the third derivative, vibrations of 1e3 rad/s included
    np.testing.assert_allclose((x[2:] - x[:-2]) / (2 * h), v[1:-1], rtol=0, atol=2e-3 * np.abs(v).max())
    np.testing.assert_allclose((v[2:] - v[:-2]) / (2 * h), a[1:-1], rtol=0, atol=2e-2 * np.abs(a).max())


def test_a_boom_that_slides_while_the_turret_turns_is_bent_by_the_coriolis_force():
    """At constant rates the load is 2ωḋ times the mass, along the whole beam: w d⁴/8EI + P d³/3EI, Euler's beam."""
    w, rate = 0.4, 0.3
    arm = telescope(
        joint='motion = "steady", rate = "0.3 m/s"',
        turret='motion = "turning", rate = "0.4 rad/s"',
        gravity="[0, 0, 0]",
        model='theory = "euler"',
        payload='payload = { mass = "0.5 kg" }',
        more='[motion.steady]\nkind = "constant-rate"\n[motion.turning]\nkind = "constant-rate"\n',
    )
    run = fa.simulate(arm, **{"end": 1.0})
    still = fa.simulate(arm.changed(simulation=arm.simulation.changed(analysis="quasi-static")))
    d = still.values("joint_position")[:, 1]
    expected = -2 * w * rate * (RHO * d**4 / (8 * EI) + LOAD * d**3 / (3 * EI))
    angle = still.values("joint_position")[:, 0]
    across = np.stack([-np.sin(angle), np.cos(angle)], axis=1)
    found = np.sum(still.values("point_deflection")[:, 0, :2] * across, axis=1)
    np.testing.assert_allclose(found, expected, rtol=1e-9)
    # the beam is let go straight and shakes about that line, with the centrifugal pull beside
    angle, d = run.values("joint_position")[:, :2].T
    across = np.stack([-np.sin(angle), np.cos(angle)], axis=1)
    shaking = np.sum(run.values("point_deflection")[:, 0, :2] * across, axis=1)
    line = -2 * w * rate * (RHO * d**4 / (8 * EI) + LOAD * d**3 / (3 * EI))
    assert np.mean(shaking) == pytest.approx(np.mean(line), rel=0.05)


def test_a_force_moves_a_stiff_boom_as_it_would_a_mass():
    stiff = telescope(joint='torque = "push"', turret="locked = true", gravity="[0, 0, 0]")
    run = fa.simulate(stiff, end=0.5, tolerance=1e-8)
    t = run.time
    whole, period = MASS + LOAD, 1.0
    turn = 2 * np.pi / period
    expected = OUT + 4.0 / (whole * turn) * (t - np.sin(turn * t) / turn)
    # nothing bends a boom that is pushed along its axis
    np.testing.assert_allclose(run.values("joint_position")[:, 1], expected, rtol=0, atol=1e-7)
    np.testing.assert_allclose(run.values("joint_torque")[:, 1], 4.0 * np.sin(turn * t), rtol=0, atol=1e-12)


@EITHER
def test_a_servo_draws_the_boom_along_its_motion(planar):
    keys = 'motion = "extend", servo = { kp = "2e4 N/m", kv = "3e2 N s/m" }'
    run = fa.simulate(telescope(joint=keys, planar=planar), end=1.0)
    assert run.complete
    error = run.values("joint_error")[:, 1]
    assert 1e-5 < np.abs(error).max() < 5e-3
    force = run.values("joint_torque")[:, 1]
    # what the servo gives is what its law says
    rate = run.values("joint_velocity")[-1, 1]
    assert force[-1] == pytest.approx(-2e4 * error[-1] - 3e2 * rate, rel=1e-6, abs=1e-6)
    assert np.abs(run.values("energy_balance_error")).max() < 1e-4 * np.abs(run.values("work_drives")).max()


def test_a_servo_left_to_the_arm_finds_its_gains():
    run = fa.simulate(telescope(joint='motion = "extend", servo = "auto"'))
    assert run.complete
    assert np.abs(run.values("joint_error")[:, 1]).max() < 0.1


def test_the_drive_force_of_the_rigid_arm_is_that_of_a_bar_that_slides():
    """m (d̈ − ω² x) of bar and payload, and their weight along the axis."""
    run = fa.simulate(telescope(joint=DRIVEN))
    (angle, d), (w, _), (_, acc) = (run.values(f"joint_{name}").T for name in ("position", "velocity", "acceleration"))
    along = MASS * (acc - w**2 * (0.3 + d - 0.5 * LENGTH)) + LOAD * (acc - w**2 * (0.3 + d))
    expected = along + (MASS + LOAD) * 9.81 * np.sin(angle)
    np.testing.assert_allclose(run.values("rigid_torque")[:, 1], expected, rtol=0, atol=1e-9)


def test_small_vibrations_of_a_boom_that_slides_are_those_of_the_linear_analysis():
    arm = telescope(joint=DRIVEN, turret='motion = "swing", scale = 0.1', gravity="[0, 0, 0]")
    exact, linear = (
        fa.simulate(arm.changed(simulation=arm.simulation.changed(analysis=name))).values("point_deflection")[:, 0]
        for name in ("nonlinear", "linear")
    )
    # deflections of 2 % of the length: their squares are left out
    assert np.abs(linear - exact).max() < 0.02 * np.abs(exact).max()


def test_a_twin_comes_close_but_for_the_stretch_that_a_boom_leaves_out():
    def boom(freedoms: str):
        arm = telescope(joint=DRIVEN, elements=3, model=f"freedoms = [{freedoms}]", simulation='end = "0.3 s"')
        return fa.simulate(arm, check=True)

    bends, stretches = boom('"bending", "shear"'), boom('"bending", "shear", "axial"')
    reported, fineness = (run.info["check"]["tip"] for run in (bends, stretches))
    assert fineness < 1e-4
    # without stretch it finds the distance to a boom that has it, but for what more elements change in that one
    tips = [run.values("point_position")[:, 0] for run in (bends, stretches)]
    assert reported == pytest.approx(np.linalg.norm(tips[0] - tips[1], axis=1).max(), abs=fineness)
    assert reported > 2 * fineness


# --- Beyond the ends -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("scale", "word"), [(2.0, "slid out"), (-2.0, "drawn in")])
def test_a_motion_beyond_the_sleeve_ends_the_run_with_a_reason(scale, word):
    run = fa.simulate(telescope(joint=f'motion = "extend", scale = {scale}', boom='damping = { retardation = "2 ms" }'))
    assert not run.complete
    assert run.info["status"] == word
    assert "sleeve" in run.info["message"]
    d = run.values("joint_position")[:, 1]
    assert np.all((d >= -1e-9) & (d <= LENGTH + 1e-9))
    assert np.all(np.isfinite(run.values("point_position")))


def test_a_boom_is_drawn_in_to_nothing_and_out_again():
    law = '[motion.in_and_out]\nkind = "accelerate"\ntravel = "-0.7 m"\nacceleration_time = "0.4 s"\nback = true\n'
    arm = telescope(joint='motion = "in_and_out"', more=law, boom='damping = { retardation = "1 ms" }')
    run = fa.simulate(arm, end=2.0)
    assert run.complete
    d, deflection = run.values("joint_position")[:, 1], run.values("point_deflection")[:, 0]
    assert d.min() == pytest.approx(0.0, abs=1e-6)
    assert np.all(np.isfinite(deflection))
    assert np.linalg.norm(deflection[np.argmin(d)]) < 1e-5


@pytest.mark.parametrize("d", [-0.1, 1.3])
def test_a_posture_beyond_the_sleeve_is_refused(d):
    with pytest.raises(AnalysisError, match=r'joint "boom" is at .* m, must be between 0 m'):
        fa.statics(telescope(), posture={"boom": d})
    with pytest.raises(AnalysisError, match='joint "boom" is at'):
        fa.modes(telescope(), posture={"boom": d})


@pytest.mark.parametrize("analysis", ["linear", "quasi-static"])
def test_a_motion_beyond_the_sleeve_is_refused_where_nothing_is_integrated(analysis):
    arm = telescope(joint='motion = "extend", scale = 2', simulation=f'end = "0.6 s"\nanalysis = "{analysis}"')
    with pytest.raises(AnalysisError, match=r'joint "boom" is at 1\.5 m'):
        fa.simulate(arm)


def test_a_free_boom_hangs_on_its_spring():
    keys = f'{FREE}, stiffness = "200 N/m", rest = "0.5 m"'
    arm = telescope(joint=keys, turret="locked = true", gravity="[9.81, 0, 0]")
    hangs = fa.statics(arm)
    assert hangs.posture["boom"] == pytest.approx(0.5 + (MASS + LOAD) * 9.81 / 200.0, rel=1e-9)


# --- What cannot slide -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "reason"),
    [
        ({"formulation": "rigid-fe"}, 'model.formulation is "rigid-fe" with joint.sleeve'),
        ({"model": "modes = 4"}, "model.modes is 4 with joint.sleeve, must be 0"),
        ({"joint": 'gear = { stiffness = "1e5 N/m" }'}, "joint.gear is given with joint.sleeve"),
        ({"boom": 'damping = { per_spring = "1 N m s/rad" }'}, "damping has per_spring"),
        ({"boom": "damping = { ratio = 0.01, mode = 9 }"}, "damping.mode is 9, must be ≤"),
    ],
)
def test_what_cannot_slide_is_refused_in_a_sentence(keys, reason):
    if keys.get("formulation") == "rigid-fe":
        arm = telescope()
        arm = arm.changed(
            links=(arm.links[0], arm.links[1].changed(model=fa.Formulation(formulation="rigid-fe", elements=3)))
        )
    else:
        arm = telescope(**keys)
    with pytest.raises(AnalysisError, match='link "boom": ') as reported:
        fa.modes(arm)
    assert reason in str(reported.value)


def test_a_tapered_boom_is_refused():
    arm = telescope()
    boom = arm.links[1]
    tapered = boom.changed(beam=boom.beam.changed(end={"mass_per_length": 0.5}))
    with pytest.raises(AnalysisError, match=r"beam.end is given with joint.sleeve, must be left out"):
        fa.modes(arm.changed(links=(arm.links[0], tapered)))


def test_a_damping_ratio_is_that_of_the_boom_all_out():
    arm = telescope(boom="damping = { ratio = 0.02 }", payload="", gravity="[0, 0, 0]")
    assert fa.modes(arm, posture={"boom": LENGTH}).damping_ratios[0] == pytest.approx(0.02, rel=1e-6)
    # the ratio of a Kelvin-Voigt material rises with the frequency
    assert fa.modes(arm, posture={"boom": 0.5 * LENGTH}).damping_ratios[0] > 0.07
