"""Open frames of beams at rest are arms with fixed joints: corners, kinks and loads anywhere against closed forms."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa

from .cantilever import WAY, cantilever

EI, GA, GJ, RHOA = 30.0, 9e3, 12.0, 0.5
L, H = 1.0, 0.6  # m, of the two beams of a frame
N = 8
BEAM = {
    "bending_stiffness": EI,
    "shear_stiffness": GA,
    "torsional_stiffness": GJ,
    "mass_per_length": RHOA,
    "rotary_inertia": 1e-4,
    "polar_inertia": 2e-4,
}
# So small that squares of the deflection, 1e-5 of it, are below the tolerance.
SMALL = 1e-3  # N
NEAR = 1e-4
# Hinges and linear elements sum ∫x² by the rule of the midpoint, which misses this part of it; others miss nothing.
SHORT = 1 / (4 * N**2)


def beam(name: str, length: float, way: dict, *, torsion: bool = False, **keys) -> dict:
    """A link that is a beam on a fixed joint and bends, shears and, if wanted, twists."""
    freedoms = ["bending", "shear", *(["torsion"] if torsion else [])]
    model = {"elements": N, "freedoms": freedoms, **way}
    return {"name": name, "joint": {"type": "fixed"}, "length": length, "beam": BEAM, "model": model, **keys}


def frame(*links: dict, loads=(), planar: bool = True, gravity=(0.0, 0.0, 0.0), points=()) -> fa.Arm:
    """The beams, each on the one before it."""
    return fa.Arm(planar=planar, gravity=gravity, links=list(links), loads=list(loads), points=list(points))


def kept(way: dict) -> float:
    """The part of ∫x² dx that a formulation of N elements has."""
    return 1 - SHORT if way["formulation"] in ("rigid-fe", "timoshenko") else 1.0


def of_the_corner(force: tuple[float, float], way: dict) -> np.ndarray:
    """Displacement (2,) of the tip of a beam along x that carries one along y, by unit loads: ∫ M M̄/EI + Q Q̄/κGA."""
    fx, fy = force
    square = kept(way)
    # M = −Fx (H − y) up the second beam, (L − x) Fy − H Fx along the first
    ux = fx * H**3 * square / (3 * EI) + (H**2 * L * fx - H * L**2 / 2 * fy) / EI + fx * H / GA
    uy = (L**3 * square / 3 * fy - L**2 / 2 * H * fx) / EI + fy * L / GA
    return np.array([ux, uy])


@WAY
@pytest.mark.parametrize("force", [(SMALL, 0.0), (0.0, SMALL), (-SMALL, 2 * SMALL)])
def test_a_corner_of_two_beams_gives_way_as_by_unit_loads(way, force):
    up = beam("up", H, way, joint={"type": "fixed", "rotation": (0, 0, np.pi / 2)})
    found = fa.statics(frame(beam("along", L, way), up, loads=[{"link": "up", "force": (*force, 0.0)}]))
    np.testing.assert_allclose(found.tip_sag["tip"][:2], of_the_corner(force, way), rtol=NEAR, atol=NEAR * SMALL / EI)
    # at the clamp the frame is held against the force and its moment, at the corner against the moment up the beam
    for link, arm in (("along", (L, H)), ("up", (0.0, H))):
        push, moment = found.reactions[link]
        np.testing.assert_allclose(push[:2], -np.array(force), atol=1e-9 * SMALL)
        assert moment[2] == pytest.approx(-(arm[0] * force[1] - arm[1] * force[0]), rel=NEAR, abs=NEAR * SMALL)


@WAY
def test_a_corner_out_of_its_plane_bends_both_beams_and_twists_the_first(way):
    up = beam("up", H, way, torsion=True, joint={"type": "fixed", "rotation": (0, 0, np.pi / 2)})
    load = {"link": "up", "force": (0, 0, SMALL)}
    found = fa.statics(frame(beam("along", L, way, torsion=True), up, loads=[load], planar=False))
    square = kept(way)
    expected = SMALL * ((L**3 + H**3) * square / (3 * EI) + H**2 * L / GJ + (L + H) / GA)
    assert found.tip_sag["tip"][2] == pytest.approx(expected, rel=NEAR)


@WAY
def test_a_kink_of_the_tip_is_the_same_as_a_turned_joint(way):
    load = {"link": "up", "force": (3.0, -2.0, 0.0)}
    by_joint = frame(
        beam("along", L, way),
        beam("up", H, way, joint={"type": "fixed", "offset": (0.1, 0.05, 0), "rotation": (0, 0, 1.1)}),
        loads=[load],
    )
    by_tip = frame(
        beam("along", L, way, tip_offset=(0.1, 0.05, 0), tip_rotation=(0, 0, 1.1)), beam("up", H, way), loads=[load]
    )
    one, other = (fa.statics(each).tip_sag["tip"] for each in (by_joint, by_tip))
    np.testing.assert_allclose(other, one, rtol=0, atol=1e-12)


@WAY
def test_a_rigid_piece_at_the_tip_is_a_lever(way):
    dx, dy = 0.15, 0.25
    fx, fy = SMALL, -0.5 * SMALL
    load = {"link": "along", "force": (fx, fy, 0.0)}
    found = fa.statics(frame(beam("along", L, way, tip_offset=(dx, dy, 0.0)), loads=[load])).tip_sag["tip"]
    moment = dx * fy - dy * fx
    end = fy * L**3 * kept(way) / (3 * EI) + moment * L**2 / (2 * EI) + fy * L / GA
    turn = fy * L**2 / (2 * EI) + moment * L / EI
    np.testing.assert_allclose(found[:2], [-turn * dy, end + turn * dx], rtol=NEAR)


@WAY
def test_a_load_in_the_axes_of_a_turned_tip_pulls_along_them(way):
    turned = beam("along", L, way, tip_rotation=(0, 0, np.pi / 2))
    follows, fixed = (
        fa.statics(frame(turned, loads=[{"link": "along", "force": force, "axes": axes}])).tip_sag["tip"]
        for force, axes in (((SMALL, 0, 0), "link"), ((0, SMALL, 0), "world"))
    )
    np.testing.assert_allclose(follows[1], fixed[1], rtol=NEAR)


# --- Between the ends ------------------------------------------------------------------------------------------------

# Within an element the deflection is that of its own shapes: a force there is missed by the bow of the element itself,
# F h³/192EI of a cubic one and no more than F h³/48EI of others, beside the shear that goes with it.
WITHIN = 0.43 * L


@WAY
def test_a_payload_anywhere_sags_its_place_and_the_tip(way):
    mass, g = 1e-4, 9.81
    weight, own, s = mass * g, 1e-9 * g, WITHIN
    light = {**BEAM, "mass_per_length": 1e-9, "rotary_inertia": 1e-12}
    link = beam("along", L, way, beam=light, payload={"mass": mass, "at": s})
    point = {"name": "place", "link": "along", "at": s}
    found = fa.statics(frame(link, gravity=(0, -g, 0), points=[point])).tip_sag
    place = weight * (s**3 / (3 * EI) + s / GA) + own * L**4 / (8 * EI)
    tip = weight * (s**2 * (3 * L - s) / (6 * EI) + s / GA) + own * L**4 / (8 * EI)
    # beside the bow: half a segment's shear, and of hinges ∫(s − x)(L − x) over the half segment they leave out
    h = L / N
    within = weight * (h**3 / (48 * EI) + h / (2 * GA) + (SHORT * L**3 / 3 + h**2 * L / 8) / EI)
    np.testing.assert_allclose([-found["place"][1], -found["tip"][1]], [place, tip], atol=within, rtol=0)


@WAY
@pytest.mark.parametrize("elements", [4, 9])
def test_a_heavy_payload_anywhere_swings_on_the_spring_of_the_beam_inboard(way, elements):
    s, mass = WITHIN, 5e3
    word = way["formulation"]
    model = {**way, "freedoms": ["bending", "shear"]}
    arm = cantilever(BEAM, elements, model=model, payload={"mass": mass, "at": s}, points=[])
    found = 2 * np.pi * fa.modes(arm, count=1).frequencies_hz[0]
    flexibility = s**3 / (3 * EI) + s / GA
    h = L / elements
    # the same bow of an element, as a part of what the mass stands on
    missed = h**3 / (48 * EI) + h / (2 * GA)
    missed += s * h**2 / (4 * 3 * EI) if word in ("rigid-fe", "timoshenko") else 0.0
    assert found == pytest.approx(np.sqrt(1 / (mass * flexibility)), rel=0.6 * missed / flexibility + 1e-4)


@WAY
def test_a_beam_carried_between_the_ends_of_another_bends_it_up_to_there(way):
    def missed(s: float, elements: int) -> float:
        """The part of the closed form by which a frame of so many elements errs."""
        model = {**beam("", H, way)["model"], "elements": elements}
        turned = {"type": "fixed", "rotation": (0, 0, np.pi / 2)}
        side = beam("side", H, way, parent="along", parent_at=s, joint=turned)
        load, point = {"link": "side", "force": (SMALL, 0.0, 0.0)}, {"name": "end", "link": "side"}
        arm = frame(beam("along", L, way, model=model), side, loads=[load], points=[point])
        bend = H**3 * kept(way) / (3 * EI) + H**2 * s / EI
        return float(fa.statics(arm).tip_sag["end"][0] / (SMALL * (bend + H / GA)) - 1)

    assert abs(missed(0.5 * L, N)) < NEAR
    within = 0.5625 * L
    if way["formulation"] != "rigid-fe":
        # a node stands where a beam is carried, however few there are: nothing is left to shrink with an element
        assert max(abs(missed(within, elements)) for elements in (3, N, 3 * N)) < NEAR
        return
    # hinges stay where they are: which of them bend jumps with the place, by what shrinks with the length of a segment
    coarse, fine = missed(within, N), missed(within, 3 * N)
    assert NEAR < abs(coarse) < 1 / N
    assert coarse / fine == pytest.approx(3.0, rel=0.2)


@WAY
def test_the_frequency_of_a_corner_with_a_heavy_tip_is_that_of_its_flexibility(way):
    mass = 2e3
    up = beam(
        "up", H, way, joint={"type": "fixed", "rotation": (0, 0, np.pi / 2)}, payload={"mass": mass, "inertia": 0.0}
    )
    found = 2 * np.pi * fa.modes(frame(beam("along", L, way), up), count=2).frequencies_hz
    columns = [of_the_corner((1.0, 0.0), way), of_the_corner((0.0, 1.0), way)]
    expected = 1 / np.sqrt(mass * np.linalg.eigvalsh(np.array(columns))[::-1])
    # half a kilogram of beam moves with two tonnes
    np.testing.assert_allclose(found, expected, rtol=2e-4)
