"""A beam whose model is not given has all its section gives; what a model leaves out is reported, --check finds it."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import flexarm as fa
from flexarm.assembly import compile_arm, refined
from flexarm.results.beam_models import beams_of
from flexarm.studies.execution.stacked import compile_batch
from tests.oracles.beams import euler, rod, tapered

G = 9.81
TUBE = {"section": {"shape": "tube", "diameter": "30 mm", "thickness": "2 mm"}, "material": "steel"}
A, B, MASS = 1.0, 0.8, 2.0  # lengths (m) of the two legs of the L, payload (kg)


def ell(model: dict[str, Any] | None = None, **changes: Any) -> fa.Arm:
    """An L that lies in the horizontal plane, clamped at its foot, with a payload at its tip."""
    beam = changes.pop("beam", TUBE)
    legs = [
        {"name": "upper", "joint": {"type": "fixed"}, "length": A, "beam": beam, "model": model},
        {
            "name": "fore",
            "joint": {"type": "fixed", "rotation": [0, 0, np.pi / 2]},
            "length": B,
            "beam": beam,
            "model": model,
            "payload": {"mass": MASS},
        },
    ]
    return fa.Arm(links=legs, **changes)


def castigliano(EI: float, GJ: float, GA: float, m: float) -> tuple[float, float]:
    """Sag (m) of the L's tip under payload and its own weight, and the part of it that is torsion.

    Of the unit load at the tip: bending b in the fore, a and torsion b in the upper leg. Of the true loads with W the
    payload's weight, w = mg: fore M = W s + w s²/2; upper, from its end, M = (W + wB) x + w x²/2 and T = W B + w B²/2.
    """
    W, w = MASS * G, m * G
    fore = W * B**3 / 3 + w * B**4 / 8
    upper = (W + w * B) * A**3 / 3 + w * A**4 / 8
    shear = (W * B + w * B**2 / 2) + ((W + w * B) * A + w * A**2 / 2)
    twist = (W * B + w * B**2 / 2) * B * A / GJ
    return (fore + upper) / EI + shear / GA + twist, twist


def tube() -> tuple[float, float, float, float]:
    beam = fa.Beam(**TUBE).properties()
    return beam.EIy, beam.GJ, beam.GAy, beam.mass_per_length


def sag(arm: fa.Arm) -> float:
    return -float(fa.statics(arm).tip_sag["tip"][2])


def test_the_tip_of_an_l_shaped_arm_sags_by_bending_torsion_and_shear() -> None:
    # Castigliano is linear: legs that are bent shorten the lever by a few 1e-4 of it
    true, twist = castigliano(*tube())
    assert twist > 0.3 * true
    assert sag(ell()) == pytest.approx(true, rel=1e-3)
    for word in ("rigid-fe", "hencky"):
        # chains err by 1/(4 n²) of each leg
        assert sag(ell({"formulation": word})) == pytest.approx(true, rel=4e-3)


def test_the_first_mode_of_an_l_shaped_arm_is_that_of_all_its_compliances() -> None:
    # a beam of next to no mass is a spring: ω² = g / sag of its payload, for the compliance across the plane alone
    E, G_, A_, I_ = 210e9, 80e9, 1.7e-4, 1.7e-8
    light = {"bending_stiffness": E * I_, "torsional_stiffness": 2 * G_ * I_, "mass_per_length": 1e-5}
    light |= {"shear_stiffness": 0.5 * G_ * A_, "rotary_inertia": 1e-9}
    true, _ = castigliano(E * I_, 2 * G_ * I_, 0.5 * G_ * A_, 0.0)
    found = fa.modes(ell(beam=light), count=2)
    across = np.abs(found.point_shapes[:, 0, 2].real) > 0.5
    assert found.frequencies_hz[across][0] == pytest.approx(np.sqrt(G / true) / (2 * np.pi), rel=1e-4)


def test_check_s_twin_has_the_freedoms_a_model_leaves_out() -> None:
    _, twist = castigliano(*tube())
    arm = ell({"elements": 4, "freedoms": ["bending"]}, simulation={"end": 0.01, "analysis": "quasi-static"})
    reported = fa.simulate(arm, check=True).info["check"]
    assert reported["tip"] == pytest.approx(twist, rel=5e-3)
    twin = refined(arm, 2, complete=True)
    assert [link.formulation.freedoms for link in twin.links] == [("bending", "torsion", "shear", "axial")] * 2


@pytest.mark.parametrize(
    ("given", "inertia"),
    [
        ({}, 3000.0 / 3100.0**2),
        ({"rotary_inertia": [1e-4, 3e-4]}, 4e-4),
        ({"axial_stiffness": 4e7}, 2.0 * (5000.0 + 5000.0) / 4e7),
        ({"polar_inertia": 5e-4}, 5e-4),
    ],
    ids=["alone", "rotary", "axial", "given"],
)
@pytest.mark.parametrize("formulation", ["hermite", "rigid-fe", "hencky", "modes"])
def test_torsional_stiffness_is_never_dropped(given: dict[str, Any], inertia: float, formulation: str) -> None:
    beam = {"bending_stiffness": 5000.0, "mass_per_length": 2.0, "torsional_stiffness": 3000.0, **given}
    arm = ell({"formulation": formulation}, beam=beam)
    assert fa.Beam(**beam).properties().jx == pytest.approx(inertia)
    EI, GJ, m = beam["bending_stiffness"], beam["torsional_stiffness"], beam["mass_per_length"]
    true, twist = castigliano(EI, GJ, np.inf, m)
    assert twist > 0.3 * true
    assert sag(arm) == pytest.approx(true, rel=5e-3)
    reported = beams_of(arm)[0]["assumed"]
    assert bool(reported) == ("polar_inertia" not in given)


@pytest.mark.parametrize("formulation", ["hermite", "timoshenko", "isoparametric", "rigid-fe", "hencky", "modes"])
def test_shear_stiffness_is_never_dropped(formulation: str) -> None:
    # a thick cantilever: shear adds a tenth to its sag under its own weight, wL⁴/8EI + wL²/2κGA
    EI, GA, m = 1000.0, 4e4, 3.0
    beam = {"bending_stiffness": EI, "mass_per_length": m, "shear_stiffness": GA, "rotary_inertia": 1e-3}
    link = {"name": "arm", "joint": {"type": "fixed"}, "length": 1.0, "beam": beam}
    arm = fa.Arm(planar=True, gravity=(0, -G, 0), links=[link | {"model": {"formulation": formulation}}])
    assert fa.statics(arm).tip_sag["tip"][1] == pytest.approx(-m * G * (1 / (8 * EI) + 1 / (2 * GA)), rel=6e-3)


def cantilever(beam: dict[str, Any], **link: Any) -> fa.Arm:
    whole = {"name": "arm", "joint": {"type": "fixed"}, "length": 1.0, "beam": beam, **link}
    return fa.Arm(planar=True, gravity=(0, 0, 0), links=[whole])


@pytest.mark.parametrize("load", [0.0, 0.3, 5.0])
def test_as_many_elements_as_the_first_three_frequencies_need_are_chosen(load: float) -> None:
    beam = {"bending_stiffness": 100.0, "mass_per_length": 0.5}
    arm = cantilever(beam, **({"payload": {"mass": load}} if load else {}))
    true = euler(3, EI=100.0, rhoA=0.5, L=1.0, tip_mass=load) / (2 * np.pi)
    np.testing.assert_allclose(fa.modes(arm, count=3).frequencies_hz, true, rtol=1e-3)
    assert arm.links[0].formulation.elements == 8


def test_a_tapered_beam_gets_more() -> None:
    beam = {"bending_stiffness": 100.0, "mass_per_length": 0.5}
    beam["end"] = {"bending_stiffness": 4.0, "mass_per_length": 0.1}
    true = tapered(3, EI=lambda x: 100 - 96 * x, rhoA=lambda x: 0.5 - 0.4 * x, L=1.0) / (2 * np.pi)
    arm = cantilever(beam)
    assert arm.links[0].formulation.elements > 8
    np.testing.assert_allclose(fa.modes(arm, count=3).frequencies_hz, true, rtol=1e-3)


def test_stiff_links_get_fewer_elements_and_a_model_that_says_it_keeps_its_own() -> None:
    def two(stiffness: float, **model: Any) -> list[int]:
        links = [
            {
                "name": name,
                "joint": {"type": "revolute"},
                "length": 1.0,
                "beam": {"bending_stiffness": EI, "mass_per_length": 1.0},
                **model,
            }
            for name, EI in (("a", stiffness), ("b", 100.0))
        ]
        return [link.formulation.elements for link in fa.Arm(planar=True, links=links).links]

    assert two(100.0) == [8, 8]
    # a link whose own frequency is four times higher needs half as many, no fewer than two
    assert two(1600.0) == [4, 8]
    assert two(1e8) == [2, 8]
    assert two(1e8, model={"elements": 5}) == [5, 5]
    assert two(1e8, model={"formulation": "rigid-fe"}) == [10, 10]


def test_what_a_model_leaves_out_is_reported_with_its_size() -> None:
    reported = beams_of(ell({"freedoms": ["bending"], "theory": "euler"}))
    EI, GJ, GA, _ = tube()
    left = {each["freedom"]: each for each in reported[0]["left_out"]}
    assert set(left) == {"torsion", "shear", "axial"}
    assert left["torsion"]["part"] == pytest.approx(EI / GJ)
    assert left["shear"]["part"] == pytest.approx(3 * EI / (GA * A**2))
    assert left["shear"]["reason"] == 'theory is "euler"'
    assert [each["freedom"] for each in beams_of(ell())[0]["left_out"]] == ["axial"]
    found = fa.statics(ell({"elements": 2, "freedoms": ["bending"]}))
    assert "left out: torsion (freedoms are bending; 130 % of what bending does)" in found.summary()
    assert json.loads(json.dumps(found.to_dict()))["beams"][0]["left_out"][0]["freedom"] == "torsion"


RANDOM = """
planar = true
gravity = [0, 0, 0]
[[link]]
name = "upper"
joint = { type = "revolute" }
length = { normal = ["1 m", "0.2 m"] }
beam = { bending_stiffness = { normal = ["100 N m^2", "20 N m^2"] }, mass_per_length = 0.5 }
[[link]]
name = "fore"
joint = { type = "revolute" }
length = "1 m"
beam = { bending_stiffness = "400 N m^2", mass_per_length = 0.5 }
payload = { mass = { normal = ["1 kg", "0.1 kg"] } }
[simulation]
end = "0.1 s"
"""


def test_random_arms_have_the_elements_of_the_nominal_one() -> None:
    study = fa.parse_study(RANDOM)
    counts = [link.formulation.elements for link in study.nominal.links]
    rows = np.array([[0.3, 100.0, 1.0], [1.7, 150.0, 1.0], [1.0, 50.0, 0.8]])
    for row in rows:
        assert [link.formulation.elements for link in study.arm(row).links] == counts
    stacked = compile_batch(study, rows)
    assert stacked
    assert stacked.valid.all()
    np.testing.assert_array_equal(stacked.tree.plane[1], compile_arm(study.arm(rows[1])).tree.plane)


def shaped(**model: Any) -> fa.Arm:
    payload = {"mass": 0.5, "inertia": [0.01, 0.01, 0.01]}
    link = {"name": "arm", "joint": {"type": "fixed"}, "length": 1.0, "beam": TUBE, "payload": payload}
    return fa.Arm(gravity=(0, 0, 0), links=[link | {"model": {"formulation": "modes", "theory": "euler", **model}}])


def test_assumed_modes_are_those_of_the_loaded_link_unless_clamped_ones_are_asked_for() -> None:
    EI, GJ, _, m = tube()
    bending = euler(3, EI=EI, rhoA=m, L=1.0, tip_mass=0.5, tip_inertia=0.01)
    twisting = rod(1, stiffness=GJ, inertia=fa.Beam(**TUBE).properties().jx, L=1.0, tip=0.01)
    true = np.sort(np.concatenate([bending, bending, twisting])) / (2 * np.pi)
    found = fa.modes(shaped(), count=7)
    np.testing.assert_allclose(found.frequencies_hz, true, rtol=1e-5)
    assert not found.remarks
    rough = fa.modes(shaped(shapes="clamped"), count=7)
    worst = float(np.max(rough.frequencies_hz / true)) - 1
    assert worst > 0.15
    assert f"up to {100 * worst:.0f} % too high" in rough.summary()
    assert (
        fa.modes(cantilever({"bending_stiffness": 1.0, "mass_per_length": 1.0}, model={"formulation": "modes"})).remarks
        == ()
    )
