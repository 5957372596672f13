"""Beams whose section changes along them by a table, nodes at chosen places, and Denavit-Hartenberg rows along d."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq

import flexarm as fa
from flexarm.assembly.spans import span_of
from flexarm.links.mesh import element_lengths
from flexarm.papers.files import paper_arm

# A step at 0.4 of 1.5 m: three times as soft beyond, and half as heavy.
LENGTH, STEP, EI, MU = 1.5, 0.4, (900.0, 300.0), (2.0, 1.0)
STEPPED = {
    "bending_stiffness": EI[0],
    "mass_per_length": MU[0],
    "along": [
        {"at": STEP, "bending_stiffness": EI[0]},
        {"at": STEP, "bending_stiffness": EI[1], "mass_per_length": MU[1]},
    ],
}


def cantilever(beam: dict, gravity: float = 0.0, **model) -> fa.Arm:
    return fa.Arm(
        planar=True,
        gravity=(0.0, gravity, 0.0),
        links=[{"name": "beam", "joint": {"type": "revolute"}, "length": LENGTH, "beam": beam, "model": model}],
        loads=[] if gravity else [{"link": "beam", "force": [0, -0.02, 0]}],
    )


def sag(arm: fa.Arm) -> float:
    return -fa.statics(arm).tip_sag["tip"][1]


def by_forces(moment) -> float:
    """Deflection of the tip by a unit load there: ∫ M (L − s)/EI ds, by SciPy on both sides of the step."""
    a = STEP * LENGTH
    parts = [(0.0, a, EI[0]), (a, LENGTH, EI[1])]
    return sum(quad(lambda s, k=k: moment(s) * (LENGTH - s) / k, b, e, epsabs=1e-15)[0] for b, e, k in parts)


def weight_beyond(s: float) -> float:
    """Bending moment of 1 m/s² on what is outboard of s."""
    a = STEP * LENGTH
    inner = MU[0] * (a**2 - s**2) / 2 + MU[1] * (LENGTH**2 - a**2) / 2 if s < a else MU[1] * (LENGTH**2 - s**2) / 2
    mass = MU[0] * (a - s) + MU[1] * (LENGTH - a) if s < a else MU[1] * (LENGTH - s)
    return inner - s * mass


def first_frequency() -> float:
    """The lowest root (Hz) of the frequency equation of two uniform Euler-Bernoulli pieces, one behind the other."""
    a = STEP * LENGTH

    def rows(k: float, x: float) -> np.ndarray:
        s, c, h, ch = np.sin(k * x), np.cos(k * x), np.sinh(k * x), np.cosh(k * x)
        return np.array(
            [
                [s, c, h, ch],
                [k * c, -k * s, k * ch, k * h],
                [-k * k * s, -k * k * c, k * k * h, k * k * ch],
                [-(k**3) * c, k**3 * s, k**3 * ch, k**3 * h],
            ]
        )

    def determinant(omega: float) -> float:
        near, far = ((m * omega**2 / e) ** 0.25 for m, e in zip(MU, EI, strict=True))
        whole = np.zeros((8, 8))
        whole[:2, :4] = rows(near, 0.0)[:2]
        scale = np.array([1.0, 1.0, EI[0], EI[0]])[:, None], np.array([1.0, 1.0, EI[1], EI[1]])[:, None]
        whole[2:6, :4], whole[2:6, 4:] = scale[0] * rows(near, a), -scale[1] * rows(far, 0.0)
        whole[6:, 4:] = rows(far, LENGTH - a)[2:]
        return float(np.linalg.det(whole / np.linalg.norm(whole, axis=1, keepdims=True)))

    grid = np.linspace(5.0, 60.0, 400)
    values = [determinant(w) for w in grid]
    k = next(i for i in range(399) if values[i] * values[i + 1] < 0)
    return float(brentq(determinant, grid[k], grid[k + 1], xtol=1e-12)) / (2 * np.pi)


def test_elements_with_nodes_at_a_step_bend_as_the_closed_form():
    arm = cantilever(STEPPED, formulation="hermite", elements=2, theory="euler")
    assert sag(arm) == pytest.approx(0.02 * by_forces(lambda s: LENGTH - s), rel=1e-6)
    lengths, begins = element_lengths(span_of(arm, arm.links[0]))
    assert begins == pytest.approx([0.0, STEP * LENGTH]) and lengths[0] == pytest.approx(STEP * LENGTH)


@pytest.mark.parametrize(
    ("model", "near"),
    [
        ({"formulation": "hermite", "theory": "euler"}, 2e-6),
        # the cubic of an Euler beam errs by (h/L)⁴, a segment of a chain by its square
        ({"formulation": "hermite", "theory": "euler", "frames": "link", "elements": 8}, 2e-6),
        ({"formulation": "rigid-fe", "elements": 64}, 4e-4),
        ({"formulation": "hencky", "theory": "euler", "elements": 24}, 2e-5),
        # smooth shapes follow the kink of the curvature with the square of their number
        ({"formulation": "modes", "theory": "euler", "modes": 14}, 4e-3),
    ],
)
def test_every_formulation_sags_by_the_weight_of_a_stepped_beam(model, near):
    arm = cantilever(STEPPED, gravity=-0.002, **model)
    assert sag(arm) == pytest.approx(0.002 * by_forces(weight_beyond), rel=near)
    assert arm.mass == pytest.approx(LENGTH * (STEP * MU[0] + (1 - STEP) * MU[1]), rel=1e-12)


def test_a_stepped_beam_has_the_frequency_of_its_two_pieces():
    arm = cantilever(STEPPED, formulation="hermite", elements=12, theory="euler")
    assert fa.modes(arm, joints="locked", count=1).frequencies_hz[0] == pytest.approx(first_frequency(), rel=2e-6)


def test_a_table_on_the_line_of_a_taper_is_the_taper():
    """Twenty-one places on a straight line say what its two ends say."""
    tube = {"shape": "tube", "diameter": 0.05, "thickness": 0.003}
    material = {"youngs_modulus": 70e9, "density": 2700, "poisson": 0.33}
    along = [{"at": x, "section": {"diameter": 0.05 - 0.02 * x}} for x in np.linspace(0.05, 1.0, 20).tolist()]
    model = {"formulation": "hermite", "elements": 40}
    both = [
        cantilever({"section": tube, "material": material, **more}, gravity=-9.81, **model)
        for more in ({"end": {"section": {"diameter": 0.03}}}, {"along": along})
    ]
    straight, tabled = ([fa.modes(arm, joints="locked", count=3).frequencies_hz, sag(arm)] for arm in both)
    assert tabled[0] == pytest.approx(straight[0], rel=1e-9) and tabled[1] == pytest.approx(straight[1], rel=1e-9)
    assert fa.parse_arm(fa.format_arm(both[1])) == both[1]


def test_nodes_stand_where_they_are_asked_for():
    beam = {"bending_stiffness": 100.0, "mass_per_length": 1.0}
    arm = cantilever(beam, gravity=-1.0, formulation="hermite", elements=5, nodes=[0.31, "1.2 m"])
    _, begins = element_lengths(span_of(arm, arm.links[0]))
    assert {0.31, 1.2} <= {round(each, 12) for each in begins} and len(begins) == 5
    chosen = cantilever(beam, gravity=-1.0)
    more = cantilever(beam, gravity=-1.0, nodes=[0.31])
    assert more.links[0].formulation.elements == chosen.links[0].formulation.elements + 1


TUBE = {
    "material": {"youngs_modulus": 200e9, "density": 7850, "poisson": 0.3},
    "section": {
        "shape": "custom",
        "area": 915e-6,
        "second_moment_y": 1.08e-6,
        "second_moment_z": 1.08e-6,
        "torsion_constant": 2.16e-6,
        "shear": 0.531427,
    },
}
TUBE["section"] = {
    **{k: v for k, v in TUBE["section"].items() if k != "shear"},
    "shear_y": 0.531427,
    "shear_z": 0.531427,
}


def test_table_3_of_the_thesis_typed_as_printed_is_its_arm():
    """Link length 0, twist 90°, kink 500 mm, then 1000 mm twice: rows of a Denavit-Hartenberg table."""
    rows = [{"alpha": "90 deg", "d": "500 mm"}, {"a": "1000 mm"}, {"a": "1000 mm"}]
    links = [
        {"name": name, "joint": {"type": "revolute"}, "dh": row, "beam": TUBE, "model": {"elements": elements}}
        for name, row, elements in zip(("column", "upper arm", "forearm"), rows, (4, 8, 8), strict=True)
    ]
    typed, ours = fa.Arm(links=links), paper_arm("naganathan_3r.toml")
    posture = {"column": 0.5, "upper arm": 0.7, "forearm": -1.0}
    for arm in (typed, ours):
        assert arm.links[0].length == 0.5
    assert fa.statics(typed, posture=posture).tip_sag["tip"] == pytest.approx(
        fa.statics(ours, posture=posture).tip_sag["tip"], rel=1e-12
    )
    assert fa.modes(typed, count=3).frequencies_hz == pytest.approx(fa.modes(ours, count=3).frequencies_hz, rel=1e-12)


def test_table_4_of_the_thesis_slides_along_its_variable_kink():
    """Rows (a 0, α −90°, d 500 mm, θ variable) and (a 0, α 0, d variable, θ 0): the second slides out of the first."""
    ours = paper_arm("naganathan_rp_motion.toml").changed(gravity=(0.0, 0.0, -9.81))
    beam = ours.links[0].beam
    model = {"formulation": "timoshenko", "elements": 4}
    column = {"name": "column", "joint": {"type": "revolute"}, "dh": {"alpha": "-90 deg", "d": "500 mm"}}
    slide = {"name": "slide", "joint": {"type": "prismatic", "sleeve": True, "at": "0.6 m"}, "dh": {}, "length": "1 m"}
    links = [{**column, "beam": beam, "model": model}, {**slide, "beam": beam, "model": {**model, "elements": 8}}]
    typed = fa.Arm(links=links, materials=ours.materials)
    sag = [fa.statics(arm, posture={"column": 0.3, "slide": 0.8}).tip_sag["tip"] for arm in (typed, ours)]
    # Rx(−90°) turns z, along which it slides, onto y: the printed frame stands a quarter of a turn from ours
    assert sag[0] == pytest.approx([-sag[1][1], sag[1][0], sag[1][2]], rel=1e-9)
    assert fa.modes(typed, count=2).frequencies_hz == pytest.approx(fa.modes(ours, count=2).frequencies_hz, rel=1e-9)


def line(**link) -> dict:
    return {
        "name": "beam",
        "joint": {"type": "revolute"},
        "beam": {"bending_stiffness": 1, "mass_per_length": 1},
        **link,
    }


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        (line(dh={"alpha": 1.0}), "link[0]: dh.d is 0 m, must be > 0 for a beam"),
        (line(dh={"d": 0.4}, length=1), "link[0]: length is given with dh, must be left to it"),
        (line(dh={"d": 0.4}, joint={"type": "prismatic"}), "link[0]: dh.a is 0 m, must be > 0 for a beam"),
        (
            line(dh={"a": 0.4}, length=1, joint={"type": "prismatic", "sleeve": True}),
            "sleeve is given with the link's dh, whose a is not 0 m, must be given with a = 0",
        ),
        (line(length=1, model={"nodes": [2.0]}), "nodes has 2 m, must be from 0 m to the link's length, 1 m"),
        (
            line(length=1, model={"formulation": "modes", "nodes": [0.5]}),
            'nodes is given with formulation "modes", must be given with',
        ),
        (
            line(length=1, beam={**STEPPED, "end": {"mass_per_length": 1}}),
            "end is given with along, must be its last entry, at = 1",
        ),
        (
            line(length=1, beam={**STEPPED, "along": [{"at": 0.5}, {"at": 0.4}]}),
            "along[1]: at is 0.4, must be ≥ that of the entry before it, 0.5",
        ),
        (
            line(length=1, beam={**STEPPED, "along": [{"at": 0.5}, {"at": 0.5}, {"at": 0.5}]}),
            "along[2]: at is 0.5 for the third time, must be twice at most: a step",
        ),
        (line(length=1, beam={**STEPPED, "along": [{"at": 1.5}]}), "along[0]: at is 1.5, must be ≤ 1"),
        (
            line(length=1, beam={**STEPPED, "along": [{"at": 0.5, "axial_stiffness": 5}]}),
            "axial_stiffness is given here but not at the base, must stand at both",
        ),
    ],
)
def test_what_fits_no_beam_is_refused(link, sentence):
    with pytest.raises(fa.ModelError) as refused:
        fa.Arm(links=[link])
    assert sentence in str(refused.value)


def test_a_beam_with_a_table_slides_in_no_sleeve():
    joint = {"type": "prismatic", "axis": "x", "sleeve": True, "at": 0.5}
    arm = fa.Arm(planar=True, links=[line(length=1, joint=joint, beam=STEPPED)])
    with pytest.raises(fa.FlexarmError, match=r"beam\.along is given with joint\.sleeve, must be left out"):
        fa.modes(arm)
