"""The Campbell diagram: modes followed through crossings, critical speeds, how frequencies rise."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest
from scipy.optimize import brentq

import flexarm as fa
from flexarm.errors import AnalysisError
from tests.analyses.flexible_arms import three_joints
from tests.analyses.rotors import HUB, LENGTH, MASS, OFFSET, UNIT, hinged, rotor
from tests.links.cantilever import WAYS
from tests.links.rotating import flapping, lagging

HERMITE = WAYS["hermite"]


def twisting(torsion: float) -> fa.Arm:
    """A beam whose first torsional frequency is `torsion` (rad/s), whatever the speed: its sections are round."""
    polar = 1e-7  # next to nothing: a heavy section that twists is a gyroscope, and couples with flapping
    # the first of a clamped rod: ω = (π/2L) √(GJ/ρJ)
    stiffness = polar * (2 * torsion / np.pi) ** 2
    beam = {"bending_stiffness": 30.0, "mass_per_length": 0.5, "torsional_stiffness": stiffness, "polar_inertia": polar}
    model = {"formulation": "hermite", "elements": 8, "freedoms": ["bending", "torsion"]}
    return rotor(HERMITE, 8, link={"beam": beam, "model": model})


# --- Following -------------------------------------------------------------------------------------------------------


def test_a_rising_mode_is_followed_through_the_one_it_crosses():
    # torsion between the second flapping frequency at rest, 22.03, and at η = 12, 37.6
    found = fa.campbell(twisting(30.0 * UNIT), spins=(0.0, 12.0 * UNIT, 13), count=5)
    columns = dict(zip(found.names, 2 * np.pi * found.frequencies_hz.T / UNIT, strict=True))
    # eight elements have torsion to a twelfth of the square of (π/2)/8
    np.testing.assert_allclose(columns["beam torsion 1"], 30.0, rtol=4e-3)
    eta = found.spins / UNIT
    for k in range(2):
        exact = np.array([[flapping(x, 0.0, 2)[k], lagging(x, 0.0, 2)[k]] for x in eta])
        np.testing.assert_allclose(columns[f"beam bending y {k + 1}"], exact[:, 0], rtol=1e-3)
        np.testing.assert_allclose(columns[f"beam bending z {k + 1}"], exact[:, 1], rtol=1e-3)
    above = columns["beam bending y 2"] > columns["beam torsion 1"]
    assert not above[0] and above[-1]


@pytest.mark.parametrize("steps", [4, 13])
def test_planes_that_are_equal_at_rest_part_as_soon_as_it_turns(steps):
    found = fa.campbell(rotor(HERMITE, 6), spins=(0.0, 12.0 * UNIT, steps), count=4)
    assert set(found.names) == {f"beam bending {axis} {k}" for axis in "yz" for k in (1, 2)}
    flap, lag = (found.frequencies_hz[:, found.names.index(f"beam bending {axis} 1")] for axis in "yz")
    squares = (2 * np.pi) ** 2 * (flap**2 - lag**2)
    np.testing.assert_allclose(squares, found.spins**2, rtol=1e-6, atol=1e-6 * UNIT**2)


def test_every_speed_agrees_with_the_modes_there():
    arm = three_joints(HERMITE, 2)
    found = fa.campbell(arm, spins=["0 rpm", "30 rpm", "1 Hz", 9.0], count=4)
    np.testing.assert_allclose(found.spins, [0.0, np.pi, 2 * np.pi, 9.0])
    for spin, row in zip(found.spins, found.frequencies_hz, strict=True):
        np.testing.assert_allclose(np.sort(row), fa.modes(arm, spin=spin, count=4).frequencies_hz, rtol=1e-9)


# --- How they rise ---------------------------------------------------------------------------------------------------


def test_a_hinged_blade_rises_by_its_closed_form_and_not_from_zero():
    found = fa.campbell(hinged(), spins=(0.0, 20.0, 6), joints=["blade"])
    assert found.coefficients[0] == pytest.approx(1.5 * OFFSET / LENGTH, rel=1e-9)
    assert found.rest_hz[0] == 0.0 and found.misfits_hz[0] < 1e-9
    # ω = ν Ω with ν between 0 and 1 for ever: no crossing but rest
    assert found.crossings == () and "no critical speed" in found.summary()


def test_a_free_hub_stays_a_rigid_body_motion_at_all_speeds():
    found = fa.campbell(hinged(), spins=(0.0, 20.0, 5), joints="free")
    assert found.names == ("rigid-body motion 1", "blade joint 1")
    own, static = MASS * LENGTH**2 / 3, MASS * LENGTH / 2
    whole = HUB + MASS * OFFSET**2 + own + 2 * static * OFFSET
    rises = static * OFFSET / (own - (own + static * OFFSET) ** 2 / whole)
    np.testing.assert_allclose(found.frequencies_hz[:, 0], 0.0)
    np.testing.assert_allclose(found.coefficients, [0.0, rises], rtol=1e-8, atol=1e-12)


def test_a_blade_that_starts_folded_is_followed_down_to_rest_where_the_rotation_put_it():
    found = fa.campbell(hinged(), spins=(0.0, 20.0, 6), joints=["blade"], posture={"blade": 1.2})
    np.testing.assert_allclose(2 * np.pi * found.frequencies_hz[:, 0], found.spins * np.sqrt(1.5 * OFFSET / LENGTH))


def test_without_shortening_the_squares_fall_by_the_square_of_the_speed_until_the_beam_diverges():
    way = {"formulation": "hermite", "frames": "link", "stiffening": False}
    arm = rotor(way, 6, planar=True)
    rest = 2 * np.pi * fa.modes(arm, count=1).frequencies_hz[0]
    found = fa.campbell(arm, spins=(0.0, 2.0 * rest, 8), count=2)
    np.testing.assert_allclose(found.coefficients, -1.0, rtol=1e-6)
    assert 2 * np.pi * found.rest_hz[0] == pytest.approx(rest, rel=1e-6)
    np.testing.assert_array_equal(found.growth_rates[:, 0] > 0.0, found.spins > rest)
    assert "divergence" in found.summary() and "nan" not in found.summary()


def test_southwell_s_coefficient_of_a_beam_is_that_of_the_oracle():
    found = fa.campbell(rotor(HERMITE, 8), spins=(0.0, 4.0 * UNIT, 9), count=2)
    eta = found.spins / UNIT
    rise, rest = np.polyfit(eta**2, [flapping(x, 0.0, 1)[0] ** 2 for x in eta], 1)
    flap = found.names.index("beam bending y 1")
    assert found.coefficients[flap] == pytest.approx(rise, rel=1e-3)
    assert 2 * np.pi * found.rest_hz[flap] / UNIT == pytest.approx(np.sqrt(rest), rel=1e-3)
    # in the plane of rotation it is less by one, at any speed
    assert found.coefficients[1 - flap] == pytest.approx(found.coefficients[flap] - 1.0, abs=1e-6)
    assert found.misfits_hz[flap] > 0.0


# --- Critical speeds -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", [1, 2, 3])
def test_critical_speeds_are_the_roots_of_the_oracle(order):
    found = fa.campbell(rotor(HERMITE, 8), spins=(0.0, 12.0 * UNIT, 13), count=4, orders=3)
    for axis, exact in (("y", flapping), ("z", lagging)):
        for k in range(2):
            name = f"beam bending {axis} {k + 1}"
            spins = [c.spin / UNIT for c in found.crossings if found.names[c.mode] == name and c.order == order]

            def above(eta: float, k: int = k, exact=exact) -> float:
                return exact(eta, 0.0, 2)[k] - order * eta

            if above(1e-3) * above(12.0) > 0:
                assert spins == []
                continue
            root = brentq(above, 1e-3, 12.0, xtol=1e-12)
            # a frequency off by 3e-4 shifts the root by that over |ω' − n|, never less than a half here
            assert spins == [pytest.approx(root, rel=1e-3)]


def test_interpolated_critical_speeds_are_those_of_the_arm_itself():
    arm = three_joints(HERMITE, 2)
    found = fa.campbell(arm, spins=(0.0, 40.0, 21), count=2, orders=2)
    assert found.crossings
    for mode, order, spin, frequency in found.crossings:
        row = 2 * np.pi * fa.modes(arm, spin=spin, count=3).frequencies_hz
        # a cubic in Ω² through steps of 2 rad/s
        assert np.min(np.abs(row - order * spin)) < 1e-4 * spin
        assert 2 * np.pi * frequency == pytest.approx(order * spin) and 0 <= mode < 2


# --- What is handed over ---------------------------------------------------------------------------------------------


def test_plot_data_are_in_json_and_csv():
    found = fa.campbell(rotor(HERMITE, 4), spins=(0.0, 30.0, 4), count=3, orders=2)
    reported = json.loads(json.dumps(found.to_dict()))
    assert reported["joint"] == "beam" and [line["order"] for line in reported["lines"]] == [1, 2]
    assert reported["modes"][1]["frequencies_hz"] == found.frequencies_hz[:, 1].tolist()
    assert reported["spins_rpm"][-1] == pytest.approx(900.0 / np.pi)
    rows = list(csv.reader(io.StringIO(found.to_csv())))
    assert rows[0] == [
        "spin [rad/s]",
        "spin [rpm]",
        *(f"{name} [Hz]" for name in found.names),
        "1/rev [Hz]",
        "2/rev [Hz]",
    ]
    values = np.array(rows[1:], dtype=float)
    np.testing.assert_array_equal(values[:, 2:5], found.frequencies_hz)
    np.testing.assert_allclose(values[:, 5], found.spins / (2 * np.pi))
    assert repr(found) == "<Campbell of arm: 3 modes at 4 speeds>"
    lines = found.summary().splitlines()
    assert lines[0].startswith("arm: 3 modes with the joints locked, beam spins at 0 to 30.00 rad/s (286.5 rpm)")
    assert "mode 3" in lines[2]


def test_many_speeds_are_thinned_in_the_terminal_only():
    found = fa.campbell(rotor(HERMITE, 2, planar=True), spins=(0.0, 30.0, 60), count=1)
    assert len(found.spins) == 60 and "every third of 60 speeds" in found.summary()


@pytest.mark.parametrize(
    ("spins", "words"),
    [
        ((0.0, 1.0), "tuple of 2"),
        ((0.0, 1.0, 1), "how many"),
        ((0.0, 10.0, 20.0), "list"),
        ([1.0], "two speeds"),
        ([2.0, 1.0], "rising"),
        ([-1.0, 1.0], "≥ 0"),
        (5.0, "must be a list"),
        ("5 rad/s", "must be a list"),
        ([0.0, "5 m"], "spins[1]"),
    ],
)
def test_what_is_no_range_of_speeds_is_refused(spins, words):
    with pytest.raises(AnalysisError) as refused:
        fa.campbell(hinged(), spins=spins, joints=["blade"])
    assert words in str(refused.value) and "\n" not in str(refused.value)


def test_another_joint_may_spin():
    found = fa.campbell(hinged(), spins=[1.0, 2.0], joint="blade", joints=["blade"])
    assert found.joint == "blade" and found.posture == {"hub": 0.0}
    with pytest.raises(AnalysisError, match='no revolute joint "tail"'):
        fa.campbell(hinged(), spins=[1.0, 2.0], joint="tail")
