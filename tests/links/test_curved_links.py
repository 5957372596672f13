"""Curved and twisted links converge to the closed forms of curved beams, and carry what stands on them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad

import flexarm as fa

R, EI, GJ, F = 0.5, 200.0, 150.0, 0.01
BEAM = {"bending_stiffness": EI, "mass_per_length": 1.0, "torsional_stiffness": GJ}


def hook(pieces: int = 16, **more) -> fa.Arm:
    link = {
        "name": "hook",
        "joint": {"type": "revolute"},
        "curve": {"radius": R, "angle": "90 deg", "pieces": pieces},
        "beam": BEAM,
        "model": {"theory": "rayleigh"},
    }
    outside = {key: more.pop(key) for key in ("loads", "points", "gravity") if key in more}
    return fa.Arm(**{"gravity": (0.0, 0.0, 0.0), **outside, "links": [{**link, **more}]})


def sag(arm: fa.Arm, point: str = "tip") -> np.ndarray:
    return fa.statics(arm).tip_sag[point]


@pytest.mark.parametrize(
    ("axis", "closed_form"),
    [
        # Castigliano for a quarter circle clamped along x, its tip at (R, R)
        (0, F * R**3 / EI * np.pi / 4),
        (1, F * R**3 / EI * (3 * np.pi / 4 - 2)),
        (2, F * R**3 * (np.pi / 4 / EI + (3 * np.pi / 4 - 2) / GJ)),
    ],
)
def test_a_quarter_circle_converges_to_castigliano_with_order_two(axis, closed_form):
    force = np.eye(3)[axis] * F
    errors = [
        abs(sag(hook(n, loads=[{"link": "hook", "force": force.tolist()}]))[axis] / closed_form - 1.0)
        for n in (6, 12, 24)
    ]
    assert errors[-1] < 1e-3
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.1)
    assert np.log2(errors[1] / errors[2]) == pytest.approx(2.0, abs=0.1)


def test_a_half_circle_through_points_ends_where_they_end_and_weighs_what_it_is_long():
    angle = np.linspace(0.0, np.pi, 25)[1:]
    points = np.stack([np.sin(angle), 1.0 - np.cos(angle), 0 * angle], axis=-1)
    link = {
        "name": "bow",
        "joint": {"type": "revolute"},
        "curve": {"points": points.tolist(), "pieces": 40},
        "beam": BEAM,
    }
    arm = fa.Arm(links=[link])
    assert arm.mass == pytest.approx(np.pi, rel=5e-4)  # chords of forty pieces
    engine = fa.Dynamics(arm)
    place = engine.place("tip", engine.coordinates())
    assert place.position == pytest.approx([0.0, 2.0, 0.0], abs=1e-12)
    assert place.rotation == pytest.approx(np.diag([-1.0, -1.0, 1.0]), abs=2e-3)


def test_a_twisted_strip_bends_out_of_the_plane_of_its_load():
    """∫ (L − s)² (c²/EI_z + s²/EI_y) ds and ∫ (L − s)² c s (1/EI_z − 1/EI_y) ds with the angle 70° s/L."""
    L, stiff, soft, turn = 0.8, 500.0, 20.0, np.radians(70.0)
    link = {
        "name": "blade",
        "joint": {"type": "revolute"},
        "length": L,
        "curve": {"twist": "70 deg", "pieces": 48},
        "beam": {"bending_stiffness": [soft, stiff], "mass_per_length": 1.0},
        "model": {"theory": "rayleigh"},
    }
    arm = fa.Arm(gravity=(0, 0, 0), links=[link], loads=[{"link": "blade", "force": [0, F, 0]}])

    def integral(f) -> float:
        return F * quad(lambda s: (L - s) ** 2 * f(turn * s / L), 0.0, L)[0]

    along = integral(lambda a: np.cos(a) ** 2 / stiff + np.sin(a) ** 2 / soft)
    across = integral(lambda a: np.cos(a) * np.sin(a) * (1 / stiff - 1 / soft))
    assert sag(arm)[1:] == pytest.approx([along, across], rel=2e-3)
    engine = fa.Dynamics(arm)
    c, s = np.cos(turn), np.sin(turn)
    assert engine.place("tip", engine.coordinates()).rotation == pytest.approx(
        np.array([[1, 0, 0], [0, c, -s], [0, s, c]]), abs=1e-12
    )


def test_what_stands_on_a_curved_link_stands_on_its_piece():
    """Half the arc: at (R sin 45°, R (1 − cos 45°)); a link carried at the tip goes on along the last tangent."""
    arm = fa.Arm(
        links=[
            {
                "name": "hook",
                "joint": {"type": "revolute"},
                "hub": {"radius": 0.1},
                "curve": {"radius": R, "angle": "90 deg", "pieces": 16},
                "beam": BEAM,
                "payload": {"mass": 0.3, "at": R * np.pi / 4},
                "tip_offset": [0.05, 0, 0],
            },
            {"name": "hand", "joint": {"type": "revolute"}, "length": 0.2, "rigid": {"mass": 1, "inertia": [0.01] * 3}},
        ],
        points=[{"name": "middle", "link": "hook", "at": R * np.pi / 4}],
    )
    engine = fa.Dynamics(arm)
    q = engine.coordinates()
    middle, tip = engine.place("middle", q).position, engine.place("tip", q).position
    assert middle == pytest.approx([0.1 + R * np.sin(np.pi / 4), R * (1 - np.cos(np.pi / 4)), 0], abs=2e-3)
    assert tip == pytest.approx([0.1 + R, R + 0.05 + 0.2, 0], abs=1e-12)
    assert arm.mass == pytest.approx(1.3 + R * np.pi / 2, rel=1e-3)
    assert [link.name for link in arm.links if link.payloads] in (["hook.8"], ["hook.9"])
    assert fa.parse_arm(fa.format_arm(arm)) == arm


def test_a_planar_arm_and_a_study_take_a_curved_link():
    text = """
planar = true
gravity = [0, -9.81, 0]
[random.stiffness]
normal = ["200 N m^2", "4 N m^2"]
[[link]]
name = "hook"
joint = { type = "revolute" }
curve = { radius = "0.5 m", angle = "90 deg", pieces = 12 }
beam = { bending_stiffness = "200 N m^2", mass_per_length = "1 kg/m" }
[[link]]
name = "hand"
joint = { type = "fixed" }
length = "0.1 m"
rigid = { mass = { normal = ["1 kg", "0.01 kg"] }, inertia = "0.01 kg m^2" }
"""
    plain = text.replace('[random.stiffness]\nnormal = ["200 N m^2", "4 N m^2"]\n', "")
    study = fa.parse_study(plain)
    heavier = study.arm([1.5])
    assert heavier.links[-1].rigid.mass == 1.5 and len(heavier.links) == 14
    assert sag(heavier)[1] < sag(study.nominal)[1] < 0.0
    with pytest.raises(fa.ModelError, match="holds a distribution, must have none with curve"):
        fa.parse_study(plain.replace('"1 kg/m"', '{ normal = ["1 kg/m", "0.1 kg/m"] }'))


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"length": 1}, "link[0]: length is given with curve, must be left to it"),
        ({"curve": {"radius": 1}}, "link[0].curve: radius and angle must be given together"),
        ({"curve": {"pieces": 3}}, "link[0].curve: has no values, must have radius and angle, points, or twist"),
        ({"curve": {"radius": 1, "angle": 1, "towards": "x"}}, "curve: towards must be across the link's direction"),
        ({"curve": {"twist": 1}}, "link[0]: length is 0 m, must be > 0 for a beam"),
        ({"beam": {**BEAM, "end": {"mass_per_length": 2}}}, "end is given with the link's curve, must be left out"),
        ({"model": {"formulation": "modes"}}, 'formulation is "modes", must have elements'),
        ({"damping": {"ratio": 0.01}}, 'ratio is that of the link, must be of = "arm", or a retardation'),
        ({"joint": {"type": "prismatic", "axis": "x", "sleeve": True}}, "a curved beam slides out of none"),
        ({"beam": {"bending_stiffness": -1, "mass_per_length": 1}}, "link[0].beam: bending_stiffness is -1 N m²"),
    ],
)
def test_what_no_curved_link_has_is_refused(more, sentence):
    with pytest.raises(fa.ModelError) as refused:
        hook(**more)
    assert sentence in str(refused.value)
